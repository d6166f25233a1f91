import { getEnvironmentData, setEnvironmentData } from 'node:worker_threads';
import type { StoredKey } from '#main/models/keys/key-store.ts';

const name = 'pravah:model-keys';

/**
 * Hands stored keys to the threads that this one starts from now on. The desktop's keychain can be read in the process's first thread only, and
 * runs have threads of their own. They stay in this process's memory. Undefined: shares none.
 */
export function shareKeys(keys: readonly StoredKey[] | undefined): void {
  setEnvironmentData(name, keys as StoredKey[]);
}

/** The keys that the thread which started this one shares; undefined where it shares none, and they are read from the profile. */
export function sharedKeys(): readonly StoredKey[] | undefined {
  return getEnvironmentData(name) as unknown as readonly StoredKey[] | undefined;
}
