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
  if (breakpoint.node !== undefined) await showNodeOf({ flow: flow.path, node: breakpoint.node });
}

/** Shows a flow, and selects its node. */
export async function showNodeOf({ flow: path, node }: { readonly flow: string; readonly node: string }): Promise<void> {
  await showFlow(path);
  const flow = currentFlow();
  const key = flow?.path === path ? flow.view.nodes.find(({ id }) => id === node)?.key : undefined;
  if (key !== undefined) revealNode(key);
}
