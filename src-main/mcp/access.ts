import type { McpAnswer, McpOutcome } from '#main/mcp/call-under-way.ts';
import type { McpCall, McpOffer } from '#main/mcp/connection.ts';

/** A workspace's servers, as their tools reach them: of this thread, or shared with others. All throw `ToolError`, and `FlowError` `Cancelled`. */
export interface McpAccess {
  /** The tools that a server lists now; starts it. */
  offer(name: string, signal: AbortSignal): Promise<McpOffer>;
  /** Calls a tool of a server; starts it. */
  call(name: string, call: McpCall): Promise<McpOutcome>;
  /** Answers the question of a call that is still open; null where it is not, because the server has ended meanwhile. */
  answer(name: string, key: string, answer: McpAnswer, signal: AbortSignal): Promise<McpOutcome | null>;
}

/** Whoever holds the connections. */
export interface McpHolder extends McpAccess {
  /** Gives up the calls of a run that nobody will answer any more. */
  forget(run_id: string): void;
}
