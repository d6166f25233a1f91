import type { ElkNode } from 'elkjs/lib/elk-api.js';
import { cardHeight, cardWidth, portOffset } from '#renderer/document/graph/card-geometry.ts';
import type { GraphView } from '#renderer/document/graph/graph-view.ts';
import type { Layout } from '#shared/contract/flows.ts';

const options = {
  'elk.algorithm': 'layered',
  'elk.direction': 'RIGHT',
  'elk.layered.spacing.nodeNodeBetweenLayers': '56',
  'elk.spacing.nodeNode': '32',
  'elk.spacing.componentComponent': '56',
  'elk.layered.considerModelOrder.strategy': 'NODES_AND_EDGES',
  'elk.layered.nodePlacement.strategy': 'NETWORK_SIMPLEX',
  'elk.layered.cycleBreaking.strategy': 'MODEL_ORDER',
  // Deterministic layout.
  'elk.randomSeed': '1',
};

/** The graph as ELK's input: cards with their real sizes and port positions. */
export function elkGraph(view: GraphView): ElkNode {
  return {
    id: 'flow',
    layoutOptions: options,
    children: view.nodes.map((node) => ({
      id: node.key,
      width: cardWidth(node),
      height: cardHeight(node),
      layoutOptions: { 'elk.portConstraints': 'FIXED_POS' },
      ports: [
        ...node.inputs.map((_, index) => ({
          id: `${node.key}/in/${index}`,
          x: 0,
          y: portOffset(index, node),
          width: 0,
          height: 0,
          layoutOptions: { 'elk.port.side': 'WEST' },
        })),
        ...node.outputs.map((_, index) => ({
          id: `${node.key}/out/${index}`,
          x: cardWidth(node),
          y: portOffset(index, node),
          width: 0,
          height: 0,
          layoutOptions: { 'elk.port.side': 'EAST' },
        })),
      ],
    })),
    edges: view.wires.map((wire) => ({
      id: wire.key,
      sources: [`${wire.source}/out/${wire.source_port}`],
      targets: [`${wire.target}/in/${wire.target_port}`],
    })),
  };
}

/** Positions from ELK's result, rounded to the grid of 4 pixels. */
export function layoutFrom(answer: ElkNode): Layout['nodes'] {
  const round = (value: number | undefined) => Math.round((value ?? 0) / 4) * 4;
  return Object.fromEntries((answer.children ?? []).map((node) => [node.id, { x: round(node.x), y: round(node.y) }]));
}
