import { safeStorage } from 'electron';
import { fileCipher, type KeyCipher } from '#main/models/keys/key-cipher.ts';
import { KeyStore } from '#main/models/keys/key-store.ts';
import { shareKeys } from '#main/models/keys/shared-keys.ts';

/** Where there is no keychain on Linux, Chromium makes do with a fixed password, which protects nothing. */
const noKeychain: readonly string[] = ['basic_text', 'unknown'];

/** Whether the system has a keychain that protects anything. An Electron that cannot say which one it uses counts as one without. */
function hasKeychain(): boolean {
  if (!safeStorage.isEncryptionAvailable()) return false;
  return process.platform !== 'linux' || !noKeychain.includes(safeStorage.getSelectedStorageBackend?.() ?? 'unknown');
}

/** Seals keys with the system's keychain, by a file in the profile where there is none. To be used once the application is ready. */
export const keychainCipher: KeyCipher = {
  get protection() {
    return hasKeychain() ? 'keychain' : fileCipher.protection;
  },
  seal: async (text) => (hasKeychain() ? safeStorage.encryptString(text).toString('base64') : fileCipher.seal(text)),
  unseal: async (sealed) => (hasKeychain() ? safeStorage.decryptString(Buffer.from(sealed, 'base64')) : fileCipher.unseal(sealed)),
};

/** Lets runs, which have threads of their own, use the keys in the keychain. */
export async function shareKeychain(): Promise<void> {
  if (hasKeychain()) shareKeys(await new KeyStore(keychainCipher).keys());
}
