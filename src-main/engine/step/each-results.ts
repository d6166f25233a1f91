import type { Json } from '#shared/json.ts';
import type { Frame } from '#shared/run/snapshot.ts';

type Results = Frame['results'];

/**
 * The results with one more. Runs of equal length become one (as digits carry in a binary number), so a list of n results has at most
 * log2(n) + 1 of them, and a new result rewrites log2(n) results on average: the frame of an `each` node is on record after every
 * step, and the runs that it shares with the frame before are written once.
 */
export function withResult(results: Results, result: Json): Results {
  const runs = [...results];
  let last: readonly Json[] = [result];
  while (runs.at(-1)?.length === last.length) last = [...(runs.pop() as readonly Json[]), ...last];
  return [...runs, last];
}

/** The results one after the other, in the order of their items. */
export function listOf(results: Results): Json[] {
  return results.flat();
}
