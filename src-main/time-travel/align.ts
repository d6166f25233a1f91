/** One line of an alignment: the positions in both sequences; null if only the other has an element. */
export type AlignedPair = readonly [first: number | null, second: number | null];

/** Maximum number of insertions and deletions; beyond it, the rest is left unaligned. */
const mostEdits = 2000;

/**
 * Aligns two sequences by a longest common subsequence (Myers, "An O(ND) difference algorithm and its variations", 1986). If they have hardly
 * anything in common, their middle is left unaligned.
 */
export function align(first: readonly string[], second: readonly string[]): AlignedPair[] {
  let start = 0;
  while (start < first.length && start < second.length && first[start] === second[start]) start += 1;
  let end = 0;
  while (end < first.length - start && end < second.length - start && first.at(-1 - end) === second.at(-1 - end)) end += 1;
  const common = Array.from({ length: start }, (_, at): AlignedPair => [at, at]);
  const tail = Array.from({ length: end }, (_, at): AlignedPair => [first.length - end + at, second.length - end + at]);
  return [...common, ...middle(first, second, start, first.length - end, second.length - end), ...tail];
}

function middle(first: readonly string[], second: readonly string[], start: number, firstEnd: number, secondEnd: number): AlignedPair[] {
  const matches = matchesBetween(first.slice(start, firstEnd), second.slice(start, secondEnd));
  const pairs: AlignedPair[] = [];
  let [one, other] = [start, start];
  const skipTo = (nextOne: number, nextOther: number): void => {
    for (; one < nextOne; one += 1) pairs.push([one, null]);
    for (; other < nextOther; other += 1) pairs.push([null, other]);
  };
  for (const [x, y] of matches) {
    skipTo(start + x, start + y);
    pairs.push([one, other]);
    one += 1;
    other += 1;
  }
  skipTo(firstEnd, secondEnd);
  return pairs;
}

/** Returns the positions of a longest common subsequence; empty if the search would take too long. */
function matchesBetween(first: readonly string[], second: readonly string[]): [x: number, y: number][] {
  const most = Math.min(first.length + second.length, mostEdits);
  const offset = most + 1;
  const reach = new Int32Array(2 * most + 3);
  const trace: Int32Array[] = [];
  for (let edits = 0; edits <= most; edits += 1) {
    trace.push(reach.slice(offset - edits - 1, offset + edits + 2));
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      const down = diagonal === -edits || (diagonal !== edits && at(reach, offset + diagonal - 1) < at(reach, offset + diagonal + 1));
      let x = down ? at(reach, offset + diagonal + 1) : at(reach, offset + diagonal - 1) + 1;
      while (x < first.length && x - diagonal < second.length && first[x] === second[x - diagonal]) x += 1;
      reach[offset + diagonal] = x;
      if (x >= first.length && x - diagonal >= second.length) return walkBack(trace, first.length, second.length);
    }
  }
  return [];
}

function walkBack(trace: readonly Int32Array[], firstLength: number, secondLength: number): [number, number][] {
  const matches: [number, number][] = [];
  let [x, y] = [firstLength, secondLength];
  for (let edits = trace.length - 1; edits >= 0; edits -= 1) {
    // The range around diagonal 0 that is reachable with one edit less.
    const reach = trace[edits] as Int32Array;
    const offset = edits + 1;
    const diagonal = x - y;
    const down = diagonal === -edits || (diagonal !== edits && at(reach, offset + diagonal - 1) < at(reach, offset + diagonal + 1));
    const before = edits === 0 ? 0 : diagonal + (down ? 1 : -1);
    const beforeX = edits === 0 ? 0 : at(reach, offset + before);
    while (x > beforeX && y > beforeX - before) {
      x -= 1;
      y -= 1;
      matches.push([x, y]);
    }
    if (edits > 0) [x, y] = [beforeX, beforeX - before];
  }
  return matches.reverse();
}

function at(values: Int32Array, index: number): number {
  return values[index] as number;
}
