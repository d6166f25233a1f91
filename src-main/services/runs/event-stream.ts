import type { Background } from '#main/services/query-worker/background.ts';
import type { AheadEvent, RunEvent } from '#shared/run/event.ts';
import { appendToBacklog } from './event-backlog.ts';
import type { LiveRun } from './live-run.ts';

export interface EventStreamOptions {
  readonly runId: string;
  /** The stream begins after this record. */
  readonly afterSeq: number;
  readonly reading: Pick<Background, 'call'>;
  /** Null for a read-only run. */
  readonly run: Pick<LiveRun, 'events' | 'ahead' | 'retained' | 'followOthers'> | null;
  /** Whether records of other processes are read as they are made. */
  readonly followOthers?: boolean | undefined;
  readonly signal: AbortSignal | undefined;
}

const endings: ReadonlySet<string> = new Set(['success', 'cancelled']);

/**
 * Streams a run's events from a record on: recorded ones, those of the step in progress, then live ones. Ends when the run has
 * ended; a failed run can be retried, so its stream continues.
 */
export async function* runEvents({
  runId,
  afterSeq,
  reading,
  run,
  signal,
  followOthers,
}: EventStreamOptions): AsyncGenerator<RunEvent, void> {
  // Subscribe before reading, so that no event is missed. What is retained from then on comes live, too, so it is read now.
  const live = run?.events.read(signal, appendToBacklog);
  const retained = run?.retained.slice() ?? [];
  try {
    const { seq: recorded, status } = await reading.call('summary', { run_id: runId });
    for (let after: number | null = afterSeq; after !== null && after < recorded; ) {
      const { events, next }: { events: readonly RunEvent[]; next: number | null } = await reading.call('events', { run_id: runId, after });
      for (const event of events) if (event.seq <= recorded) yield event;
      after = next;
    }
    if (!live || endings.has(status)) return;
    const known = Math.max(recorded, afterSeq);
    if (followOthers) run?.followOthers(runId, recorded, reading);
    yield* retained.filter((event) => event.seq > known);
    for await (const event of live) {
      // Events of the executor (`init_stream`, `end_stream`, `error`) are not recorded.
      if (event.seq <= known && isRecorded(event.type)) continue;
      yield event;
      if (endsRun(event)) return;
    }
  } finally {
    await live?.return();
  }
}

/** Streams the events of steps that are made before their turn, from this call on. Ends when the run has ended. */
export async function* aheadEvents({
  runId,
  reading,
  run,
  signal,
}: Omit<EventStreamOptions, 'afterSeq' | 'followOthers'>): AsyncGenerator<AheadEvent, void> {
  const ahead = run?.ahead.read(signal);
  try {
    const { status } = await reading.call('summary', { run_id: runId });
    if (ahead && !endings.has(status)) yield* ahead;
  } finally {
    await ahead?.return();
  }
}

/** Whether this event is the last one of its run: a failed run can be retried. */
export function endsRun(event: RunEvent): boolean {
  return event.type === 'end_stream' && endings.has(event.status);
}

const unrecorded: ReadonlySet<string> = new Set(['init_stream', 'end_stream', 'error', 'gap']);

/** Whether events of this type belong to a record. Others are the executor's, and have the number of the last record. */
export const isRecorded = (type: RunEvent['type']): boolean => !unrecorded.has(type);
