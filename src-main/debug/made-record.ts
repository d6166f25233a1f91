import type { StepRecord } from '#main/engine/ports/recorder.ts';
import type { NamedState } from '#shared/flow/graph.ts';
import type { Json } from '#shared/json.ts';
import type { AgentPhase } from '#shared/run/agent-phase.ts';
import type { RunEvent } from '#shared/run/event.ts';

/** The record that was just made. */
export interface MadeRecord {
  readonly seq: number;
  readonly node: string;
  readonly phase: AgentPhase | null;
  /** The node has finished. */
  readonly finished: boolean;
  readonly consumed: readonly NamedState[];
  readonly produced: readonly NamedState[];
  /** Read only where a breakpoint needs them. */
  readonly events: () => readonly RunEvent[];
}

/** Returns a record as breakpoints see it. `values`: what it consumed, by state. */
export function madeRecord(step: StepRecord, values: Readonly<Record<string, Json>>, node = step.node): MadeRecord {
  const { seq, inner, phase, produced, events } = step;
  const consumed: readonly NamedState[] = inner?.consumed ?? step.consumed.map((name) => ({ name, value: values[name] ?? null }));
  return {
    seq,
    node,
    phase: phase ?? null,
    finished: step.type === 'transition' && consumed.length > 0,
    consumed,
    produced: inner?.produced ?? produced,
    events: () => events,
  };
}
