import type { RunEventOf } from './event.ts';

/** The part of a step's record that its first and last event contain. */
export interface FramedStep {
  readonly seq: number;
  readonly node: string;
  readonly kind: string;
  readonly phase?: 'reason' | 'act' | null;
  /** Milliseconds since 1970. */
  readonly started_at: number;
}

/** The first event of a step. It is not stored, because the step's record contains all of its data. */
export function nodeEnter(run_id: string, { seq, node, kind, phase, started_at }: FramedStep): RunEventOf<'node_enter'> {
  return { run_id, seq, timestamp: started_at, type: 'node_enter', node, kind, ...(phase && { phase }) };
}

type Exit = Pick<RunEventOf<'node_exit'>, 'duration_ms' | 'consumed' | 'produced'>;

/** The last event of a transition. It is not stored either, except inside `each` nodes and called flows, whose records contain no states. */
export function nodeExit(run_id: string, { seq, node, kind, phase, started_at, ...rest }: FramedStep & Exit): RunEventOf<'node_exit'> {
  const { duration_ms, consumed, produced } = rest;
  const timestamp = started_at + duration_ms;
  return { run_id, seq, timestamp, type: 'node_exit', node, kind, ...(phase && { phase }), duration_ms, consumed, produced };
}
