import type { NamedState } from '#shared/flow/graph.ts';
import type { Json, JsonObject } from '#shared/json.ts';
import type { TransferableError } from './error.ts';
import type { Suspension } from './event.ts';
import type { ControlState } from './loop-state.ts';
import type { History, Message } from './message.ts';

/** A tool call in progress: of an agent, a `tool` body or a handler's `ctx.tools`. */
export interface PendingCall {
  readonly tool_call_id: string;
  readonly tool: string;
  readonly input: Json;
  /** The approved input; absent if the call needs no approval or is not approved yet. */
  readonly approved_input?: Json;
  /** Who edited the input before approving it; absent if `approved_input` is the model's input, and in records of older versions. */
  readonly edited_by?: 'person';
  /** Present if the tool itself asked: the call resumes with this answer instead of starting again. */
  readonly answer?: { readonly payload: Json };
  /** The state of a waiting flow that is called as a tool within one step. Its question is the call's. */
  readonly flow?: FlowCall;
  /** Key in `Control.frames` of the flow that is called as a tool and runs in steps of its own. */
  readonly frame?: string;
  /** The result, once the call has finished. It survives a suspension. */
  readonly result?: {
    readonly value: Json;
    readonly is_error: boolean;
    readonly error?: TransferableError;
    /** JSON Pointers of the whole numbers in `value` that are floats. */
    readonly floats?: readonly string[];
  };
}

/** The run of a flow that is called as a tool, while it waits for an answer. */
export interface FlowCall {
  readonly snapshot: Snapshot;
  readonly history: History;
  /** The value of its `ctx.now()`, in milliseconds. */
  readonly now: number;
}

/** Values written into the state of a session, by key. `floats`: JSON Pointers of the integral numbers that are floats. */
export type StateWrites = Readonly<Record<string, { readonly value: Json; readonly floats: readonly string[] }>>;

/** An agent in progress. Absent before its first turn and after it has finished. */
export interface AgentState {
  readonly phase: 'reason' | 'act';
  /** Model calls made so far. */
  readonly turn: number;
  /** Retries because the output did not match its schema. */
  readonly attempts: number;
  readonly pending: readonly PendingCall[];
  /** Seconds spent in this agent so far. */
  readonly seconds: number;
  /** What its calls have written into the state of its session. */
  readonly writes?: StateWrites;
  /** Untrusted content has entered the history: tools that write need approval. */
  readonly tainted: boolean;
  /** Calls made in this visit, by tool, where they are limited. */
  readonly calls?: Readonly<Record<string, number>>;
  /** Tokens of this visit, where they are limited. */
  readonly tokens?: number;
  /** What this visit's model calls have cost, where that is limited. */
  readonly cost?: number;
  /** Checks of this visit, where the agent has some (`guards`). */
  readonly guard?: GuardState;
  /** The turn after which the agent has to conclude: the budget is used up. */
  readonly concluding?: number;
  /** What the last turn did, and how many turns in a row have done the same (`stall`). */
  readonly stall?: { readonly print: string; readonly repeats: number };
  /** What it keeps for its controller. */
  readonly control?: ControlState;
  /** What a function has returned as settings for this visit. */
  readonly settings?: JsonObject;
  /** Size of its model's last call with the answer, by which other requests are estimated (`context.count`). */
  readonly measured?: { readonly characters: number; readonly tokens: number };
  /** Its kept conversation. Its messages are in the history under `id`, and `history_start` is an index there. */
  readonly conversation?: VisitedConversation;
  /** Index in the node's history where this visit begins, not counting partial messages: each firing starts a new conversation. */
  readonly history_start: number;
}

/** What one check of an agent's input or output came to. */
export interface CheckVerdict {
  readonly name: string;
  readonly kind: 'rule' | 'judge';
  readonly pass: boolean;
  /** Of a judge: how sure it is, 0 to 1. */
  readonly confidence?: number;
  readonly reason?: string;
  /** A person has passed it although it failed. */
  readonly by?: 'person';
}

/** How far the checks of a visit are. */
export interface GuardState {
  /** Index of the next check of the input. */
  readonly next: number;
  readonly checks: readonly CheckVerdict[];
  /** An output that is being checked: the next check, and the messages that are said once it is decided. */
  readonly output?: { readonly value: Json; readonly next: number; readonly held: readonly Message[] };
  /** A failed check that a person is asked about. */
  readonly failed?: CheckVerdict;
}

/** The kept conversation that an agent's visit reads and adds to. */
export interface VisitedConversation {
  /** `@run/KEY` or `@workspace/KEY`. */
  readonly id: string;
  /** Position up to which the visit has read; its own entries follow. Nothing else is ever seen by it. */
  readonly base: number;
  /** Index in the history at which what it has read begins. */
  readonly from: number;
  /** Of its first entry. */
  readonly exchange: string;
}

/** A waiting handler (or `tool` body): what `ctx` returned to it, so that running it again repeats no side effects. */
export interface HandlerState {
  /** The value of `ctx.now()`, in milliseconds. */
  readonly now: number;
  /** Seed of `ctx.random()`. */
  readonly seed: number;
  /** Its tool calls in the order in which it made them. */
  readonly calls: readonly PendingCall[];
  /** If its outcome is unknown: the record at which it began. The results of its calls are recorded from there on. */
  readonly since?: number;
}

/** An accepted answer that has not been processed yet. */
export interface TakenAnswer {
  readonly suspension: Suspension;
  readonly payload: Json;
}

/**
 * The frame of an `each` node in progress, or of a flow that is called as a tool. A called flow is like a list of one item: its `index` is 1
 * once it has finished or failed.
 */
export interface Frame {
  readonly index: number;
  readonly states: readonly NamedState[];
  /** Results of the items before `index`, in order, in runs whose lengths are powers of two, longest first. Empty if a called flow has failed. */
  readonly results: readonly (readonly Json[])[];
  /** Number of transitions made in it (of a list: in the item at `index`). Absent: none, or the rules of engines 1 and 2. */
  readonly made?: number;
  /** Present for a called flow. */
  readonly call?: CalledFlow;
}

/** A flow that is called as a tool, from the step that calls it to the step that collects its result. */
export interface CalledFlow {
  /** The name under which the caller's graph lists it (`flow:./lookup.flow.yaml`). */
  readonly flow: string;
  /** The name under which the caller calls it: mostly the same. */
  readonly tool: string;
  readonly tool_call_id: string;
  /** The call's input may be made of content from outside. */
  readonly tainted: boolean;
  /** Seconds that its steps have taken. */
  readonly seconds: number;
  /** Why it has failed. */
  readonly error?: TransferableError;
}

/** What the limits count, over the whole run. */
export interface Counters {
  readonly steps: number;
  readonly seconds: number;
  readonly model_calls: number;
  readonly tokens: number;
  /** What its model calls have cost, where a limit counts it. */
  readonly cost?: number;
}

/** Everything except the state map that the rest of a run depends on. Plain JSON. */
export interface Control {
  readonly agents: Readonly<Record<string, AgentState>>;
  /** By `each` node, and by the key of a called flow (`callFrameKey`). */
  readonly frames: Readonly<Record<string, Frame>>;
  readonly handlers: Readonly<Record<string, HandlerState>>;
  /** In the order in which they are asked; the first one is pending. */
  readonly suspensions: readonly Suspension[];
  /** At most one. While it is present the run does not wait: `next()` processes it. */
  readonly answers: readonly TakenAnswer[];
  readonly counters: Counters;
  /** By node: the next position in its `script://` file; for other models, the number of calls. */
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
  /** Numbers of the records that produced the states, in their order. Absent before the first record and under the rules of engines 1 and 2: 0. */
  readonly written?: readonly number[];
  readonly control: Control;
  /** Of a run without a journal: effects of steps whose turn has not come. They are not done again. Absent if there are none. */
  readonly ahead?: readonly AheadEffect[];
}

/** An effect of a step that was made before its turn, and how it ended. */
export interface AheadEffect {
  /** What made its node able to fire, the node and its phase: they identify the step. */
  readonly ready: string;
  readonly node: string;
  readonly phase: string;
  /** Unique within the step. */
  readonly key: string;
  readonly outcome: { readonly result: Json } | { readonly error: TransferableError };
}

/** Result of `next()` or `resume()`. */
export type RunOutcome<Output = Json> =
  | { readonly type: 'continue' }
  | { readonly type: 'done'; readonly output: Output }
  | ({ readonly type: 'suspend' } & Suspension);
