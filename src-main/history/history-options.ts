import type { ForkOptions } from '#main/history/fork.ts';
import { readDotEnv, secretsOf } from '#main/workspace/secrets.ts';
import { loadSettings, type WorkspaceSettings } from '#main/workspace/settings.ts';
import { isTrusted } from '#main/workspace/trust.ts';

/** What going back in the runs of a folder needs to know of it. `folder` is a real path. Throws for a broken `pravah.json`. */
export async function historyOptions(folder: string): Promise<Required<Omit<ForkOptions, 'tools'>>> {
  const [settings, trusted] = await Promise.all([loadSettings(folder), isTrusted(folder)]);
  return { folder, settings, trusted, secrets: await secretsToMask(folder, settings) };
}

/**
 * Every secret that is known here, by name: also those in the `.env` of a folder that is not trusted, which no run gets, since masking too much does no harm.
 */
export async function secretsToMask(folder: string, { providers }: WorkspaceSettings): Promise<Map<string, string>> {
  const named = Object.values(providers).flatMap(({ key }) => (key === undefined ? [] : [key]));
  return secretsOf(await readDotEnv(folder), process.env, named);
}
