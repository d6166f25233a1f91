import type { HandlerRequest, ModuleOutcome, ToolReply } from '#main/engine/ports/code-process.ts';
import type { FlowGraph } from '#shared/flow/graph.ts';
import type { Json, JsonSchema } from '#shared/json.ts';

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
  readonly idempotent?: boolean;
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

export type FromChild =
  | { readonly type: 'done'; readonly id: number; readonly outcome: ModuleOutcome }
  | { readonly type: 'log'; readonly id: number; readonly values: readonly Json[] }
  | { readonly type: 'tool'; readonly id: number; readonly call: number; readonly name: string; readonly input: Json };
