import type { RunService } from '#main/server/run-service.ts';
import type { RunEvent } from '#shared/run/event.ts';
import type { StreamEvent } from './event-stream.ts';
import { RequestProblem } from './problems.ts';

/** Where a reader of a run's events continues: after `skip` counted events of record `afterSeq + 1`. */
export interface RunCursor {
  readonly afterSeq: number;
  readonly skip: number;
}

/** Reads an event's id, `SEQ.NUMBER`, or the number of a record. Throws `RequestProblem`. */
export function readCursor(text: string): RunCursor {
  const [, seq, number] = /^(\d{1,9})(?:\.(\d{1,9}))?$/.exec(text) ?? [];
  if (seq === undefined)
    throw new RequestProblem(
      400,
      'CURSOR_INVALID',
      `“${text}” is not an id of this stream. Leave Last-Event-ID out to begin at the start.`,
    );
  return number === undefined ? { afterSeq: Number(seq), skip: 0 } : { afterSeq: Math.max(0, Number(seq) - 1), skip: Number(number) };
}

/** Events that are not recorded, so that a reader who comes later does not receive them. They have the id of the one before. */
const uncounted: ReadonlySet<RunEvent['type']> = new Set(['init_stream', 'end_stream', 'error', 'message', 'reasoning', 'log', 'gap']);

/**
 * A run's events with their ids: `SEQ.NUMBER`, where the number counts the events of a record. Chunks of a text share the id of the event before them, so that
 * a reader who continues in the middle of a text receives it again, whole. If a reader falls behind, what it missed is read from the journal.
 */
export async function* runStream(runs: RunService, runId: string, from: RunCursor, signal: AbortSignal): AsyncGenerator<StreamEvent> {
  let { afterSeq, skip } = from;
  for (;;) {
    let seq = afterSeq + 1;
    let number = 0;
    let behind = false;
    for await (const event of await runs.events(runId, afterSeq, signal)) {
      if (event.type === 'gap') {
        behind = true;
        break;
      }
      if (event.seq !== seq && event.seq > seq) [seq, number] = [event.seq, 0];
      const counts = event.seq === seq && !uncounted.has(event.type);
      if (counts) number += 1;
      // Already received.
      if (event.seq === afterSeq + 1 && (number < skip || (number === skip && counts))) continue;
      yield { id: `${seq}.${number}`, event: event.type, data: textOf(event) };
    }
    if (!behind || signal.aborted) return;
    [afterSeq, skip] = [seq - 1, number];
  }
}

/** Texts of events; many readers receive the same one. */
const texts = new WeakMap<RunEvent, string>();

function textOf(event: RunEvent): string {
  const known = texts.get(event);
  if (known !== undefined) return known;
  const text = JSON.stringify(event);
  texts.set(event, text);
  return text;
}
