import { keysAsSecrets, readUserModels } from '#main/models/settings/user-models.ts';
import type { PathScope } from '#main/platform/files/resolve-path.ts';
import { protectedFilesOf } from '#main/workspace/protected-files.ts';
import { readDotEnv, secretsOf } from '#main/workspace/secrets.ts';
import { loadSettings, type WorkspaceSettings } from '#main/workspace/settings.ts';
import { isTrusted } from '#main/workspace/trust.ts';
import type { ForkOptions } from './fork.ts';

/** Returns the folder options for time travel. `folder` is a real path. Throws for an invalid `pravah.json`. */
export async function historyOptions(folder: string): Promise<Required<Omit<ForkOptions, 'tools' | 'overlay' | 'codeFlow'>>> {
  const [settings, trusted] = await Promise.all([loadSettings(folder), isTrusted(folder)]);
  return { folder, settings, trusted, secrets: await secretsToMask(folder, settings) };
}

/** Returns where files may be restored: the same paths that tools may write, with the same protected names. Restoring is the user's own decision. */
export async function restoreScope(folder: string): Promise<PathScope> {
  const [settings, protected_files] = await Promise.all([loadSettings(folder), protectedFilesOf(folder)]);
  return { working_dir: folder, writable: settings.writable, protected_files, secrets: await secretsToMask(folder, settings) };
}

/**
 * Returns every known secret by name: the stored ones, and also those in the `.env` of an untrusted folder,
 * which no run receives, since masking too much does no harm.
 */
export async function secretsToMask(folder: string, { providers, secrets }: WorkspaceSettings): Promise<Map<string, string>> {
  const named = Object.values(providers).flatMap(({ key }) => (key === undefined ? [] : [key]));
  const { keys } = await readUserModels();
  const stored = keysAsSecrets(keys).map(({ name, value }) => [name, value] as const);
  return new Map([...stored, ...secretsOf(await readDotEnv(folder), process.env, [...named, ...Object.keys(secrets)])]);
}
