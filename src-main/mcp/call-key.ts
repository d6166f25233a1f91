import type { ToolContext } from '#main/engine/ports/tool.ts';

/** Identifies a call within a folder, because runs share the servers. */
export function callKey({ run_id: runId, node, tool_call_id }: Pick<ToolContext, 'run_id' | 'node' | 'tool_call_id'>): string {
  return `${runId} ${node} ${tool_call_id}`;
}

/** Whether a key belongs to a call by a run, or by a flow that the run called (see `ToolContext.run_id`). */
export function isOfRun(key: string, runId: string): boolean {
  return key.startsWith(`${runId} `) || key.startsWith(`${runId}/`);
}
