/** The last pending change by key. */
const pending = new Map<string, Promise<unknown>>();

/**
 * Runs a change after all earlier changes with the same key in this thread. An agent's tool calls of one turn run concurrently, and two of
 * them may edit the same file; each then sees the result of the one before. `key` is the file's real path, or another name of what changes.
 */
export async function serializeChanges<Result>(key: string, change: () => Promise<Result>): Promise<Result> {
  const before = pending.get(key) ?? Promise.resolve();
  const mine = before.then(change, change);
  pending.set(key, mine);
  try {
    return await mine;
  } finally {
    if (pending.get(key) === mine) pending.delete(key);
  }
}
