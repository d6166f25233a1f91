import type { WorkspaceEvent } from '#shared/contract/workspace.ts';

/** How news of the folder pile up before a slow reader: several changes become one, and another folder makes them all old. */
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
