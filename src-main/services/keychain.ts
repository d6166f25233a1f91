import { fileCipher, type KeyCipher } from '#main/models/keys/key-cipher.ts';
import { KeyStore } from '#main/models/keys/key-store.ts';
import { shareKeys } from '#main/models/keys/shared-keys.ts';

/** The system's keychain as provided by the host. */
export interface SystemKeychain {
  /** Whether it is available and secure. */
  isAvailable(): boolean;
  /** Encrypts a text; returns base64. */
  seal(text: string): string;
  unseal(sealed: string): string;
}

/** Encrypts keys with the system's keychain, or with a file in the profile if there is no keychain. */
export function cipherOf(keychain: SystemKeychain): KeyCipher {
  return {
    get protection() {
      return keychain.isAvailable() ? 'keychain' : fileCipher.protection;
    },
    seal: async (text) => (keychain.isAvailable() ? keychain.seal(text) : fileCipher.seal(text)),
    unseal: async (sealed) => (keychain.isAvailable() ? keychain.unseal(sealed) : fileCipher.unseal(sealed)),
  };
}

/** Gives run threads access to the keys in the keychain. */
export async function shareKeychain(keychain: SystemKeychain): Promise<void> {
  if (keychain.isAvailable()) shareKeys(await new KeyStore(cipherOf(keychain)).keys());
}
