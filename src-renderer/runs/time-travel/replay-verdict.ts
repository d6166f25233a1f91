import type { ReplayReport } from '#shared/contract/time-travel.ts';
import { texts } from './texts.ts';

/** The result of a replay, in a few sentences. */
export function replayVerdict({ flow, steps, total, effects, divergence }: ReplayReport): string {
  const { prefix, same, effects: reused, differs, differsAtOnce } = texts.replay;
  const result = !divergence ? same(total) : steps === 0 ? differsAtOnce : differs(steps, total, divergence.seq);
  const detail = divergence ? divergence.message : effects > 0 ? reused(effects) : '';
  return `${prefix(flow === 'current')}: ${result} ${detail}`.trim();
}
