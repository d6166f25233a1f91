/** The last change of each place that is under way. */
const underWay = new Map<string, Promise<unknown>>();

/**
 * Changes a file when all changes of it that were begun before in this thread are through: an agent's calls of one turn are made at the same time, and two of them
 * may edit one file. Each then finds what the one before it has left. `place` is the file's real path, or what else two changes must not meet at.
 */
export async function oneChangeAtATime<Result>(place: string, change: () => Promise<Result>): Promise<Result> {
  const before = underWay.get(place) ?? Promise.resolve();
  const mine = before.then(change, change);
  underWay.set(place, mine);
  try {
    return await mine;
  } finally {
    if (underWay.get(place) === mine) underWay.delete(place);
  }
}
