import { randomUUID } from 'node:crypto';
import { realpathSync } from 'node:fs';
import type { ModelClients } from '#main/models/model-client.ts';
import type { Clock, CommandRule, Context } from '#main/runtime/context.ts';
import type { Tool } from '#main/tools/tool.ts';
import type { RunEvent } from '#shared/runtime/event.ts';

/** What a run may touch of the world. Everything has a default that allows nothing. */
export interface ContextOptions {
  /** The folder in which the built-in tools work. Without one there are none of them. */
  readonly working_dir?: string;
  /** Commands that `run_command` may run: names, or names with patterns for their arguments. */
  readonly commands?: readonly CommandRule[];
  /** Public hosts that `http_request` may reach, besides the flow's models. */
  readonly allow_hosts?: readonly string[];
  /** Tools besides the built-in ones. A flow names `crm` in `defineFlow({ tools: ['crm'] })`, or calls it as a workspace does: `./tools/crm.ts`. */
  readonly tools?: readonly Tool[];
  /** Values that never enter a state, an event or a log, by the name under which tools get them as `{secret:NAME}`. */
  readonly secrets?: Readonly<Record<string, string>>;
  /** Where agents' models come from. Default: those that this package knows, of the working folder. */
  readonly models?: ModelClients;
  readonly signal?: AbortSignal;
  readonly clock?: Clock;
  /** Receives events as they happen; without it none is built. */
  readonly onEvent?: (event: RunEvent) => void;
  /** Values for handlers (`ctx.services`), by key. */
  readonly services?: Readonly<Record<string, unknown>>;
}

/**
 * The context of a run of a code-first flow. The caller is trusted, as its own code is: policies in a folder's `pravah.json` are the studio's and the
 * command line's. Tools and models are loaded only where there is a working folder. Rejects when that folder is not there.
 */
export async function createContext(options: ContextOptions = {}): Promise<Context> {
  const { working_dir, commands = [], allow_hosts = [], tools = [], secrets = {}, services = {} } = options;
  const folder = working_dir === undefined ? undefined : realpathSync(working_dir);
  const builtIn = folder === undefined ? [] : (await import('#main/tools/catalogue.ts')).builtInTools();
  return {
    working_dir: folder ?? process.cwd(),
    commands,
    writable: [],
    allow_hosts,
    allow_private: [],
    approve: {},
    protected_files: new Set(),
    trusted: true,
    secrets: new Map(Object.entries(secrets)),
    tools: new Map([...builtIn, ...tools.flatMap(underItsNames)]),
    models: options.models ?? (await modelsOf(folder)),
    signal: options.signal ?? new AbortController().signal,
    clock: options.clock ?? Date,
    newId: randomUUID,
    onEvent: options.onEvent,
    services,
  };
}

/** A tool is called by its name; one made by `defineTool` also by the path that it has in a workspace, so that a flow that names that runs here too. */
function underItsNames(tool: Tool): [string, Tool][] {
  const path = `./tools/${tool.name}.ts`;
  const plain = Object.getPrototypeOf(tool) === Object.prototype;
  return plain
    ? [
        [tool.name, tool],
        [path, { ...tool, name: path }],
      ]
    : [[tool.name, tool]];
}

async function modelsOf(folder: string | undefined): Promise<ModelClients> {
  if (folder !== undefined) return (await import('#main/models/model-clients.ts')).createModelClients({ folder });
  return () => {
    throw new Error('This context has no models. Give it a working_dir, or models of your own.');
  };
}
