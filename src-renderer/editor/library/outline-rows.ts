import type { GraphView, NodeView, PortView } from '#renderer/document/graph/graph-view.ts';

/** A row of the outline: a node, or a state that it produces. */
export type OutlineRow =
  | { readonly type: 'node'; readonly node: NodeView; readonly position: number }
  | {
      readonly type: 'state';
      readonly node: NodeView;
      readonly port: PortView;
      readonly position: number;
      /** Key of the node that consumes the state. */
      readonly leadsTo: string | undefined;
    };

/** The rows of the outline in document order. `position` counts from 0 among the rows of the same parent. */
export function outlineRows(view: GraphView): OutlineRow[] {
  const targets = new Map<string, string>();
  for (const wire of view.wires) {
    const end = `${wire.source}:${wire.source_port}`;
    if (!targets.has(end)) targets.set(end, wire.target);
  }
  return view.nodes.flatMap((node, position): OutlineRow[] => [
    { type: 'node', node, position },
    ...node.outputs.map(
      (port, index): OutlineRow => ({ type: 'state', node, port, position: index, leadsTo: targets.get(`${node.key}:${index}`) }),
    ),
  ]);
}
