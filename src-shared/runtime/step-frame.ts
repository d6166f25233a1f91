import type { RunEventOf } from '#shared/runtime/event.ts';

/** What a record says of a step, as far as its first and last event need it. */
export interface FramedStep {
  readonly seq: number;
  readonly node: string;
  readonly kind: string;
  readonly phase?: 'reason' | 'act' | null;
  /** Milliseconds since 1970. */
  readonly started_at: number;
}

/** The event with which a step begins. It says nothing that the step's record does not say, so no record keeps it. */
export function nodeEnter(run_id: string, { seq, node, kind, phase, started_at }: FramedStep): RunEventOf<'node_enter'> {
  return { run_id, seq, timestamp: started_at, type: 'node_enter', node, kind, ...(phase && { phase }) };
}

type Exit = Pick<RunEventOf<'node_exit'>, 'duration_ms' | 'consumed' | 'produced'>;

/** The event with which a transition ends; the same holds of it, save inside `each` nodes and called flows, whose records name no states. */
export function nodeExit(run_id: string, { seq, node, kind, phase, started_at, ...rest }: FramedStep & Exit): RunEventOf<'node_exit'> {
  const { duration_ms, consumed, produced } = rest;
  const timestamp = started_at + duration_ms;
  return { run_id, seq, timestamp, type: 'node_exit', node, kind, ...(phase && { phase }), duration_ms, consumed, produced };
}
