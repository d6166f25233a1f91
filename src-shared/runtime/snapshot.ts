import type { NamedState } from '#shared/flow/graph.ts';
import type { Json } from '#shared/json.ts';
import type { TransferableError } from '#shared/runtime/error.ts';
import type { Suspension } from '#shared/runtime/event.ts';
import type { History } from '#shared/runtime/message.ts';

/** A tool call under way: of an agent's act, of a `tool` body or of a handler's `ctx.tools`. */
export interface PendingCall {
  readonly tool_call_id: string;
  readonly tool: string;
  readonly input: Json;
  /** The input with which it was approved; absent where nobody was asked, or has not answered yet. */
  readonly approved_input?: Json;
  /** Who changed the input before approving it; absent where `approved_input` is the model's, and in records of older programs. */
  readonly edited_by?: 'person';
  /** Present where the tool itself asked: the call goes on with this answer and does not start again. */
  readonly answer?: { readonly payload: Json };
  /** Of a flow that is called as a tool and waits: where it stands. Its question is the call's. */
  readonly flow?: FlowCall;
  /** The result, once the call has finished; kept across a suspension. */
  readonly result?: { readonly value: Json; readonly is_error: boolean; readonly error?: TransferableError };
}

/** The run of a flow that is called as a tool, while it waits for an answer. */
export interface FlowCall {
  readonly snapshot: Snapshot;
  readonly history: History;
  /** What `ctx.now()` says in it, in milliseconds. */
  readonly now: number;
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
  /** Where in the node's history this visit begins, messages that were cut off not counted: each time the node fires, the conversation starts afresh. */
  readonly history_start: number;
}

/** A handler (or `tool` body) that waits: what `ctx` gave it, so that running it again repeats nothing outside. */
export interface HandlerState {
  /** What `ctx.now()` says, in milliseconds. */
  readonly now: number;
  /** Seed of `ctx.random()`. */
  readonly seed: number;
  /** Its tool calls in the order in which it made them. */
  readonly calls: readonly PendingCall[];
  /** Number of the record at which it began, where nobody knows how it ended: the outcomes of its calls are on record from there on. */
  readonly since?: number;
}

/** An answer that was taken and from which nothing has followed yet. */
export interface TakenAnswer {
  readonly suspension: Suspension;
  readonly payload: Json;
}

/** The frame of an `each` node under way. */
export interface EachFrame {
  readonly index: number;
  readonly states: readonly NamedState[];
  /** What the items before `index` came to, in order, in runs whose lengths are powers of two: the longest first. */
  readonly results: readonly (readonly Json[])[];
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
  readonly handlers: Readonly<Record<string, HandlerState>>;
  /** In the order in which they are asked; the first is the one that waits. */
  readonly suspensions: readonly Suspension[];
  /** At most one. While it is here the run does not wait: `next()` goes on from it. */
  readonly answers: readonly TakenAnswer[];
  readonly counters: Counters;
  /** By node: where its model goes on in a `script://` file; for other models, the number of calls. */
  readonly script_positions: Readonly<Record<string, number>>;
}

/** A run between two transitions, as plain JSON. */
export interface Snapshot {
  readonly pravah: 1;
  readonly run_id: string;
  /** Number of the last record; of transitions made, `control.counters.steps`. */
  readonly seq: number;
  readonly flow: { readonly name: string; readonly hash: string };
  /** The state map in insertion order. */
  readonly states: readonly NamedState[];
  readonly control: Control;
}

/** What one call of `next()` or `resume()` came to. */
export type RunOutcome<Output = Json> =
  | { readonly type: 'continue' }
  | { readonly type: 'done'; readonly output: Output }
  | ({ readonly type: 'suspend' } & Suspension);
