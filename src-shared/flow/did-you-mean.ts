/** The known word that is nearest to a mistyped one (at most a third of its letters apart), as ` Did you mean "x"?`, else "". */
export function didYouMean(word: string, known: Iterable<string>): string {
  const best = nearestWord(word, known);
  return best === undefined ? '' : ` Did you mean "${best}"?`;
}

/** The known word that is nearest to a mistyped one (at most a third of its letters apart). */
export function nearestWord(word: string, known: Iterable<string>): string | undefined {
  let best: string | undefined;
  let least = Math.max(1, Math.floor(word.length / 3)) + 1;
  for (const candidate of known) {
    if (Math.abs(candidate.length - word.length) >= least) continue;
    const distance = editDistance(word.toLowerCase(), candidate.toLowerCase());
    if (distance < least) {
      best = candidate;
      least = distance;
    }
  }
  return best;
}

/** Insertions, deletions, replacements and swaps of neighbours (optimal string alignment). */
function editDistance(a: string, b: string): number {
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const next = [row];
    for (let column = 1; column <= b.length; column++) {
      const change = a[row - 1] === b[column - 1] ? 0 : 1;
      let cost = Math.min((last[column] as number) + 1, (next[column - 1] as number) + 1, (last[column - 1] as number) + change);
      if (row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1])
        cost = Math.min(cost, (before[column - 2] as number) + 1);
      next.push(cost);
    }
    before = last;
    last = next;
  }
  return last[b.length] as number;
}
