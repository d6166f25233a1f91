import type { NamedState } from '#shared/flow/graph.ts';
import type { Json } from '#shared/json.ts';
import type { TransferableError } from '#shared/runtime/error.ts';
import type { Suspension } from '#shared/runtime/event.ts';

/** A tool call that an agent's model asked for and that has not been taken into the history yet. */
export interface PendingCall {
  readonly tool_call_id: string;
  readonly tool: string;
  readonly input: Json;
  /** The result, once the call has finished; kept across a suspension. */
  readonly result?: { readonly value: Json; readonly is_error: boolean; readonly error?: TransferableError };
}

/** An agent under way. Absent from the snapshot before its first turn and after it has finished. */
export interface AgentState {
  readonly phase: 'reason' | 'act';
  /** Model calls made so far. */
  readonly turn: number;
  /** Re-asks made because the output missed its schema. */
  readonly attempts: number;
  readonly pending: readonly PendingCall[];
  /** Seconds spent in this agent so far. */
  readonly seconds: number;
  /** Untrusted content has entered the history: writing tools ask. */
  readonly tainted: boolean;
}

/** A recorded `ctx` call of a handler that suspended, so that running it again repeats nothing outside. */
export interface RecordedCall {
  readonly call: string;
  readonly input: Json;
  readonly result: Json;
  readonly is_error: boolean;
}

/** The frame of an `each` node under way. */
export interface EachFrame {
  readonly index: number;
  readonly states: readonly NamedState[];
  readonly results: readonly Json[];
}

/** What the limits have counted, over the whole run. */
export interface Counters {
  readonly steps: number;
  readonly seconds: number;
  readonly model_calls: number;
  readonly tokens: number;
}

/** Everything besides the state map that the rest of a run depends on. Plain JSON. */
export interface Control {
  readonly agents: Readonly<Record<string, AgentState>>;
  readonly frames: Readonly<Record<string, EachFrame>>;
  readonly handlers: Readonly<Record<string, readonly RecordedCall[]>>;
  /** In the order in which they are asked; the first is the one that waits. */
  readonly suspensions: readonly Suspension[];
  readonly counters: Counters;
  /** Turns taken from each node's `script://` model. */
  readonly script_positions: Readonly<Record<string, number>>;
}

/** A run between two transitions, as plain JSON. */
export interface Snapshot {
  readonly pravah: 1;
  readonly run_id: string;
  /** Transitions made so far. */
  readonly seq: number;
  readonly flow: { readonly name: string; readonly hash: string };
  /** The state map in insertion order. */
  readonly states: readonly NamedState[];
  readonly control: Control;
}

/** What one call of `next()` or `resume()` came to. */
export type RunOutcome<Output extends Json = Json> =
  | { readonly type: 'continue' }
  | { readonly type: 'done'; readonly output: Output }
  | ({ readonly type: 'suspend' } & Suspension);
