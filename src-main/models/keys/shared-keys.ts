import { BroadcastChannel, getEnvironmentData, isMainThread, setEnvironmentData } from 'node:worker_threads';
import type { StoredKey } from './key-store.ts';

const name = 'pravah:model-keys';

/** Undefined: no keys are shared. */
type Shared = readonly StoredKey[] | undefined;

/** The keys shared since this thread started. */
let news: { readonly keys: Shared } | undefined;

/**
 * Shares stored keys with all current and future threads of this process. The desktop's keychain can be read only in the main thread, and runs
 * have their own threads. The keys stay in this process's memory. Undefined: shares none.
 */
export function shareKeys(keys: Shared): void {
  setEnvironmentData(name, keys as StoredKey[]);
  const channel = new BroadcastChannel(name);
  channel.postMessage({ keys });
  channel.close();
}

/** The keys shared by the main thread; undefined if it shares none, and they are read from the profile. */
export function sharedKeys(): Shared {
  // Set by `shareKeys` only; Node types it as what it was set to by anyone.
  const shared: unknown = getEnvironmentData(name);
  return news ? news.keys : (shared as Shared);
}

if (!isMainThread) {
  const channel = new BroadcastChannel(name);
  channel.onmessage = (message) => {
    news = (message as { readonly data: { readonly keys: Shared } }).data;
  };
  // Listening must not keep the thread alive.
  channel.unref();
}
