import type { Verdict } from './judge-version.ts';

/** A judged version. */
export type Judged<Version> = Version & Verdict;

/** What a search for the first bad version found. */
export interface BisectResult<Version> {
  /** The versions that may be the first bad one, the oldest first. One, unless versions next to it could not be judged. */
  readonly candidates: readonly Judged<Version>[];
  /** The judged versions, in the order in which they were judged. */
  readonly tested: readonly Judged<Version>[];
}

/**
 * Finds the first bad version by binary search, judging each version once. `versions` are ordered; those before the first are good and the last is bad.
 * Versions that can't be judged are skipped, in favor of the nearest ones.
 */
export async function bisect<Version>(
  versions: readonly Version[],
  judge: (version: Version) => Promise<Verdict>,
): Promise<BisectResult<Version>> {
  const tested = new Map<number, Judged<Version>>();
  let [good, bad] = [-1, versions.length - 1];
  const verdictOf = async (at: number) => {
    const judged = { ...(versions[at] as Version), ...(await judge(versions[at] as Version)) };
    tested.set(at, judged);
    return judged.verdict;
  };
  if (bad >= 0) await verdictOf(bad);
  for (;;) {
    const open = between(good, bad).filter((at) => !tested.has(at));
    const middle = (good + bad) / 2;
    const next = open.reduce<number | null>(
      (best, at) => (best === null || Math.abs(at - middle) < Math.abs(best - middle) ? at : best),
      null,
    );
    if (next === null) break;
    const verdict = await verdictOf(next);
    if (verdict === 'good') good = next;
    else if (verdict === 'bad') bad = next;
  }
  // What lies between the last good and the first bad one was skipped.
  const candidates = [...between(good, bad), bad].flatMap((at) => tested.get(at) ?? []);
  return { candidates, tested: [...tested.values()] };
}

function between(good: number, bad: number): number[] {
  return Array.from({ length: Math.max(0, bad - good - 1) }, (_, index) => good + 1 + index);
}
