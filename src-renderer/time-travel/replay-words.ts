import type { ReplayReport } from '#shared/contract/time-travel.ts';

const number = new Intl.NumberFormat('en');

function counted(count: number, noun: string): string {
  return `${number.format(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/** What computing a run again has come to, in a sentence or two. */
export function replayVerdict({ flow, steps, total, effects, divergence }: ReplayReport): string {
  const withFlow = flow === 'current' ? ' with the flow as it is now' : '';
  const without =
    effects > 0 ? ` ${counted(effects, 'recorded effect')} ${effects === 1 ? 'was' : 'were'} handed out; nothing outside was done.` : '';
  if (!divergence) return `Replayed${withFlow}: all ${counted(total, 'step')} came out the same.${without}`;
  if (steps === 0) return `Replayed${withFlow}: it comes out differently from the first step on. ${divergence.message}`;
  return `Replayed${withFlow}: ${counted(steps, 'step')} of ${number.format(total)} came out the same, then it differs at step ${divergence.seq}. ${divergence.message}`;
}
