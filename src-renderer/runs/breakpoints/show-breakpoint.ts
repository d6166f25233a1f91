import { currentFlow, showFlow } from '#renderer/document/flows/editor.ts';
import { revealNode, select } from '#renderer/document/flows/selection.ts';
import type { Breakpoint } from '#shared/contract/breakpoint.ts';

/** Shows the flow of a breakpoint, and selects its node or wire. */
export async function showBreakpoint(breakpoint: Breakpoint): Promise<void> {
  if (!('flow' in breakpoint) || breakpoint.flow === undefined) return;
  await showFlow(breakpoint.flow);
  const flow = currentFlow();
  if (flow?.path !== breakpoint.flow) return;
  if (breakpoint.kind === 'state') {
    const wire = flow.view.wires.find(({ state }) => state === breakpoint.state);
    if (wire) select([], [wire.key]);
    return;
  }
  const key = flow.view.nodes.find(({ id }) => id === breakpoint.node)?.key;
  if (key !== undefined) revealNode(key);
}
