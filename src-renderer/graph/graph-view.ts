import type { DocumentNode, FlowDocument, NodeKind } from '#shared/flow/document.ts';
import { nodeIdOf } from '#shared/flow/graph.ts';
import { type NodeDetail, nodeDetail } from './node-detail.ts';
import { nodeTitle } from './node-title.ts';

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

/** What a nested flow consumes and produces, by the path that the outer document names. */
export type InnerPorts = Readonly<Record<string, { readonly input: string; readonly output: string }>>;

export const noGraph: GraphView = { nodes: [], wires: [] };

/** States that a node consumes, in the document's order. Of a nested flow that cannot be read: none. */
export function consumedBy(node: DocumentNode, inner: InnerPorts = {}): readonly string[] {
  if (node.kind === 'flow') return inner[node.flow] ? [inner[node.flow]?.input ?? ''] : [];
  return Array.isArray(node.from) ? node.from : [node.from];
}

/** States that a node produces, in the document's order. */
export function producedBy(node: DocumentNode, inner: InnerPorts = {}): readonly string[] {
  if (node.kind === 'flow') return inner[node.flow] ? [inner[node.flow]?.output ?? ''] : [];
  return Array.isArray(node.to) ? node.to : [node.to];
}

/** Derives nodes, ports and wires from a document. Wires are never written down: equal names are connected. */
export function graphView(document: FlowDocument, inner: InnerPorts = {}): GraphView {
  const consumers = new Map<string, { key: string; port: number }[]>();
  const produced = new Set<string>();
  const keys = uniqueKeys(document.nodes, inner);
  document.nodes.forEach((node, index) => {
    for (const state of producedBy(node, inner)) produced.add(state);
    consumedBy(node, inner).forEach((state, port) => {
      const list = consumers.get(state) ?? [];
      list.push({ key: keys[index] as string, port });
      consumers.set(state, list);
    });
  });

  const wires: WireView[] = [];
  const nodes = document.nodes.map((node, index): NodeView => {
    const key = keys[index] as string;
    const outputs = producedBy(node, inner);
    outputs.forEach((state, sourcePort) => {
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
    const from = consumedBy(node, inner);
    return {
      key,
      id: node.kind === 'flow' && from.length === 0 ? key : nodeIdOf(from),
      index,
      kind: node.kind,
      title: nodeTitle(node, from),
      inputs: from.map((state) => ({ state, open: !produced.has(state), entry: state === document.input, terminal: false })),
      outputs: outputs.map((state) => ({ state, open: !consumers.has(state), entry: false, terminal: state === document.output })),
      detail: nodeDetail(node),
    };
  });
  return { nodes, wires };
}

function uniqueKeys(nodes: readonly DocumentNode[], inner: InnerPorts): readonly string[] {
  const seen = new Map<string, number>();
  return nodes.map((node) => {
    const from = consumedBy(node, inner);
    const id = from.length > 0 ? nodeIdOf(from) : node.kind === 'flow' ? node.flow : node.kind;
    const count = (seen.get(id) ?? 0) + 1;
    seen.set(id, count);
    return count === 1 ? id : `${id}#${count}`;
  });
}
