import type { ConversationChange, ConversationRequest, OpenedConversation } from '#main/engine/ports/conversation-store.ts';
import type { NamedState } from '#shared/flow/graph.ts';
import type { Json } from '#shared/json.ts';
import type { AgentPhase } from '#shared/run/agent-phase.ts';
import type { TransferableError } from '#shared/run/error.ts';
import type { RunEvent } from '#shared/run/event.ts';
import type { ConversationEntry, Message } from '#shared/run/message.ts';
import type { Control } from '#shared/run/snapshot.ts';
import type { SuppliedMark } from '#shared/run/supplied.ts';

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
  /** Of an agent. */
  readonly phase?: AgentPhase;
  readonly consumed: readonly string[];
  readonly produced: readonly NamedState[];
  /** What the step adds to a conversation of the workspace. Its messages are in `history`, too, after those that it has read. */
  readonly conversation?: ConversationChange;
  /** Of a step inside an `each` node, which leaves the run's state map alone: what it took from its item's map and gave to it. */
  readonly inner?: { readonly consumed: readonly NamedState[]; readonly produced: readonly NamedState[] };
  /** What the step adds to the agents' conversations, by node id; for kept ones, by the conversation's id. */
  readonly history: Readonly<Record<string, readonly Message[]>>;
  /** The whole control part after this step. */
  readonly control: Control;
  /** What happened in the step, save what its other fields say: that its node began, and that it ended (`src-shared/run/step-frame.ts`). */
  readonly events: readonly RunEvent[];
  readonly started_at: number;
  readonly duration_ms: number;
  /** True when the step can be recomputed: it need not be on disk before the next one starts. */
  readonly pure: boolean;
  /** Present if a pin supplied what the node produced. Such a step is not pure. */
  readonly supplied?: SuppliedMark;
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
  /**
   * True where only the engine's own work follows it in its step: how it ended may then be written down together with the step. False where
   * code may act upon the result at once.
   */
  readonly closing?: boolean;
  /**
   * Present if its handler runs again because its outcome was unknown: number of the record at which the handler began. What came of the same
   * effect since then, in tries that did not fail, is taken in place of doing it again.
   */
  readonly since?: number;
  /**
   * True for what changes nothing outside (model calls, tools that only read): if its outcome is unknown, it is done again without asking anybody.
   * Default: the user is asked.
   */
  readonly repeatable?: boolean;
  /**
   * Computes its result once more and does nothing outside: a replay says where it differs from the recorded one. `used`: the seconds that the agent
   * had used before and after this step, by the record, since a replay takes none.
   */
  readonly again?: (used: { readonly before: number; readonly after: number }) => Promise<Json>;
  /** Present if a mock supplies its outcome, so that performing it does nothing outside. */
  readonly supplied?: SuppliedMark;
}

/** How an effect ended. Failures are recorded like results. */
export type EffectOutcome = { readonly result: Json } | { readonly error: TransferableError };

/** The outcome of an effect, and what supplied it: an outcome on record keeps its own mark. */
export type MarkedOutcome = EffectOutcome & { readonly supplied?: SuppliedMark };

/** An outcome as it is recorded for an effect: with the mark of what supplied it. */
export function marked(outcome: EffectOutcome, { supplied }: Pick<Effect, 'supplied'>): MarkedOutcome {
  return supplied ? { ...outcome, supplied } : outcome;
}

/** Performs an effect. `attempt` is above 1 where earlier attempts had started before a crash and their outcomes are unknown. */
export type Perform = (attempt: number) => Promise<Json>;

/** Thrown by `Recorder.effect` when an effect that must not be repeated had started before a crash and has no recorded result. */
export class UnknownOutcome extends Error {
  readonly effect: Effect;

  constructor(effect: Effect) {
    super(`${effect.kind} ${effect.name} had started when the process ended, and its outcome is unknown`);
    this.effect = effect;
  }
}

/**
 * Thrown by what performs an effect when it was cancelled and did not end in time: it may still finish outside, so its outcome is unknown and
 * none is recorded. `Recorder.effect` rethrows it.
 */
export class AbandonedEffect extends Error {
  constructor(name: string) {
    super(`${name} was cancelled and had not ended; its outcome is unknown`);
  }
}

/** A file of the workspace as it is when a tool is about to give it new content. */
export interface FileChange {
  /** Relative to the workspace, links followed, with `/`. */
  readonly path: string;
  /** SHA-256 (hex) of the content; null where there is no file. */
  readonly before_hash: string | null;
  /** The same of the new content. */
  readonly after_hash: string | null;
  /** The content; null where there is no file, or where it is not to be kept. */
  readonly before: Uint8Array | null;
  /** Why the content is not to be kept; else empty. */
  readonly note: string;
}

/** What happened to a call before it was made: the user was not asked, was asked, or it was refused. */
export type CallDecision =
  | { readonly type: 'made' }
  | { readonly type: 'asked'; readonly question: Json }
  | { readonly type: 'refused'; readonly error: TransferableError };

/** Identifies a call that is about to be made among those of its step. */
export interface DecidedCall {
  readonly tool_call_id: string;
  readonly tool: string;
  /** What the tool does outside; see `Tool.effect`. A flow that is called as a tool is classified by its own effects. */
  readonly effect: 'none' | 'read' | 'write' | 'flow';
}

/** Identifies a step before its turn has come. */
export interface AheadPlace {
  /** What made its node able to fire: `Step.ready`. */
  readonly ready: string;
  /** The node's id in the run. */
  readonly node: string;
  /** Of an agent: its turn and phase, such as `2 act`. Else empty. */
  readonly phase: string;
}

/** Where a run writes itself down. The engine knows no database; the journal implements this. */
export interface Recorder {
  /**
   * Claims the effect durably, performs it, records how it ended, and returns that (of a `closing` one: before the step has finished). If its outcome is on record, returns
   * that and performs nothing. A `repeatable` effect with an unknown outcome is performed again, as a further attempt. Throws `UnknownOutcome` and `AbandonedEffect` as described there, and `FlowError` `Conflict` when another executor has moved the run.
   */
  effect(seq: number, effect: Effect, perform: Perform): Promise<MarkedOutcome>;
  /**
   * Whether an effect of step `seq` had begun when an earlier process ended. The user is not asked about it again, and it is not judged by what it has
   * itself made of the world: its record has its outcome, or says that it is unknown.
   */
  begun?(seq: number, key: string): boolean;
  /**
   * The same for an effect of a step whose turn has not come. Its outcome is found by `effect` once `takeAhead` has said which record the step becomes.
   * Absent where nothing is done ahead.
   */
  effectAhead?(place: AheadPlace, effect: Effect, perform: Perform): Promise<MarkedOutcome>;
  /** The turn of the step at `place` has come: what was done ahead for it belongs to record `seq`. */
  takeAhead?(seq: number, place: AheadPlace): void;
  /** Writes the step, on condition that `seq - 1` is the last one written (`FlowError` `Conflict` otherwise). */
  commit(step: StepRecord): void | Promise<void>;
  /** Keeps what a file holds, durably, before the effect `key` of step `seq` replaces it, so that the folder can be restored. */
  keepFile?(seq: number, key: string, change: FileChange): void;
  /**
   * What was decided about a call when its step was recorded. Only where a run is computed again from its record: the decision depends on
   * the folder and its settings as they were. Throws where the record knows nothing of the call.
   */
  decided?(seq: number, call: DecidedCall): CallDecision;
  /**
   * Whether step `seq` was recorded by an older program, which did not write down that a person had edited this call's input. Only where a run is
   * computed again from its record: the conversation then leaves the edit out as well.
   */
  omitsEdit?(seq: number, tool_call_id: string): boolean;
  /**
   * The message in which step `seq` asked `node`'s model again, as recorded; undefined if it did not. Only where a run is computed again from its
   * record: an older program may have worded it differently, and the model answered that wording.
   */
  askedAgain?(seq: number, node: string): Message | undefined;
  /**
   * Takes a conversation of the workspace for a visit and reads it. What steps add to it is part of their records (`StepRecord.conversation`).
   * Without it, conversations of the workspace are in `Context.conversations`.
   */
  openConversation?(request: ConversationRequest): OpenedConversation;
  /** The entries that step `seq` added to a kept conversation, as recorded. Only where a run is computed again from its record. */
  recordedEntries?(seq: number, id: string): readonly ConversationEntry[] | undefined;
}
