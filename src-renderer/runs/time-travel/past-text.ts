import type { FirstDifference } from '#shared/contract/time-travel.ts';
import { texts } from './texts.ts';

/** How far the steps before a fork would have the same results with its flow; null if there are none. */
export function pastText({ same, of, divergence }: FirstDifference): string | null {
  if (of === 0) return null;
  const { past } = texts.fork;
  if (divergence && divergence.seq === 0) return past.start(divergence.message);
  if (divergence) return past.differs(same, divergence.seq, divergence.message);
  return same < of ? past.unknown(same, of) : past.same(of);
}
