import type { Impurity } from '#main/runtime/settle-value.ts';
import type { FlowGraph } from '#shared/flow/graph.ts';
import type { Problem } from '#shared/flow/problem.ts';
import type { Json, JsonSchema } from '#shared/json.ts';

/** Something that code of the workspace threw. */
export interface ModuleError {
  readonly name?: string;
  readonly message: string;
  readonly stack?: string;
  readonly retryable?: boolean;
  /** The tool call whose failure it is. */
  readonly call?: number;
  /** What a flow's `build()` has found wrong with it. */
  readonly problems?: readonly Problem[];
}

/** Which function of which file is called. `file` is a real path. */
export type CallTarget =
  | { readonly type: 'export'; readonly file: string; readonly export: string }
  /** A handler of a flow in code: by the ids of the `each` nodes that lead to it and its own. Refused when its source is another one now. */
  | { readonly type: 'handler'; readonly file: string; readonly at: readonly string[]; readonly source: string };

/** What a handler is called with. */
export interface HandlerRequest {
  readonly target: CallTarget;
  /** The consumed values. */
  readonly args: readonly Json[];
  readonly node: string;
  readonly tools: readonly string[];
  readonly now: number;
  readonly seed: number;
}

/** What a tool of the workspace is called with. */
export interface ToolRequest {
  /** Real path. */
  readonly file: string;
  readonly method: 'call' | 'resume';
  /** The input; for `resume` the payload too. */
  readonly args: readonly Json[];
  readonly node: string;
  readonly tool_call_id: string;
  readonly working_dir: string;
}

/** A tool as its file describes it. */
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

/** A flow as its file describes it: handlers by their source. */
export interface FlowDescription {
  readonly graph: FlowGraph;
  /** Real paths of the files that were loaded for it, packages left out. */
  readonly files: readonly string[];
}

/** What the process of a workspace's code is asked. `file` is a real path. */
export type ModuleRequest =
  | { readonly type: 'describe_flow'; readonly file: string }
  | { readonly type: 'describe_tool'; readonly file: string }
  | ({ readonly type: 'call_handler' } & HandlerRequest)
  | ({ readonly type: 'call_tool' } & ToolRequest);

export type ToChild =
  | { readonly type: 'request'; readonly id: number; readonly request: ModuleRequest }
  | ({ readonly type: 'tool_result'; readonly call: number } & ToolReply);

/** What a tool call comes to inside a handler. */
export type ToolReply =
  | { readonly result: Json }
  | { readonly error: { readonly message: string; readonly variant: string; readonly code: string } };

/** How a request ended. */
export type ModuleOutcome =
  | { readonly value: unknown }
  | { readonly error: ModuleError }
  /** The function returned what JSON cannot carry. */
  | { readonly impure: Impurity }
  /** The tool asks somebody. */
  | { readonly suspend: Json; readonly payload_schema?: JsonSchema };

export type FromChild =
  | { readonly type: 'done'; readonly id: number; readonly outcome: ModuleOutcome }
  | { readonly type: 'log'; readonly id: number; readonly values: readonly Json[] }
  | { readonly type: 'tool'; readonly id: number; readonly call: number; readonly name: string; readonly input: Json };
