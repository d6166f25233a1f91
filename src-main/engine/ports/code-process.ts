import type { NotJson } from '#main/engine/values/freeze-json.ts';
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

/** The outcome of a tool call inside a handler. */
export type ToolReply =
  | { readonly result: Json }
  | { readonly error: { readonly message: string; readonly variant: string; readonly code: string } };

/** The outcome of a request. */
export type ModuleOutcome =
  | { readonly value: unknown }
  | { readonly error: ModuleError }
  /** The function returned a value that is not JSON. */
  | { readonly impure: NotJson }
  /** The tool suspended the run. */
  | { readonly suspend: Json; readonly payload_schema?: JsonSchema };

/** Callbacks of a request in progress. */
export interface ModuleListener {
  log?(values: readonly Json[]): void;
  /** Rejects to cancel the whole call. */
  tool?(call: number, name: string, input: Json): Promise<ToolReply>;
}

/** A process in which a trusted workspace's own code runs. */
export interface CodeProcess {
  /** False once the process has ended. */
  readonly usable: boolean;
  /** Calls a handler and resolves with its outcome; rejects if the process ends. */
  request(request: { readonly type: 'call_handler' } & HandlerRequest, listener?: ModuleListener): Promise<ModuleOutcome>;
  /** Ends the process. A request in progress is rejected with this reason. */
  dispose(reason?: string): void;
}

/** Starts the process in a folder, a real path. */
export type StartCodeProcess = (folder: string) => CodeProcess;
