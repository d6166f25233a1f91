import { fileCipher } from '#main/models/keys/key-cipher.ts';
import { KeyStore, type StoredKey } from '#main/models/keys/key-store.ts';
import { readModelSettings } from '#main/models/settings/model-settings.ts';

/** What model clients may use of the user's own settings. */
export interface UserModels {
  readonly keys: readonly StoredKey[];
  readonly files: readonly string[];
  readonly services: Readonly<Record<string, { readonly base_url: string }>>;
}

export const noUserModels: UserModels = { keys: [], files: [], services: {} };

/** Reads the user's settings. `keys` are those that the host has read already, where only it can. */
export async function readUserModels(keys?: readonly StoredKey[]): Promise<UserModels> {
  const { files, services } = await readModelSettings();
  return { keys: keys ?? (await new KeyStore(fileCipher).keys()), files, services };
}

/** The keys as known secrets, by a name that tells whose they are: they are masked wherever they turn up. */
export function keysAsSecrets(keys: readonly StoredKey[]): (readonly [string, string])[] {
  return keys.map(({ provider, endpoint, key }) => [`${provider} at ${endpoint}`, key]);
}
