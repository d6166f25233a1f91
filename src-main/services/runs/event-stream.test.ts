import { expect, it } from 'vitest';
import { Feed } from '#main/services/host/feed.ts';
import type { Background } from '#main/services/query-worker/background.ts';
import type { TaskName } from '#main/services/query-worker/protocol.ts';
import type { AheadEvent, RunEvent } from '#shared/run/event.ts';
import { runEvents } from './event-stream.ts';

/** A run in memory that publishes what it is told to, and a journal that answers when it is told to. */
function emittingRun() {
  const events = new Feed<RunEvent>();
  const retained: RunEvent[] = [];
  const summary = Promise.withResolvers<object>();
  const call = (async (task: TaskName) => {
    if (task !== 'summary') throw new Error(`The journal was not to be asked for “${task}”.`);
    return summary.promise;
  }) as Background['call'];
  const emit = (...emitted: readonly RunEvent[]) => {
    for (const event of emitted) {
      retained.push(event);
      events.publish(event);
    }
  };
  return {
    run: { events, retained, ahead: new Feed<AheadEvent>(), followOthers: () => undefined },
    reading: { call },
    emit,
    answer: summary.resolve,
  };
}

const base = { run_id: 'r', timestamp: 0 } as const;
const step = (seq: number): RunEvent => ({ ...base, type: 'node_exit', seq, node: 'A', duration_ms: 0 }) as RunEvent;
const end = (seq: number): RunEvent => ({ ...base, type: 'end_stream', seq, status: 'success' }) as RunEvent;

it('a reader whose look at the journal is late receives every event once, in order, and ends with the run', {
  timeout: 20_000,
}, async () => {
  const { run, reading, emit, answer } = emittingRun();
  emit(step(1));
  const received: number[] = [];
  const ended = (async () => {
    for await (const event of runEvents({ runId: 'r', afterSeq: 0, reading, run, signal: undefined })) received.push(event.seq);
  })();
  // The run goes on and ends before the reader learns that nothing of it was recorded.
  emit(step(2), step(3), end(4));
  answer({ seq: 0, status: 'running' });
  await ended;
  expect(received).toEqual([1, 2, 3, 4]);
});
