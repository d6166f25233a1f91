import type { McpCall, McpOffer } from './connection.ts';
import type { McpAnswer, McpOutcome } from './pending-call.ts';

/** Access to a workspace's servers, in this thread or shared. All methods throw `ToolError`, and `FlowError` `Cancelled`. */
export interface McpAccess {
  /** Returns the tools that a server currently lists; starts it if necessary. */
  offer(name: string, signal: AbortSignal): Promise<McpOffer>;
  /** Calls a tool of a server; starts it if necessary. */
  call(name: string, call: McpCall): Promise<McpOutcome>;
  /** Answers the question of an open call; null if the call is no longer open because the server has ended. */
  answer(name: string, key: string, answer: McpAnswer, signal: AbortSignal): Promise<McpOutcome | null>;
}

/** The owner of the connections. */
export interface McpHolder extends McpAccess {
  /** Cancels the calls of a run whose questions will not be answered. */
  forget(runId: string): void;
}
