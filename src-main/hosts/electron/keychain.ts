import { safeStorage } from 'electron';
import type { SystemKeychain } from '#main/services/keychain.ts';

/** Where there is no keychain on Linux, Chromium makes do with a fixed password, which protects nothing. */
const noKeychain: readonly string[] = ['basic_text', 'unknown'];

/** The keychain by way of Electron, to be used once the application is ready. One that cannot be named counts as none. */
export const electronKeychain: SystemKeychain = {
  isAvailable() {
    if (!safeStorage.isEncryptionAvailable()) return false;
    return process.platform !== 'linux' || !noKeychain.includes(safeStorage.getSelectedStorageBackend?.() ?? 'unknown');
  },
  seal: (text) => safeStorage.encryptString(text).toString('base64'),
  unseal: (sealed) => safeStorage.decryptString(Buffer.from(sealed, 'base64')),
};
