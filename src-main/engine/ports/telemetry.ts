import type { Json } from '#shared/json.ts';
import type { TokenUsage } from '#shared/run/token-usage.ts';

/** Identifies a span (W3C Trace Context): 32 and 16 lower-case hexadecimal digits. */
export interface SpanPlace {
  readonly trace_id: string;
  readonly span_id: string;
}

/** `workflow`: driving a run until it rests; `agent`: a visit of an agent node; `model`: a model call; `tool`: a tool call. */
export type OperationKind = 'workflow' | 'agent' | 'model' | 'tool';

/** What an operation that begins is. Plain JSON. */
export interface OperationStart {
  readonly kind: OperationKind;
  /** Name of the flow, id of the node in its flow, URL of the model, or name of the tool. */
  readonly name: string;
  readonly run_id: string;
  /** Id of the node in the run. */
  readonly node?: string;
  readonly flow_hash?: string;
  /** Id of the agent's kept conversation. */
  readonly conversation_id?: string | undefined;
  readonly tool_call_id?: string;
  /** Where the run was traced before it rested. */
  readonly previous?: SpanPlace | undefined;
  /** A model's request or a tool's input, with secrets masked. Only if `Telemetry.content`. */
  readonly input?: Json | undefined;
}

/** How an operation ended. Plain JSON. */
export interface OperationEnd {
  /** Of a workflow: why it rests. */
  readonly status?: 'success' | 'error' | 'cancelled' | 'suspended' | 'paused';
  /** Code of the failure. */
  readonly error?: string;
  readonly usage?: TokenUsage;
  readonly finish_reason?: string;
  /** A model's answer or a tool's result, with secrets masked. Only if `Telemetry.content`. */
  readonly output?: Json | undefined;
}

/** An operation in progress. */
export interface RunningOperation {
  readonly place: SpanPlace;
  /** Begins an operation inside this one. */
  begin(start: OperationStart): RunningOperation;
  /** Calls `work` with this operation as the active one, so that what it requests belongs to it. */
  within<Result>(work: () => Result): Result;
  end(end: OperationEnd): void;
}

/** Receives what runs do: operations with their beginnings and ends. */
export interface Telemetry {
  /** Whether operations carry contents: messages, inputs and results. */
  readonly content: boolean;
  /** Begins an operation, inside what is active in the caller. */
  begin(start: OperationStart): RunningOperation;
}
