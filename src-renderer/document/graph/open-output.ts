import type { NodeView } from './graph-view.ts';

/**
 * The state that a node added after this one consumes: an output without consumer, preferably not the flow's own
 * output.
 */
export function openOutputOf(node: NodeView | undefined): string | undefined {
  const open = node?.outputs.filter((port) => port.open) ?? [];
  return (open.find((port) => !port.terminal) ?? open[0])?.state;
}
