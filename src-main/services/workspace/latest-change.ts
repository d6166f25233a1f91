import type { WorkspaceEvent } from '#shared/contract/workspace.ts';

/** Appends to a slow reader's backlog of folder changes: several changes are merged, and opening another folder discards them. */
export function latestChange(waiting: WorkspaceEvent[], event: WorkspaceEvent): void {
  if (event.type === 'opened') {
    waiting.length = 0;
    waiting.push(event);
    return;
  }
  const last = waiting.at(-1);
  if (last?.type !== 'changed') waiting.push(event);
  else waiting[waiting.length - 1] = { ...event, flows: [...new Set([...last.flows, ...event.flows])] };
}
