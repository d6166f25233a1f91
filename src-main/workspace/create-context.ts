import { existsSync, realpathSync } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { agentLoop } from '#main/agents/agent-loop.ts';
import type { Clock, CommandRule, Context } from '#main/engine/ports/context.ts';
import type { ModelClients } from '#main/engine/ports/model-client.ts';
import type { Tool } from '#main/engine/ports/tool.ts';
import type { RunContext } from '#main/engine/step/run-context.ts';
import { servicesOf } from '#main/engine/values/services.ts';
import { namedGrammars } from '#main/platform/files/named-grammars.ts';
import { uuidV7 } from '#main/platform/uuid-v7.ts';
import { startPython } from '#main/python/start-python.ts';
import { sandboxBodies } from '#main/sandbox/sandbox-bodies.ts';
import { sessionAgents, sessionBodies } from '#main/session/session-bodies.ts';
import { builtInTools } from '#main/tools/catalogue.ts';
import { codeBodies } from '#main/workspace-code/code-bodies.ts';
import { codeProcess } from '#main/workspace-code/start-code-process.ts';
import { FlowError } from '#shared/run/error.ts';
import type { RunEvent } from '#shared/run/event.ts';
import { protectedFilesOf } from './protected-files.ts';
import { projectFile } from './pyflow-project.ts';
import { readDotEnv, type StoredSecret, secretsOf } from './secrets.ts';
import { loadSettings, pythonOptions, type WorkspaceSettings } from './settings.ts';
import { definedOnly, hostsInSettings, keysInSettings, onlyStricter, tokensInSettings } from './settings-policy.ts';
import { isTrusted } from './trust.ts';

export interface ContextOptions {
  /** The workspace. */
  readonly folder: string;
  readonly models: ModelClients;
  /** Default: the folder's trust in the profile. */
  readonly trusted?: boolean;
  /**
   * True when the user started this very run by name (`pravah run`): the commands that `pravah.json` lists are then allowed without trust
   * in the folder.
   */
  readonly consented?: boolean;
  /** Commands and hosts that the user allowed for this run, in addition to those of `pravah.json`. */
  readonly allow_commands?: readonly CommandRule[];
  readonly allow_hosts?: readonly string[];
  /** Real paths that no tool may write, in addition to the files from which the folder's flows load code. */
  readonly protected_files?: Iterable<string>;
  /** The user's stored secrets with their hosts. Sent only in a trusted folder, masked in any folder. */
  readonly stored_secrets?: readonly StoredSecret[];
  /** Tools in addition to the built-in ones. */
  readonly tools?: readonly Tool[];
  readonly signal?: AbortSignal;
  readonly clock?: Clock;
  readonly newId?: () => string;
  readonly onEvent?: (event: RunEvent) => void;
  readonly services?: Readonly<Record<string, unknown>>;
  /** What models cost. Default: the prices of `pravah.json`. */
  readonly prices?: Context['prices'];
  /** Default: read from the folder. */
  readonly settings?: WorkspaceSettings;
}

/**
 * Creates the context of a run in a folder from its `pravah.json`, its `.env`, the user's trust and these options. Throws `FlowError`
 * `BuildError` for a path that is not a folder and for an invalid `pravah.json`.
 */
export async function createContext(options: ContextOptions): Promise<RunContext> {
  const folder = await realFolder(options.folder);
  const settings = options.settings ?? (await loadSettings(folder));
  const trusted = options.trusted ?? (await isTrusted(folder));
  const mayRunCommands = trusted || options.consented === true;
  const dotEnv = trusted ? await readDotEnv(folder) : {};
  const stored = trusted ? (options.stored_secrets ?? []) : [];
  const known = secretsOf(dotEnv, process.env, [...keysInSettings(settings), ...Object.keys(settings.secrets)]);
  // The tokens of APIs may be variables of this process, as in PyFlow. A stranger's folder gets none of them.
  const tokens = trusted
    ? tokensInSettings(settings).flatMap((name) => (process.env[name] ? [[name, process.env[name]] as const] : []))
    : [];
  const secrets = new Map([...tokens, ...(options.stored_secrets ?? []).map(({ name, value }) => [name, value] as const), ...known]);
  return {
    working_dir: folder,
    commands: [...(mayRunCommands ? settings.commands : []), ...(options.allow_commands ?? [])],
    writable: trusted || options.consented ? settings.writable : [],
    allow_hosts: options.allow_hosts ?? [],
    allow_private: trusted || options.consented ? settings.http.allow_private : [],
    ...(trusted && { endpoints: definedOnly(settings.endpoints) }),
    approve: trusted ? settings.approve : onlyStricter(settings.approve),
    protected_files: new Set([...(await protectedFilesOf(folder)), ...apiDocuments(folder, settings), ...(options.protected_files ?? [])]),
    trusted,
    secrets,
    secret_hosts: new Map([...hostsOfStored(stored), ...(trusted ? hostsInSettings(settings, dotEnv) : [])]),
    tools: withBuiltIn(options.tools ?? []),
    models: options.models,
    signal: options.signal ?? new AbortController().signal,
    clock: options.clock ?? { now: () => Date.now() },
    newId: options.newId ?? uuidV7,
    onEvent: options.onEvent,
    services: servicesOf(options.services ?? {}),
    grammars: namedGrammars(folder),
    prices: options.prices ?? (() => settings.prices),
    timezone: process.env.PYFLOW_TIMEZONE || settings.timezone,
    agentLoop,
    sandboxBodies,
    codeBodies,
    sessionBodies,
    sessionAgents,
    codeProcess,
    ...(trusted && { python: startPython({ folder, ...pythonOptions(settings), dotEnv }) }),
  };
}

/** Files that decide where the tokens of APIs are sent. */
function apiDocuments(folder: string, { openapi_tools }: WorkspaceSettings): string[] {
  return [projectFile, ...Object.values(openapi_tools).map(({ spec }) => spec)].map((path) => {
    const file = resolve(folder, path);
    return existsSync(file) ? realpathSync.native(file) : file;
  });
}

async function realFolder(folder: string): Promise<string> {
  try {
    const path = await realpath(folder);
    if ((await stat(path)).isDirectory()) return path;
  } catch {
    // Reported by the error below.
  }
  throw new FlowError('BuildError', `Can't open ${folder}: it is not a folder.`, { code: 'CONFIG_FOLDER_MISSING' });
}

function hostsOfStored(stored: readonly StoredSecret[]) {
  return stored.map(({ name, hosts }) => [name, hosts] as const);
}

function withBuiltIn(tools: readonly Tool[]): ReadonlyMap<string, Tool> {
  return new Map([...builtInTools(), ...tools.map((tool) => [tool.name, tool] as const)]);
}
