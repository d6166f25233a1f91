import { fileCipher } from '#main/models/keys/key-cipher.ts';
import { KeyStore, type StoredKey } from '#main/models/keys/key-store.ts';
import { sharedKeys } from '#main/models/keys/shared-keys.ts';
import { isSecretEntry, storedSecrets } from '#main/models/keys/stored-secrets.ts';
import { readModelSettings } from '#main/models/settings/model-settings.ts';
import type { StoredSecret } from '#main/workspace/secrets.ts';

/** What model clients may use of the user's own settings. */
export interface UserModels {
  readonly keys: readonly StoredKey[];
  readonly files: readonly string[];
  readonly services: Readonly<Record<string, { readonly base_url: string }>>;
}

export const noUserModels: UserModels = { keys: [], files: [], services: {} };

/** Reads the user's settings, for model clients of this thread. */
export async function readUserModels(): Promise<UserModels> {
  const { files, services } = await readModelSettings();
  return { keys: sharedKeys() ?? (await new KeyStore(fileCipher).keys()), files, services };
}

/**
 * Everything in the key store as known secrets, masked wherever it turns up: secrets for tools, and models' keys by a name that tells whose they are,
 * which are put into no tool's request.
 */
export function keysAsSecrets(keys: readonly StoredKey[]): StoredSecret[] {
  const ofModels = keys.filter((key) => !isSecretEntry(key));
  return [
    ...storedSecrets(keys),
    ...ofModels.map(({ provider, endpoint, key }) => ({ name: `${provider} at ${endpoint}`, value: key, hosts: [] })),
  ];
}
