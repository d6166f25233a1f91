import type { ConversationChange } from '#main/engine/ports/conversation-store.ts';
import type { NamedState } from '#shared/flow/graph.ts';
import type { AgentPhase } from '#shared/run/agent-phase.ts';
import type { TransferableError } from '#shared/run/error.ts';
import type { Suspension } from '#shared/run/event.ts';
import type { Message } from '#shared/run/message.ts';
import type { AgentState, Frame, HandlerState } from '#shared/run/snapshot.ts';

/** What a step has used up of the run's limits. */
export interface Usage {
  readonly model_calls: number;
  readonly tokens: number;
  /** What its calls cost, where a limit counts it. */
  readonly cost?: number;
  /** The node's position after a model call. */
  readonly next_turn: number;
  /** Characters of the request and its answer, where the agent estimates tokens by them. */
  readonly characters?: number;
}

/** Where a step's messages go, and what else it adds to a kept conversation. */
export interface KeptMessages {
  /** The id under which the history has the step's messages, in place of the node's. */
  readonly id: string;
  /** Present for a conversation of the workspace. */
  readonly change?: ConversationChange;
}

/** The node has finished: its states are consumed, and these are appended to the map. */
export interface FinishedDraft {
  readonly type: 'finished';
  readonly produced: readonly NamedState[];
  readonly phase?: AgentPhase;
  readonly history?: readonly Message[];
  readonly kept?: KeptMessages;
  readonly usage?: Usage | undefined;
  /** Keys of the frames of called flows that are done with. */
  readonly closes?: readonly string[];
  /** Of a summary that a program has asked for: the position up to which it replaces what models get. */
  readonly summarises?: number | undefined;
  /** The agent as it would go on if its output were not accepted. */
  readonly agent?: AgentState;
}

/** An agent has finished one phase and continues: the state map is unchanged. */
export interface PhaseDraft {
  readonly type: 'phase';
  readonly phase: AgentPhase;
  readonly agent: AgentState;
  readonly history: readonly Message[];
  /** Of the phase `compact`, whose message is a summary: the position up to which it replaces what models get. */
  readonly summarises?: number | undefined;
  readonly kept?: KeptMessages;
  readonly usage?: Usage | undefined;
  /** Flows that it calls and that run next, by the keys of their frames. */
  readonly opens?: Readonly<Record<string, Frame>>;
  /** Keys of the frames of called flows that are done with. */
  readonly closes?: readonly string[];
}

/** A step inside a called flow has failed, and with it that flow: the failure is the result of the call. */
export interface FailedCallDraft {
  readonly type: 'failed_call';
  readonly error: TransferableError;
  readonly history?: readonly Message[];
  readonly kept?: undefined;
}

/** The node waits for answers: what has been done so far is kept. */
export interface SuspendedDraft {
  readonly type: 'suspended';
  readonly suspensions: readonly Suspension[];
  readonly agent?: AgentState;
  readonly handler?: HandlerState;
}

/** What a step would commit. Nothing of it has happened to the run yet. */
export type Draft = FinishedDraft | PhaseDraft | FailedCallDraft | SuspendedDraft;

/** Thrown through a body to end its step with a suspension. */
export class StepSuspended extends Error {
  readonly draft: SuspendedDraft;

  constructor(draft: SuspendedDraft) {
    super('the step waits for an answer');
    this.draft = draft;
  }
}
