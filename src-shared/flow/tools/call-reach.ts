import { parseTemplate } from '#shared/flow/template.ts';
import type { JsonObject } from '#shared/json.ts';
import type { Reach } from './reach.ts';
import { anyHost, type ReadHost } from './url-host.ts';

/** What of a workspace's settings decides how far a flow reaches. Whatever does not count there (a folder without trust) is left out. */
export interface CapabilityScope {
  readonly commands: readonly (string | { readonly name: string; readonly args: readonly string[] })[];
  readonly writable: readonly string[];
  readonly http: { readonly allow_private: readonly string[] };
  readonly providers: Readonly<Record<string, { readonly base_url?: string | undefined }>>;
  readonly mcp_servers: Readonly<Record<string, McpServer>>;
  readonly endpoints?: { readonly ynab?: string | undefined };
  /** Folders outside of the workspace that git works with there: of worktrees, submodules and shared object stores. */
  readonly git_places?: readonly string[];
  readonly readHost: ReadHost;
  /** Where an API of the folder's settings is, and the secret that it is called with; null for one that cannot be called. */
  readonly openApi?: (name: string) => { readonly host: string; readonly secret: string | null } | null;
}

export type McpServer = { readonly command: string; readonly args: readonly string[] } | { readonly url: string };

const anyFile = 'any file of this folder';
const readNote = 'except .env files';
const writeNote = 'except protected files: .git, .pravah, pravah.json, flows, and files that flows load code from';

/** Reads of a file; `null`: of any. */
export function reads(path: string | null): Reach {
  return { kind: 'read', name: path ?? anyFile, ...(path === null && { note: readNote }), harmless: false };
}

/** Writes of a file; `null`: of any. */
export function writes(path: string | null, { writable }: CapabilityScope): Reach[] {
  if (path !== null) return [{ kind: 'write', name: path, harmless: false }];
  const listed = writable.map((pattern): Reach => ({ kind: 'write', name: pattern, note: 'protected; asks each time', harmless: false }));
  return [{ kind: 'write', name: anyFile, note: writeNote, harmless: false }, ...listed];
}

/** The very command where the author wrote it out, else all that `pravah.json` allows. */
export function commands(input: JsonObject | null, scope: CapabilityScope): Reach[] {
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
export function hosts(host: string | null, { http }: CapabilityScope): Reach[] {
  if (host === null) return [];
  const named: Reach = { kind: 'host', name: host, ...(host === anyHost && { note: 'any public host' }), harmless: false };
  const listed = http.allow_private.map((name): Reach => ({ kind: 'host', name, note: 'private, by pravah.json', harmless: false }));
  return [named, ...listed.filter(({ name }) => name !== host)];
}

/** A field's text where the author wrote it out; null where something decides it at run time. */
export function literal(input: JsonObject | null, field: string): string | null {
  const value = input?.[field];
  return typeof value === 'string' && isLiteral(value) ? parseTemplate(value).join('') : null;
}

function isLiteral(text: string): boolean {
  return parseTemplate(text).every((part) => typeof part === 'string');
}
