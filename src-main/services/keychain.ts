import { fileCipher, type KeyCipher } from '#main/models/keys/key-cipher.ts';
import { KeyStore } from '#main/models/keys/key-store.ts';
import { shareKeys } from '#main/models/keys/shared-keys.ts';

/** The system's keychain, as a host has it. */
export interface SystemKeychain {
  /** Whether it is there and protects anything. */
  isAvailable(): boolean;
  /** Seals a text, in base64. */
  seal(text: string): string;
  unseal(sealed: string): string;
}

/** Seals keys with the system's keychain, by a file in the profile where there is none. */
export function cipherOf(keychain: SystemKeychain): KeyCipher {
  return {
    get protection() {
      return keychain.isAvailable() ? 'keychain' : fileCipher.protection;
    },
    seal: async (text) => (keychain.isAvailable() ? keychain.seal(text) : fileCipher.seal(text)),
    unseal: async (sealed) => (keychain.isAvailable() ? keychain.unseal(sealed) : fileCipher.unseal(sealed)),
  };
}

/** Lets runs, which have threads of their own, use the keys in the keychain. */
export async function shareKeychain(keychain: SystemKeychain): Promise<void> {
  if (keychain.isAvailable()) shareKeys(await new KeyStore(cipherOf(keychain)).keys());
}
