import { safeStorage } from 'electron';
import type { SystemKeychain } from '#main/services/keychain.ts';

/** Without a keychain on Linux, Chromium uses a fixed password, which protects nothing. */
const noKeychain: readonly string[] = ['basic_text', 'unknown'];

/** The keychain through Electron, usable once the application is ready. An unknown backend counts as no keychain. */
export const electronKeychain: SystemKeychain = {
  isAvailable() {
    if (!safeStorage.isEncryptionAvailable()) return false;
    return process.platform !== 'linux' || !noKeychain.includes(safeStorage.getSelectedStorageBackend?.() ?? 'unknown');
  },
  seal: (text) => safeStorage.encryptString(text).toString('base64'),
  unseal: (sealed) => safeStorage.decryptString(Buffer.from(sealed, 'base64')),
};
