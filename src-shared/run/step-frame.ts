import type { AgentPhase } from './agent-phase.ts';
import type { RunEvent, RunEventOf } from './event.ts';
import { enclosingCall } from './node-id.ts';

/** The part of a step's record that its first and last event contain. */
export interface FramedStep {
  readonly seq: number;
  readonly node: string;
  readonly kind: string;
  readonly phase?: AgentPhase | null;
  /** Milliseconds since 1970. */
  readonly started_at: number;
  /** Of a step of a plan with typed steps: its name. */
  readonly step_name?: string | undefined;
}

/** The first event of a step. It is not stored, because the step's record contains all of its data. */
export function nodeEnter(run_id: string, { seq, node, kind, phase, started_at, step_name }: FramedStep): RunEventOf<'node_enter'> {
  const step = step_name !== undefined && { step_name };
  return { run_id, seq, timestamp: started_at, ...spanOf(node), ...step, type: 'node_enter', node, kind, ...(phase && { phase }) };
}

type Exit = Pick<RunEventOf<'node_exit'>, 'duration_ms' | 'consumed' | 'produced' | 'supplied'>;

/** The last event of a transition. It is not stored either, except inside frames and called flows, whose records contain no states. */
export function nodeExit(run_id: string, { seq, node, kind, phase, started_at, ...rest }: FramedStep & Exit): RunEventOf<'node_exit'> {
  const { duration_ms, consumed, produced, supplied } = rest;
  const timestamp = started_at + duration_ms;
  return {
    run_id,
    seq,
    timestamp,
    ...spanOf(node),
    type: 'node_exit',
    node,
    kind,
    ...(phase && { phase }),
    duration_ms,
    consumed,
    produced,
    ...(supplied && { supplied }),
  };
}

/** The tool call whose flow contains a node: events of a record are emitted under it. */
function spanOf(node: string): { readonly parent_span_id?: string } {
  const parent_span_id = node.includes('[') ? enclosingCall(node) : undefined;
  return parent_span_id === undefined ? {} : { parent_span_id };
}

/** Whether an event belongs to the record of a node, not to a flow that one of its calls runs within the same step. */
export function isOwnEvent(event: RunEvent, node: string): boolean {
  return event.parent_span_id === spanOf(node).parent_span_id;
}
