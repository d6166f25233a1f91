import type { NodeKind } from '#shared/flow/document.ts';
import type { OutlineNode } from '#shared/flow/outline.ts';
import { type NodeDetail, nodeDetail } from './node-detail.ts';
import { nodeTitle } from './node-title.ts';
import type { ReadableFlow } from './readable-flow.ts';

/** One end of a node at which a state enters or leaves. */
export interface PortView {
  readonly state: string;
  /** For an output: no node consumes this state. For an input: no node produces it. */
  readonly open: boolean;
  /** The flow's entry state, at the input of the node that consumes it. */
  readonly entry: boolean;
  /** The flow's terminal state. */
  readonly terminal: boolean;
}

/** A node as the canvas and the outline show it. Plain data, shared between renderings while nothing in it changes. */
export interface NodeView {
  /** Unique on the canvas: the node's id; where two nodes consume one state, the later ones end in `#2`, `#3`. */
  readonly key: string;
  /** The engine's id: the consumed state, of a join both joined by `+`. */
  readonly id: string;
  /** Position in the document's `nodes`. */
  readonly index: number;
  readonly kind: NodeKind;
  readonly title: string;
  readonly inputs: readonly PortView[];
  readonly outputs: readonly PortView[];
  readonly detail: NodeDetail | null;
}

/** A wire: one state from an output that produces it to an input that consumes it. */
export interface WireView {
  readonly key: string;
  readonly state: string;
  readonly source: string;
  readonly source_port: number;
  readonly target: string;
  readonly target_port: number;
}

export interface GraphView {
  readonly nodes: readonly NodeView[];
  readonly wires: readonly WireView[];
}

export const noGraph: GraphView = { nodes: [], wires: [] };

/** Derives nodes, ports and wires from a flow. Wires are never written down: equal names are connected. */
export function graphView(flow: ReadableFlow): GraphView {
  const consumers = new Map<string, { key: string; port: number }[]>();
  const produced = new Set<string>();
  const keys = uniqueKeys(flow.nodes);
  flow.nodes.forEach((node, position) => {
    for (const state of node.to) produced.add(state);
    node.from.forEach((state, port) => {
      const list = consumers.get(state) ?? [];
      list.push({ key: keys[position] as string, port });
      consumers.set(state, list);
    });
  });

  const wires: WireView[] = [];
  const nodes = flow.nodes.map((node, position): NodeView => {
    const key = keys[position] as string;
    node.to.forEach((state, sourcePort) => {
      for (const { key: target, port } of consumers.get(state) ?? []) {
        wires.push({
          key: `${key}:${sourcePort}>${target}:${port}`,
          state,
          source: key,
          source_port: sourcePort,
          target,
          target_port: port,
        });
      }
    });
    return {
      key,
      id: node.id,
      index: node.index,
      kind: node.kind,
      title: nodeTitle(node),
      inputs: node.from.map((state) => ({ state, open: !produced.has(state), entry: state === flow.input, terminal: false })),
      outputs: node.to.map((state) => ({ state, open: !consumers.has(state), entry: false, terminal: state === flow.output })),
      detail: nodeDetail(node),
    };
  });
  return { nodes, wires };
}

function uniqueKeys(nodes: readonly OutlineNode[]): readonly string[] {
  const seen = new Map<string, number>();
  return nodes.map(({ id }) => {
    const count = (seen.get(id) ?? 0) + 1;
    seen.set(id, count);
    return count === 1 ? id : `${id}#${count}`;
  });
}
