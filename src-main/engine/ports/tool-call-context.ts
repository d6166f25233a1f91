import type { Json, JsonSchema } from '#shared/json.ts';

/** The context of a call of a tool in code: what `defineTool` passes to `call` and `resume`, also in the process of the workspace's own code. */
export interface ToolCallContext {
  /** The calling node. */
  readonly node: string;
  /** Unique in the run, and the same when the call is repeated after a crash. Use it as an idempotency key. */
  readonly tool_call_id: string;
  /** Real path of the workspace. */
  readonly working_dir: string;
  /** Aborted when the run is cancelled or the call takes too long. */
  readonly signal: AbortSignal;
  /** Writes a line to the run's log. */
  log(message: string): void;
  /** Suspends the run until the user answers; `payloadSchema` describes the answer, which is the call's result or is passed to `resume`. */
  suspend(value: Json, payloadSchema?: JsonSchema): never;
}
