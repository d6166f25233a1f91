import type { CommandRule, Context } from '#main/engine/ports/context.ts';
import type { UserModels } from '#main/models/settings/user-models.ts';
import type { PythonOptions } from '#main/python/python-host.ts';
import type { WorkspaceSettings } from '#main/workspace/settings.ts';
import { FlowError } from '#shared/run/error.ts';
import type { ContextOptions } from './context-options.ts';

/** What a program allows with `settings`, `env_file` and `stored_keys`. */
export interface FolderRights {
  readonly settings: WorkspaceSettings | undefined;
  /** The user's stored settings; undefined if the program does not use them. */
  readonly user: UserModels | undefined;
  readonly commands: readonly CommandRule[];
  readonly writable: readonly string[];
  readonly allow_private: readonly string[];
  readonly approve: Context['approve'];
  readonly endpoints: Context['endpoints'];
  /** How the folder's Python is started. */
  readonly python: Omit<PythonOptions, 'folder'>;
  /** Values that must not enter a run, by name. */
  readonly secrets: ReadonlyMap<string, string>;
  readonly secret_hosts: ReadonlyMap<string, readonly string[]>;
}

const nothing: FolderRights = {
  settings: undefined,
  user: undefined,
  commands: [],
  writable: [],
  allow_private: [],
  approve: {},
  endpoints: undefined,
  python: {},
  secrets: new Map(),
  secret_hosts: new Map(),
};

/** Reads the folder's and the user's settings that the options allow. Loads code lazily. */
export async function folderRights(options: ContextOptions, folder: string | undefined): Promise<FolderRights> {
  const { settings, env_file = false, stored_keys = false } = options;
  if (settings === undefined && !env_file && !stored_keys) return nothing;
  if (folder === undefined && (settings === true || env_file)) {
    const option = settings === true ? 'settings: true' : 'env_file: true';
    throw new FlowError('BuildError', `${option} reads a file in the working folder. Add working_dir.`, { code: 'CONFIG_CONTEXT_INVALID' });
  }
  const [{ loadSettings, pythonOptions, settingsOf }, { readDotEnv, secretsOf }, policy, { keysAsSecrets, readUserModels }] =
    await Promise.all([
      import('#main/workspace/settings.ts'),
      import('#main/workspace/secrets.ts'),
      import('#main/workspace/settings-policy.ts'),
      import('#main/models/settings/user-models.ts'),
    ]);
  const ofFolder = settings === true;
  const read = ofFolder ? await loadSettings(folder as string) : settingsOf(settings ?? {}, 'createContext({ settings })');
  const dotEnv = env_file ? await readDotEnv(folder as string) : {};
  const user = stored_keys ? await readUserModels() : undefined;
  // A folder has fewer rights than the program: its endpoints and `approve: never` apply only if it is trusted.
  const relaxes = !ofFolder || options.trusted === true;
  const known = ofFolder ? dotEnv : { ...dotEnv, ...options.secrets };
  return {
    settings: read,
    user,
    commands: read.commands,
    writable: read.writable,
    allow_private: read.http.allow_private,
    approve: relaxes ? read.approve : policy.onlyStricter(read.approve),
    endpoints: relaxes ? policy.definedOnly(read.endpoints) : undefined,
    python: relaxes ? { ...pythonOptions(read), dotEnv } : {},
    secrets: new Map([
      ...keysAsSecrets(user?.keys ?? []).map(({ name, value }) => [name, value] as const),
      ...secretsOf(dotEnv, {}, [...policy.keysInSettings(read), ...Object.keys(read.secrets)]),
    ]),
    secret_hosts: new Map(policy.hostsInSettings(read, known)),
  };
}
