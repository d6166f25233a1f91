import { randomUUID } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { agentLoop } from '#main/agents/agent-loop.ts';
import type { Context } from '#main/engine/ports/context.ts';
import type { Tool } from '#main/engine/ports/tool.ts';
import type { RunContext } from '#main/engine/step/run-context.ts';
import { servicesOf } from '#main/engine/values/services.ts';
import { startPython } from '#main/python/start-python.ts';
import { sandboxBodies } from '#main/sandbox/sandbox-bodies.ts';
import { sessionAgents, sessionBodies } from '#main/session/session-bodies.ts';
import { codeBodies } from '#main/workspace-code/code-bodies.ts';
import { codeProcess } from '#main/workspace-code/start-code-process.ts';
import { type BuiltInToolName, builtInToolFacts, toolNames } from '#shared/flow/tools/built-in-tools.ts';
import { FlowError } from '#shared/run/error.ts';
import type { ContextOptions } from './context-options.ts';
import { type FolderRights, folderRights } from './folder-rights.ts';
import { listenerOf } from './listener-of.ts';
import { memoryConversations } from './memory-conversations.ts';
import { programModels } from './program-models.ts';

/**
 * Creates the context for a program's runs. It allows only what the options name: a working folder alone registers no tool, command or key.
 * The program itself is trusted; its folder is not, unless `trusted`. Throws `FlowError` for invalid options (`CONFIG_CONTEXT_INVALID`), a
 * missing folder (`CONFIG_FOLDER_MISSING`) and invalid settings.
 */
export function createContext<Services extends object>(
  options: Omit<ContextOptions, 'services'> & { readonly services: Services },
): Promise<Context & { readonly services: Services }>;
export function createContext(options?: ContextOptions): Promise<Context>;
export async function createContext(options: ContextOptions = {}): Promise<Context> {
  const { commands = [], writable = [], allow_hosts = [], allow_private = [], tools = [], services = {}, trusted = false } = options;
  const folder = options.working_dir === undefined ? undefined : realFolder(options.working_dir);
  const rights = await folderRights(options, folder);
  const scope = { allow_hosts, allow_private: [...rights.allow_private, ...allow_private] };
  const built = await builtIn(options.builtin ?? [], folder);
  const context: RunContext = {
    working_dir: folder ?? process.cwd(),
    commands: [...rights.commands, ...commands],
    writable: [...rights.writable, ...writable],
    ...scope,
    ...(rights.endpoints && { endpoints: rights.endpoints }),
    approve: { ...rights.approve, ...options.approve },
    protected_files: new Set(),
    trusted,
    from_program: true,
    ...secretsFor(options, rights),
    tools: new Map([...built, ...tools.map((tool) => [tool.name, tool] as const)]),
    builtIn: new Set(built.map(([, tool]) => tool)),
    tool_aliases: new Map(tools.filter(isPlain).map(({ name }) => [`./tools/${name}.ts`, name])),
    models: programModels(options, { folder: folder ?? process.cwd(), scope, rights }),
    signal: options.signal ?? new AbortController().signal,
    clock: options.clock ?? Date,
    newId: options.newId ?? randomUUID,
    ...listenerOf(options),
    ...(options.onAhead && { onAhead: options.onAhead }),
    onListenerError: options.onListenerError,
    onSuspend: options.onSuspend,
    ...(options.telemetry && { telemetry: options.telemetry }),
    services: servicesOf(services),
    grammars: async (name) => (await import('#main/platform/files/named-grammars.ts')).namedGrammars(folder, options.grammars)(name),
    prices: () => rights.settings?.prices ?? {},
    conversations: options.conversations ?? memoryConversations(),
    agentLoop,
    sandboxBodies,
    codeBodies,
    sessionBodies,
    sessionAgents,
    codeProcess,
    ...(trusted && folder !== undefined && { python: startPython({ folder, ...rights.python }) }),
  };
  return context;
}

/** Renames a tool. Only plain objects, as created by `defineTool`, can be copied: others may lack what their methods need. */
function isPlain(tool: Tool): boolean {
  return Object.getPrototypeOf(tool) === Object.prototype;
}

function realFolder(path: string): string {
  try {
    return realpathSync(path);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new FlowError('BuildError', `Cannot open working_dir: ${reason}.`, { code: 'CONFIG_FOLDER_MISSING' });
  }
}

async function builtIn(names: readonly BuiltInToolName[], folder: string | undefined): Promise<[string, Tool][]> {
  if (names.length === 0) return [];
  const unknown = names.find((name) => !toolNames.has(name));
  if (unknown !== undefined) throw unusable(`Unknown built-in tool ${unknown} in builtin. Available tools: ${[...toolNames].join(', ')}.`);
  const homeless = names.find((name) => folder === undefined && builtInToolFacts[name].folder);
  if (homeless !== undefined) throw unusable(`Tool ${homeless} needs a folder. Add working_dir.`);
  const { builtInTools } = await import('#main/tools/catalogue.ts');
  return names.map((name) => [name, builtInTools().get(name) as Tool]);
}

/** Values that must not enter a run: the program's secrets and keys, and those of the folder and the user that it allows. */
function secretsFor({ secrets = {}, keys = {} }: ContextOptions, rights: FolderRights): Pick<Context, 'secrets' | 'secret_hosts'> {
  const passedKeys = typeof keys === 'function' ? [] : Object.entries(keys).map(([provider, key]) => [`key of ${provider}`, key] as const);
  return { secrets: new Map([...rights.secrets, ...passedKeys, ...Object.entries(secrets)]), secret_hosts: rights.secret_hosts };
}

function unusable(message: string): FlowError {
  return new FlowError('BuildError', message, { code: 'CONFIG_CONTEXT_INVALID' });
}
