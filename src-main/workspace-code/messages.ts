import type { Impurity } from '#main/engine/settle-value.ts';
import type { FlowGraph } from '#shared/flow/graph.ts';
import type { Problem } from '#shared/flow/problem.ts';
import type { Json, JsonSchema } from '#shared/json.ts';

/** An error thrown by the workspace's code. */
export interface ModuleError {
  readonly name?: string;
  readonly message: string;
  readonly stack?: string;
  readonly retryable?: boolean;
  /** The failed tool call. */
  readonly call?: number;
  /** Problems found by a flow's `build()`. */
  readonly problems?: readonly Problem[];
}

/** The function to call. `file` is a real path. */
export type CallTarget =
  | { readonly type: 'export'; readonly file: string; readonly export: string }
  /** A handler of a flow in code: the ids of the enclosing `each` nodes and its own. Rejected if its source has changed. */
  | { readonly type: 'handler'; readonly file: string; readonly at: readonly string[]; readonly source: string };

/** The arguments of a handler. */
export interface HandlerRequest {
  readonly target: CallTarget;
  /** The consumed values. */
  readonly args: readonly Json[];
  readonly node: string;
  readonly tools: readonly string[];
  readonly now: number;
  readonly seed: number;
}

/** The arguments of a workspace tool. */
export interface ToolRequest {
  /** Real path. */
  readonly file: string;
  readonly method: 'call' | 'resume';
  /** The input; for `resume` also the payload. */
  readonly args: readonly Json[];
  readonly node: string;
  readonly tool_call_id: string;
  readonly working_dir: string;
}

/** The description of a tool. */
export interface ToolDescription {
  readonly name: string;
  readonly description: string;
  readonly input_schema: JsonSchema;
  readonly output_schema?: JsonSchema;
  readonly effect: 'none' | 'read' | 'write';
  readonly approve: 'always' | 'never';
  /** Seconds. */
  readonly timeout?: number;
  readonly resumes: boolean;
}

/** The description of a flow, with the source of its handlers. */
export interface FlowDescription {
  readonly graph: FlowGraph;
  /** Real paths of the loaded files, without packages. */
  readonly files: readonly string[];
}

/** Requests to the process of a workspace's code. `file` is a real path. */
export type ModuleRequest =
  | { readonly type: 'describe_flow'; readonly file: string }
  | { readonly type: 'describe_tool'; readonly file: string }
  | ({ readonly type: 'call_handler' } & HandlerRequest)
  | ({ readonly type: 'call_tool' } & ToolRequest);

export type ToChild =
  | { readonly type: 'request'; readonly id: number; readonly request: ModuleRequest }
  | ({ readonly type: 'tool_result'; readonly call: number } & ToolReply);

/** The outcome of a tool call inside a handler. */
export type ToolReply =
  | { readonly result: Json }
  | { readonly error: { readonly message: string; readonly variant: string; readonly code: string } };

/** The outcome of a request. */
export type ModuleOutcome =
  | { readonly value: unknown }
  | { readonly error: ModuleError }
  /** The function returned a value that is not JSON. */
  | { readonly impure: Impurity }
  /** The tool suspended the run. */
  | { readonly suspend: Json; readonly payload_schema?: JsonSchema };

export type FromChild =
  | { readonly type: 'done'; readonly id: number; readonly outcome: ModuleOutcome }
  | { readonly type: 'log'; readonly id: number; readonly values: readonly Json[] }
  | { readonly type: 'tool'; readonly id: number; readonly call: number; readonly name: string; readonly input: Json };
