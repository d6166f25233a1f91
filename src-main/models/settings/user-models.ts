import { fileCipher } from '#main/models/keys/key-cipher.ts';
import { KeyStore, type StoredKey } from '#main/models/keys/key-store.ts';
import { sharedKeys } from '#main/models/keys/shared-keys.ts';
import { isSecretEntry, storedSecrets } from '#main/models/keys/stored-secrets.ts';
import type { StoredSecret } from '#main/workspace/secrets.ts';
import { readModelSettings } from './model-settings.ts';

/** The user's own settings that model clients use. */
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
 * Everything in the key store as known secrets, masked wherever they appear: secrets for tools, and models' keys under a name that identifies
 * the provider, which are never inserted into a tool's request.
 */
export function keysAsSecrets(keys: readonly StoredKey[]): StoredSecret[] {
  const ofModels = keys.filter((key) => !isSecretEntry(key));
  return [
    ...storedSecrets(keys),
    ...ofModels.map(({ provider, endpoint, key }) => ({ name: `${provider} at ${endpoint}`, value: key, hosts: [] })),
  ];
}
