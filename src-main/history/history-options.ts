import type { ForkOptions } from '#main/history/fork.ts';
import { keysAsSecrets, readUserModels } from '#main/models/settings/user-models.ts';
import type { PathScope } from '#main/tools/files/resolve-path.ts';
import { protectedFilesOf } from '#main/workspace/protected-files.ts';
import { readDotEnv, secretsOf } from '#main/workspace/secrets.ts';
import { loadSettings, type WorkspaceSettings } from '#main/workspace/settings.ts';
import { isTrusted } from '#main/workspace/trust.ts';

/** What going back in the runs of a folder needs to know of it. `folder` is a real path. Throws for a broken `pravah.json`. */
export async function historyOptions(folder: string): Promise<Required<Omit<ForkOptions, 'tools'>>> {
  const [settings, trusted] = await Promise.all([loadSettings(folder), isTrusted(folder)]);
  return { folder, settings, trusted, secrets: await secretsToMask(folder, settings) };
}

/** In what part of a folder files may be restored: where tools may write too, with the same protected names. The person who restores has agreed. */
export async function restoreScope(folder: string): Promise<PathScope> {
  const [settings, protected_files] = await Promise.all([loadSettings(folder), protectedFilesOf(folder)]);
  return { working_dir: folder, writable: settings.writable, protected_files, secrets: await secretsToMask(folder, settings) };
}

/**
 * Every secret that is known here, by name: what the user has stored, and also what stands in the `.env` of a folder that is not trusted,
 * which no run gets, since masking too much does no harm.
 */
export async function secretsToMask(folder: string, { providers, secrets }: WorkspaceSettings): Promise<Map<string, string>> {
  const named = Object.values(providers).flatMap(({ key }) => (key === undefined ? [] : [key]));
  const { keys } = await readUserModels();
  const stored = keysAsSecrets(keys).map(({ name, value }) => [name, value] as const);
  return new Map([...stored, ...secretsOf(await readDotEnv(folder), process.env, [...named, ...Object.keys(secrets)])]);
}
