/** The seed of a step's random numbers: the same whenever the step is run, another one for every step of every run. */
export function seedOf(runId: string, step: string): number {
  let hash = 0x811c9dc5;
  for (const character of `${runId}/${step}`) hash = Math.imul(hash ^ character.charCodeAt(0), 0x01000193);
  return hash >>> 0;
}

/** Numbers in [0, 1) from a 32-bit seed (mulberry32, by Tommy Ettinger, public domain): the same ones for the same seed. */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000;
  };
}
