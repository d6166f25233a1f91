import type { RunEvent } from '#shared/run/event.ts';

/** Maximum backlog; a slower reader gets a `gap` and re-reads what it missed. */
export const maxBacklog = 1000;

/**
 * Appends to a slow reader's backlog of run events: chunks of one text are merged, and the oldest events are replaced with a
 * `gap` that names the steps to re-read.
 */
export function appendToBacklog(waiting: RunEvent[], event: RunEvent): void {
  const joined = join(waiting.at(-1), event);
  if (joined) {
    waiting[waiting.length - 1] = joined;
    return;
  }
  waiting.push(event);
  if (waiting.length <= maxBacklog) return;
  const missed = waiting.splice(0, waiting.length - maxBacklog / 2);
  const first = missed[0] as RunEvent;
  const from = first.type === 'gap' ? first.from : first.seq;
  const to = Math.max(...missed.map((old) => (old.type === 'gap' ? old.to : old.seq)));
  waiting.unshift({ type: 'gap', run_id: event.run_id, seq: to, timestamp: event.timestamp, from, to });
}

/** Merges two chunks of one text; null if they are not adjacent chunks. */
function join(last: RunEvent | undefined, event: RunEvent): RunEvent | null {
  if (event.type !== 'message' && event.type !== 'reasoning') return null;
  if (last?.type !== event.type || last.node !== event.node || last.turn !== event.turn || last.seq !== event.seq) return null;
  return { ...last, content: last.content + event.content };
}
