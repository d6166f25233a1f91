import { BroadcastChannel, getEnvironmentData, isMainThread, setEnvironmentData } from 'node:worker_threads';
import type { StoredKey } from '#main/models/keys/key-store.ts';

const name = 'pravah:model-keys';

/** Undefined: none are shared. */
type Shared = readonly StoredKey[] | undefined;

/** What was shared since this thread began. */
let news: { readonly keys: Shared } | undefined;

/**
 * Hands stored keys to the threads of this process, to those that it starts from now on and to those that run. The desktop's keychain can be read in the
 * first thread only, and runs have threads of their own. They stay in this process's memory. Undefined: shares none.
 */
export function shareKeys(keys: Shared): void {
  setEnvironmentData(name, keys as StoredKey[]);
  const channel = new BroadcastChannel(name);
  channel.postMessage({ keys });
  channel.close();
}

/** The keys that the process's first thread shares; undefined where it shares none, and they are read from the profile. */
export function sharedKeys(): Shared {
  return news ? news.keys : (getEnvironmentData(name) as unknown as Shared);
}

if (!isMainThread) {
  const channel = new BroadcastChannel(name);
  channel.onmessage = (message) => {
    news = (message as { readonly data: { readonly keys: Shared } }).data;
  };
  // Listening keeps no thread from ending.
  channel.unref();
}
