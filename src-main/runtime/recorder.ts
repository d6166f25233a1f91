import type { NamedState } from '#shared/flow/graph.ts';
import type { Json } from '#shared/json.ts';
import type { TransferableError } from '#shared/runtime/error.ts';
import type { RunEvent } from '#shared/runtime/event.ts';
import type { Message } from '#shared/runtime/message.ts';
import type { Control } from '#shared/runtime/snapshot.ts';

/** One committed record of a run. Records are numbered from 1 without gaps. */
export interface StepRecord {
  readonly seq: number;
  /**
   * `transition`: a node (or one phase of an agent) ran. `suspended`: calls finished so far are kept and the run waits.
   * `resumed`: the answer was taken, and what follows from it has not run yet.
   */
  readonly type: 'transition' | 'suspended' | 'resumed';
  readonly node: string;
  readonly kind: string;
  readonly phase?: 'reason' | 'act';
  readonly consumed: readonly string[];
  readonly produced: readonly NamedState[];
  /** Of a step inside an `each` node, which leaves the run's state map alone: what it took from its item's map and gave to it. */
  readonly inner?: { readonly consumed: readonly NamedState[]; readonly produced: readonly NamedState[] };
  /** What the step adds to the agents' conversations, by node id. */
  readonly history: Readonly<Record<string, readonly Message[]>>;
  /** The whole control part after this step. */
  readonly control: Control;
  readonly events: readonly RunEvent[];
  readonly started_at: number;
  readonly duration_ms: number;
  /** True when the step can be recomputed: it need not be on disk before the next one starts. */
  readonly pure: boolean;
}

/** Something outside the run that a step is about to do. */
export interface Effect {
  /** Unique within its step: a `tool_call_id`, or the position of the call in its handler. */
  readonly key: string;
  readonly kind: 'model' | 'tool' | 'handler';
  readonly node: string;
  /** Model URL, tool name or handler name. */
  readonly name: string;
  readonly input: Json;
}

/** How an effect ended. Failures are recorded like results. */
export type EffectOutcome = { readonly result: Json } | { readonly error: TransferableError };

/** Thrown by `Recorder.effect` when the effect had started before a crash and has no recorded result. */
export class UnknownOutcome extends Error {
  readonly effect: Effect;

  constructor(effect: Effect) {
    super(`${effect.kind} ${effect.name} had started when the process ended, and nobody knows how it ended`);
    this.effect = effect;
  }
}

/** Where a run writes itself down. The engine knows no database; the journal implements this. */
export interface Recorder {
  /**
   * Claims the effect durably, performs it, records how it ended, and returns that. If its outcome is on record, returns
   * that and performs nothing. Throws `UnknownOutcome` as said there, and `FlowError` `Conflict` when another driver has moved the run.
   */
  effect(seq: number, effect: Effect, perform: () => Promise<Json>): Promise<EffectOutcome>;
  /** Writes the step, on condition that `seq - 1` is the last one written (`FlowError` `Conflict` otherwise). */
  commit(step: StepRecord): void | Promise<void>;
}
