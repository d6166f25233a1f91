import { parseTemplate } from '#shared/flow/template.ts';
import { parseToolReference, type ToolReference } from '#shared/flow/tool-use.ts';
import { isJsonObject, type Json, type JsonObject } from '#shared/json.ts';
import type { Capability } from './capability.ts';
import { anyHost, hostOf, type ReadHost } from './url-host.ts';

/** What of a workspace's settings decides how far a flow reaches. Whatever does not count there (a folder without trust) is left out. */
export interface CapabilityScope {
  readonly commands: readonly (string | { readonly name: string; readonly args: readonly string[] })[];
  readonly writable: readonly string[];
  readonly http: { readonly allow_private: readonly string[] };
  readonly providers: Readonly<Record<string, { readonly base_url: string }>>;
  readonly mcp_servers: Readonly<Record<string, McpServer>>;
  readonly endpoints?: { readonly ynab?: string | undefined };
  /** Folders outside of the workspace that git works with there: of worktrees, submodules and shared object stores. */
  readonly git_places?: readonly string[];
  readonly readHost: ReadHost;
}

type McpServer = { readonly command: string; readonly args: readonly string[] } | { readonly url: string };

/** A capability before it is known who has it. */
export type Reach = Omit<Capability, 'nodes'>;

const anyFile = 'any file of this folder';
const readNote = 'except .env files';
const writeNote = 'except protected files: .git, .pravah, pravah.json, flows, and files that flows load code from';

/**
 * What one use of a tool can reach. `input` is what the author wrote for the call (templates unfilled); null where an agent or code makes
 * the calls, and so decides the input.
 */
export function toolReach(name: string, input: JsonObject | null, scope: CapabilityScope): Reach[] {
  const tool = parseToolReference(name);
  return tool.type === 'built_in' ? builtInReach(name, input, scope) : foreignReach(tool, scope);
}

function foreignReach(tool: Exclude<ToolReference, { type: 'built_in' }>, { mcp_servers }: CapabilityScope): Reach[] {
  switch (tool.type) {
    // What its nodes can is listed as that flow's own.
    case 'flow':
      return [];
    case 'file':
      return [{ kind: 'code', name: tool.path, note: ordinaryCode, harmless: false }];
    case 'mcp': {
      const server = Object.hasOwn(mcp_servers, tool.server) ? mcp_servers[tool.server] : undefined;
      const what = tool.tool === '*' ? 'all tools of this server' : undefined;
      return [
        { kind: 'mcp', name: `${tool.server}/${tool.tool}`, ...(what && { note: what }), harmless: false },
        ...(server ? [mcpServerReach(tool.server, server)] : []),
      ];
    }
  }
}

/** Note for code outside the sandbox. */
export const ordinaryCode = 'ordinary code of this folder: it can do whatever you can';

function mcpServerReach(name: string, server: McpServer): Reach {
  if ('url' in server) return { kind: 'mcp', name: `${name} at ${server.url}`, note: 'a server elsewhere', harmless: false };
  const line = [server.command, ...server.args].join(' ');
  return { kind: 'mcp', name: `${name} = ${line}`, note: 'a program that is started: it can do whatever you can', harmless: false };
}

function builtInReach(name: string, input: JsonObject | null, scope: CapabilityScope): Reach[] {
  const tool = (harmless: boolean): Reach => ({ kind: 'tool', name, harmless });
  switch (name) {
    case 'transform':
    case 'condition':
    case 'ask_user':
    case 'exit_loop':
      return [tool(true)];
    case 'read_file':
    case 'list_files':
    case 'search_files':
      return [tool(false), reads(literal(input, 'path'))];
    case 'write_file':
    case 'edit_file':
      return [tool(false), ...writes(literal(input, 'path'), scope)];
    case 'storage': {
      const path = literal(input, 'path');
      const action = literal(input, 'action') ?? (input && !('action' in input) ? 'read' : null);
      return [tool(false), ...(action === 'read' ? [] : writes(path, scope)), ...(action === 'write' ? [] : [reads(path)])];
    }
    case 'run_command':
      return [tool(false), ...commands(input, scope)];
    case 'http_request':
    case 'scrape_url':
      return [tool(false), ...hosts(input ? hostOf(input.url, scope.readHost) : anyHost, scope)];
    case 'alert':
      return [tool(false), ...hosts(input ? hostOf(input.webhook_url, scope.readHost) : anyHost, scope)];
    case 'ynab':
      return [
        tool(false),
        { kind: 'host', name: (scope.endpoints?.ynab && scope.readHost(scope.endpoints.ynab)) || 'api.ynab.com', harmless: false },
        { kind: 'secret', name: 'YNAB_API_TOKEN', note: 'sent only to the hosts that it was entered for', harmless: false },
      ];
    default:
      return [tool(false)];
  }
}

function reads(path: string | null): Reach {
  return { kind: 'read', name: path ?? anyFile, ...(path === null && { note: readNote }), harmless: false };
}

function writes(path: string | null, { writable }: CapabilityScope): Reach[] {
  if (path !== null) return [{ kind: 'write', name: path, harmless: false }];
  const listed = writable.map((pattern): Reach => ({ kind: 'write', name: pattern, note: 'protected; asks each time', harmless: false }));
  return [{ kind: 'write', name: anyFile, note: writeNote, harmless: false }, ...listed];
}

/** The very command where the author wrote it out, else all that `pravah.json` allows. */
function commands(input: JsonObject | null, scope: CapabilityScope): Reach[] {
  const name = literal(input, 'command');
  const args = input?.args ?? [];
  if (name !== null && Array.isArray(args) && args.every((arg) => typeof arg === 'string' && isLiteral(arg))) {
    return [{ kind: 'command', name: commandLine(name, args as readonly string[]), harmless: false }, ...gitPlaces([name], scope)];
  }
  const rules = scope.commands.filter((rule) => name === null || (typeof rule === 'string' ? rule : rule.name) === name);
  const programs = rules.map((rule) => (typeof rule === 'string' ? rule : rule.name));
  const lines = rules.map((rule): Reach => {
    if (typeof rule === 'string') return { kind: 'command', name: rule, note: 'anything that this program can do', harmless: false };
    return { kind: 'command', name: commandLine(rule.name, rule.args), harmless: false };
  });
  return [...lines, ...gitPlaces(programs, scope)];
}

function gitPlaces(programs: readonly string[], { git_places = [] }: CapabilityScope): Reach[] {
  if (!programs.includes('git')) return [];
  const note = 'outside of this folder: git reads and writes there, since its repository leads there';
  return git_places.map((name): Reach => ({ kind: 'write', name, note, harmless: false }));
}

function commandLine(name: string, args: readonly string[]): string {
  return [name, ...args.map((arg) => (/^[^\s"]+$/.test(arg) ? arg : JSON.stringify(arg)))].join(' ');
}

/** What `pravah.json` lists is reached without being named, if only by a redirect. */
function hosts(host: string | null, { http }: CapabilityScope): Reach[] {
  if (host === null) return [];
  const named: Reach = { kind: 'host', name: host, ...(host === anyHost && { note: 'any public host' }), harmless: false };
  const listed = http.allow_private.map((name): Reach => ({ kind: 'host', name, note: 'private, by pravah.json', harmless: false }));
  return [named, ...listed.filter(({ name }) => name !== host)];
}

/** A field's text where the author wrote it out; null where something decides it at run time. */
function literal(input: JsonObject | null, field: string): string | null {
  const value = input?.[field];
  return typeof value === 'string' && isLiteral(value) ? parseTemplate(value).join('') : null;
}

function isLiteral(text: string): boolean {
  return parseTemplate(text).every((part) => typeof part === 'string');
}

/** Names of the secrets that a value asks for, at any depth. */
export function secretsIn(value: Json): string[] {
  if (typeof value === 'string') return [...value.matchAll(secretPlaceholder)].map(([, name]) => name as string);
  if (Array.isArray(value)) return value.flatMap(secretsIn);
  return isJsonObject(value) ? Object.entries(value).flatMap(([key, item]) => [...secretsIn(key), ...secretsIn(item)]) : [];
}

/** `{secret:NAME}`, the placeholder of a secret. */
export const secretPlaceholder = /\{secret:([A-Za-z_][A-Za-z0-9_]*)\}/g;
