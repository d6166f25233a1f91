import type { NodeKind } from '#shared/flow/document.ts';
import type { OutlineNode } from '#shared/flow/outline.ts';
import { type NodeDetail, nodeDetail } from './node-detail.ts';
import { nodeTitle } from './node-title.ts';
import type { ReadableFlow } from './readable-flow.ts';
import { shareStructure } from './share-structure.ts';

/** A port of a node: one state that enters or leaves. */
export interface PortView {
  readonly state: string;
  /** For an output: no node consumes this state. For an input: no node produces it. */
  readonly open: boolean;
  /** The flow's entry state, at the input of the node that consumes it. */
  readonly entry: boolean;
  /** The flow's terminal state. */
  readonly terminal: boolean;
}

/** A node as the canvas and the outline show it. Plain data, with the same identity while nothing in it changes. */
export interface NodeView {
  /** Unique on the canvas: the node's id. If several nodes consume one state, the later ones end in `#2`, `#3`. */
  readonly key: string;
  /** The engine's id: the consumed state; for a join, both joined by `+`. */
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

/**
 * Derives nodes, ports and wires from a flow. Wires are not stored: equal names are connected. Parts of `previous`, an
 * earlier view, that did not change keep their identity, so that they are not rendered again.
 */
export function graphView(flow: ReadableFlow, previous: GraphView = noGraph): GraphView {
  const view = withSameWires(flow, previous) ?? wholeView(flow, previous);
  if (view !== noGraph) flowOf.set(view, flow);
  return view;
}

/** The flow that a view was last derived from. */
const flowOf = new WeakMap<GraphView, ReadableFlow>();

/** The view of a flow in which the nodes consume and produce what they did in `previous`, or null: an edit of one node costs one node. */
function withSameWires(flow: ReadableFlow, previous: GraphView): GraphView | null {
  const before = flowOf.get(previous);
  if (before?.input !== flow.input || before.output !== flow.output || before.nodes.length !== flow.nodes.length) return null;
  let nodes: NodeView[] | null = null;
  for (let position = 0; position < flow.nodes.length; position++) {
    const [node, old] = [flow.nodes[position] as OutlineNode, before.nodes[position] as OutlineNode];
    if (node === old) continue;
    if (node.id !== old.id || !sameItems(node.from, old.from) || !sameItems(node.to, old.to)) return null;
    const known = previous.nodes[position] as NodeView;
    const { index, kind } = node;
    const view = shareStructure(known, { ...known, index, kind, title: nodeTitle(node), detail: nodeDetail(node) });
    drawn.set(node, view);
    if (view === known) continue;
    nodes ??= [...previous.nodes];
    nodes[position] = view;
  }
  return nodes ? { nodes, wires: previous.wires } : previous;
}

function wholeView(flow: ReadableFlow, previous: GraphView): GraphView {
  const consumers = new Map<string, { key: string; port: number }[]>();
  const produced = new Set<string>();
  const keys = uniqueKeys(flow.nodes);
  flow.nodes.forEach((node, position) => {
    for (const state of node.to) produced.add(state);
    node.from.forEach((state, port) => {
      const list = consumers.get(state);
      const consumer = { key: keys[position] as string, port };
      if (list) list.push(consumer);
      else consumers.set(state, [consumer]);
    });
  });

  const nodes = flow.nodes.map((node, position): NodeView => {
    const key = keys[position] as string;
    const inputs = node.from.map((state) => ({ state, open: !produced.has(state), entry: state === flow.input, terminal: false }));
    const outputs = node.to.map((state) => ({ state, open: !consumers.has(state), entry: false, terminal: state === flow.output }));
    const before = drawn.get(node);
    if (before?.key === key && samePorts(before.inputs, inputs) && samePorts(before.outputs, outputs)) return before;
    const { id, index, kind } = node;
    const view = shareStructure(previous.nodes[position], {
      key,
      id,
      index,
      kind,
      title: nodeTitle(node),
      inputs,
      outputs,
      detail: nodeDetail(node),
    });
    drawn.set(node, view);
    return view;
  });
  return shared(previous, { nodes, wires: wiresOf(flow, keys, consumers, previous) });
}

/** The last view of a node: an unchanged node of the text keeps its identity. */
const drawn = new WeakMap<OutlineNode, NodeView>();

function wiresOf(
  flow: ReadableFlow,
  keys: readonly string[],
  consumers: ReadonlyMap<string, readonly { key: string; port: number }[]>,
  previous: GraphView,
): WireView[] {
  const wires: WireView[] = [];
  // After a wire was added or removed, find the later ones by their keys.
  let byKey: Map<string, WireView> | null = null;
  flow.nodes.forEach((node, position) => {
    const source = keys[position] as string;
    node.to.forEach((state, sourcePort) => {
      for (const { key: target, port } of consumers.get(state) ?? []) {
        const wire = { state, source, source_port: sourcePort, target, target_port: port };
        let before = previous.wires[wires.length];
        if (before && sameWire(before, wire)) {
          wires.push(before);
          continue;
        }
        const key = `${source}:${sourcePort}>${target}:${port}`;
        byKey ??= new Map(previous.wires.map((known) => [known.key, known]));
        before = byKey.get(key);
        wires.push(before && sameWire(before, wire) ? before : { key, ...wire });
      }
    });
  });
  return wires;
}

function sameWire(a: WireView, b: Omit<WireView, 'key'>): boolean {
  return (
    a.state === b.state &&
    a.source === b.source &&
    a.target === b.target &&
    a.source_port === b.source_port &&
    a.target_port === b.target_port
  );
}

function samePorts(a: readonly PortView[], b: readonly PortView[]): boolean {
  if (a.length !== b.length) return false;
  return a.every((port, index) => {
    const other = b[index];
    return port.state === other?.state && port.open === other.open && port.entry === other.entry && port.terminal === other.terminal;
  });
}

/** `next`, or `previous` if they are equal; unchanged lists keep their identity. */
function shared(previous: GraphView, next: GraphView): GraphView {
  const nodes = sameItems(previous.nodes, next.nodes) ? previous.nodes : next.nodes;
  const wires = sameItems(previous.wires, next.wires) ? previous.wires : next.wires;
  return nodes === previous.nodes && wires === previous.wires ? previous : { nodes, wires };
}

function sameItems<Item>(a: readonly Item[], b: readonly Item[]): boolean {
  return a.length === b.length && a.every((item, index) => item === b[index]);
}

/** A key for each node: its id, with a number if an earlier one has the same. */
export function uniqueKeys(nodes: readonly OutlineNode[]): readonly string[] {
  const seen = new Map<string, number>();
  return nodes.map(({ id }) => {
    const count = (seen.get(id) ?? 0) + 1;
    seen.set(id, count);
    return count === 1 ? id : `${id}#${count}`;
  });
}
