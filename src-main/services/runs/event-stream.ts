import type { Background } from '#main/services/background/background.ts';
import type { LiveRun } from '#main/services/runs/live-run.ts';
import { pileUp } from '#main/services/runs/pile-up.ts';
import type { RunEvent } from '#shared/runtime/event.ts';

export interface EventStreamOptions {
  readonly runId: string;
  /** The stream begins after this record. */
  readonly afterSeq: number;
  readonly reading: Background;
  /** Null for a run that can only be looked at. */
  readonly run: LiveRun | null;
  readonly signal: AbortSignal | undefined;
}

const endings: ReadonlySet<string> = new Set(['success', 'cancelled']);

/**
 * A run's events from a record on: those on record, then those of the step under way, then live ones. Ends when the run has
 * ended; a run that failed can be tried again, so its stream goes on.
 */
export async function* runEvents({ runId, afterSeq, reading, run, signal }: EventStreamOptions): AsyncGenerator<RunEvent, void> {
  // Listening begins before reading, so that nothing falls between.
  const live = run?.events.read(signal, pileUp);
  try {
    const { seq: recorded, status } = await reading.call('summary', { run_id: runId });
    for (let after: number | null = afterSeq; after !== null && after < recorded; ) {
      const { events, next }: { events: readonly RunEvent[]; next: number | null } = await reading.call('events', { run_id: runId, after });
      for (const event of events) if (event.seq <= recorded) yield event;
      after = next;
    }
    if (!run || !live || endings.has(status)) return;
    const known = Math.max(recorded, afterSeq);
    const retained = new Set(run.retained.filter((event) => event.seq > known));
    yield* retained;
    for await (const event of live) {
      // Marks of the driver's (`init_stream`, `end_stream`, `error`) stand in no record.
      if (retained.has(event) || (event.seq <= known && isRecorded(event))) continue;
      yield event;
      if (event.type === 'end_stream' && endings.has(event.status)) return;
    }
  } finally {
    await live?.return();
  }
}

const unrecorded: ReadonlySet<string> = new Set(['init_stream', 'end_stream', 'error', 'gap']);
const isRecorded = (event: RunEvent): boolean => !unrecorded.has(event.type);
