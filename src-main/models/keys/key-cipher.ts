import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { link, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeProfileFolder } from '#main/platform/profile.ts';
import { FlowError } from '#shared/run/error.ts';

/** How stored keys are protected: by the system's keychain, or by a file readable only by its owner. */
export type KeyProtection = 'keychain' | 'file';

/** Encrypts text stored in the profile. */
export interface KeyCipher {
  readonly protection: KeyProtection;
  readonly seal: (text: string) => Promise<string>;
  /** Throws for text that was encrypted elsewhere or changed. */
  readonly unseal: (sealed: string) => Promise<string>;
}

const algorithm = 'aes-256-gcm';
const keyLength = 32;
const nonceLength = 12;
const tagLength = 16;

/**
 * AES-256-GCM with a random key in the profile (`keys.secret`, readable only by its owner). It keeps stored keys out of sight and out of
 * backups of single files. It does not protect them from programs that can read all of the user's files.
 */
export const fileCipher: KeyCipher = {
  protection: 'file',
  async seal(text) {
    const nonce = randomBytes(nonceLength);
    const cipher = createCipheriv(algorithm, await profileKey(), nonce);
    const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64');
  },
  async unseal(text) {
    const bytes = Buffer.from(text, 'base64');
    const decipher = createDecipheriv(algorithm, await profileKey(), bytes.subarray(0, nonceLength));
    decipher.setAuthTag(bytes.subarray(nonceLength, nonceLength + tagLength));
    return Buffer.concat([decipher.update(bytes.subarray(nonceLength + tagLength)), decipher.final()]).toString('utf8');
  },
};

/** The profile's key, created on first use. If two processes create one at once, the first one wins. */
async function profileKey(): Promise<Buffer> {
  const folder = await makeProfileFolder();
  const path = join(folder, 'keys.secret');
  const known = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  const key = known ?? (await makeKey(folder, path));
  if (key.length !== keyLength) throw new FlowError('Invalid', `${path} is corrupt. Remove it and enter your keys again.`);
  return key;
}

/** Writes the key completely before linking it to its name, which succeeds only for the first process. */
async function makeKey(folder: string, path: string): Promise<Buffer> {
  const temporary = join(folder, `.keys-${randomBytes(9).toString('base64url')}.tmp`);
  await writeFile(temporary, randomBytes(keyLength), { mode: 0o600, flag: 'wx', flush: true });
  try {
    await link(temporary, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    await rm(temporary, { force: true });
  }
  return readFile(path);
}
