import type { NodeView } from './graph-view.ts';

/** The state that a node added behind this one consumes: an output that nothing consumes yet, last of all the flow's own result. */
export function openOutputOf(node: NodeView | undefined): string | undefined {
  const open = node?.outputs.filter((port) => port.open) ?? [];
  return (open.find((port) => !port.terminal) ?? open[0])?.state;
}
