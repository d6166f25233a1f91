import type { RunEvent } from '#shared/runtime/event.ts';

/** A reader further behind than this is told to read again what it missed. */
export const furthestBehind = 1000;

/**
 * How a run's events pile up before a slow reader: pieces of one text are put together, and what is too old gives way to a
 * `gap` that says which steps to read again.
 */
export function pileUp(waiting: RunEvent[], event: RunEvent): void {
  const joined = join(waiting.at(-1), event);
  if (joined) {
    waiting[waiting.length - 1] = joined;
    return;
  }
  waiting.push(event);
  if (waiting.length <= furthestBehind) return;
  const missed = waiting.splice(0, waiting.length - furthestBehind / 2);
  const first = missed[0] as RunEvent;
  const from = first.type === 'gap' ? first.from : first.seq;
  const to = Math.max(...missed.map((old) => (old.type === 'gap' ? old.to : old.seq)));
  waiting.unshift({ type: 'gap', run_id: event.run_id, seq: to, timestamp: event.timestamp, from, to });
}

/** Two pieces of one text as one; null when they are not. */
function join(last: RunEvent | undefined, event: RunEvent): RunEvent | null {
  if (event.type !== 'message' && event.type !== 'reasoning') return null;
  if (last?.type !== event.type || last.node !== event.node || last.turn !== event.turn || last.seq !== event.seq) return null;
  return { ...last, content: last.content + event.content };
}
