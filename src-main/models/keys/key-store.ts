import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { makeProfileFolder, profileFolder } from '#main/platform/profile.ts';
import { replaceFile } from '#main/platform/replace-file.ts';
import { FlowError } from '#shared/run/error.ts';
import { endpointAddress } from './endpoint-address.ts';
import { fileCipher, type KeyCipher, type KeyProtection } from './key-cipher.ts';

/** A key and the only endpoint that it may be sent to. */
export interface StoredKey {
  /** A hosted provider (`providers.ts`), or the name of a service of `genai://`. */
  readonly provider: string;
  readonly endpoint: string;
  readonly key: string;
}

/** The public part of a stored key. */
export interface KeyEntry {
  readonly provider: string;
  readonly endpoint: string;
  readonly protection: KeyProtection;
  /** When it was entered, in milliseconds since 1970. */
  readonly set_at: number;
}

const entrySchema = z.object({
  provider: z.string(),
  endpoint: z.string(),
  protection: z.enum(['keychain', 'file']),
  set_at: z.number(),
  /** `{provider, endpoint, key}`, encrypted: if the entry's plain endpoint differs, the key is not used. */
  sealed: z.string(),
});
const fileSchema = z.object({ entries: z.array(entrySchema) });
const contentSchema = z.object({ provider: z.string(), endpoint: z.string(), key: z.string() });
type Entry = z.infer<typeof entrySchema>;

/** Whether a stored entry is a model's. Those of secrets and servers have a colon in their names, which no provider has. */
export function isModelKey({ provider }: { readonly provider: string }): boolean {
  return !provider.includes(':');
}

/** Characters that keys must not contain: a line break or another control character would end the header that the key is sent in. */
const unsendable = /[^\x21-\x7e]/;

/** The user's keys, encrypted in the profile (`keys.json`). */
export class KeyStore {
  readonly #cipher: KeyCipher;

  constructor(cipher: KeyCipher) {
    this.#cipher = cipher;
  }

  get protection(): KeyProtection {
    return this.#cipher.protection;
  }

  /** Lists the stored entries without the keys. */
  async list(): Promise<KeyEntry[]> {
    return (await readEntries()).map(({ provider, endpoint, protection, set_at }) => ({ provider, endpoint, protection, set_at }));
  }

  /** Stores a key, replacing an earlier one for the same provider and endpoint. Throws `Invalid` for an invalid key; the message never contains it. */
  async set({ provider, endpoint, key }: StoredKey, now: number): Promise<void> {
    const text = key.trim();
    if (text === '' || unsendable.test(text))
      throw new FlowError('Invalid', 'Invalid key: it is empty or contains whitespace or unsupported characters.');
    const address = endpointAddress(endpoint);
    const sealed = await this.#cipher.seal(JSON.stringify({ provider, endpoint: address, key: text } satisfies StoredKey));
    const { protection } = this.#cipher;
    const others = (await readEntries()).filter((entry) => !isFor(entry, provider, address) || entry.protection !== protection);
    await writeEntries([...others, { provider, endpoint: address, protection, set_at: now, sealed }]);
  }

  /** Removes a key, however it was protected. Returns whether there was one. */
  async remove(provider: string, endpoint: string): Promise<boolean> {
    const entries = await readEntries();
    const kept = entries.filter((entry) => !isFor(entry, provider, endpointAddress(endpoint)));
    if (kept.length < entries.length) await writeEntries(kept);
    return kept.length < entries.length;
  }

  /**
   * Returns the keys that can be decrypted here, those with this store's own protection first. Keys in another host's keychain, and keys whose
   * entry was changed, are skipped.
   */
  async keys(): Promise<StoredKey[]> {
    const keys = await Promise.all((await readEntries()).map(async (entry) => ({ entry, key: await this.#unsealed(entry) })));
    const isOwn = ({ entry }: (typeof keys)[number]) => Number(entry.protection === this.#cipher.protection);
    return keys.sort((one, other) => isOwn(other) - isOwn(one)).flatMap(({ key }) => (key ? [key] : []));
  }

  async #unsealed(entry: Entry): Promise<StoredKey | null> {
    const cipher = [this.#cipher, fileCipher].find(({ protection }) => protection === entry.protection);
    if (!cipher) return null;
    try {
      const content = contentSchema.parse(JSON.parse(await cipher.unseal(entry.sealed)));
      return isFor(entry, content.provider, content.endpoint) ? content : null;
    } catch {
      return null;
    }
  }
}

const isFor = (entry: Entry, provider: string, address: string) => entry.provider === provider && entry.endpoint === address;

async function readEntries(): Promise<Entry[]> {
  const path = join(profileFolder(), 'keys.json');
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '{"entries":[]}';
    throw error;
  });
  try {
    return fileSchema.parse(JSON.parse(text)).entries;
  } catch {
    throw new FlowError('Invalid', `${path} is corrupt, so stored keys cannot be read. Remove the file and enter your keys again.`);
  }
}

async function writeEntries(entries: readonly Entry[]): Promise<void> {
  await replaceFile(join(await makeProfileFolder(), 'keys.json'), `${JSON.stringify({ entries }, null, 2)}\n`, { mode: 0o600 });
}
