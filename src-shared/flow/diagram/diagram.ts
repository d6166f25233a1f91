import type { GraphNodeKind } from '#shared/flow/document.ts';
import type { FlowGraph, GraphNode } from '#shared/flow/graph.ts';
import { originOf, ownName } from '#shared/flow/origin.ts';
import type { Snapshot } from '#shared/run/snapshot.ts';

/** What a shape in a diagram stands for. `flow` is a nested flow that is not opened; `input` and `output` are the ends of a flow. */
export type DiagramKind = GraphNodeKind | 'flow' | 'input' | 'output';

export interface DiagramNode {
  /** Unique in the diagram: `n0`, `n1`, … */
  readonly key: string;
  readonly kind: DiagramKind;
  readonly label: string;
  /** The box that contains it. */
  readonly box: string | null;
  /** The run waits here or continues from here. */
  readonly here: boolean;
}

export interface DiagramEdge {
  readonly from: string;
  readonly to: string;
  /** The state, for branches and for states that a join takes. */
  readonly label: string;
}

/** A nested flow, drawn as a box around its nodes. */
export interface DiagramBox {
  /** Unique in the diagram: `b0`, `b1`, … */
  readonly key: string;
  readonly label: string;
  readonly parent: string | null;
}

/** The shapes of a flow, independent of the language in which they are written. */
export interface Diagram {
  readonly name: string;
  readonly nodes: readonly DiagramNode[];
  readonly edges: readonly DiagramEdge[];
  readonly boxes: readonly DiagramBox[];
}

/** What a diagram shows. */
export interface DiagramOptions {
  /** How many levels of nested flows are opened. Default: 1. */
  readonly depth?: number;
  /** A run of the flow: marks where it stands. */
  readonly run?: Pick<Snapshot, 'states'>;
}

/** The diagram of a flow. The same flow always gives the same diagram. */
export function diagramOf(graph: FlowGraph, { depth = 1, run }: DiagramOptions = {}): Diagram {
  const drawing = new Drawing();
  const waiting = new Set(run?.states.map(({ name }) => name));
  drawing.flow(graph, { depth, box: null, waiting });
  return { name: graph.name, nodes: drawing.nodes, edges: drawing.edges, boxes: drawing.boxes };
}

interface Level {
  readonly depth: number;
  readonly box: string | null;
  readonly waiting: ReadonlySet<string>;
}

/** Where the edges of a node end and begin: not the same for an opened list. */
interface Ends {
  readonly entry: string;
  readonly exit: string;
}

class Drawing {
  readonly nodes: DiagramNode[] = [];
  readonly edges: DiagramEdge[] = [];
  readonly boxes: DiagramBox[] = [];

  flow(graph: FlowGraph, level: Level): Ends {
    const { box, waiting } = level;
    const entry = this.#node({ kind: 'input', label: graph.input, box, here: false });
    const drawn = new Map<string, Ends>();
    const boxes = new Map<string, string>();
    for (const node of graph.nodes) drawn.set(node.id, this.#drawn(graph, node, level, { drawn, boxes }));
    const exit = this.#node({ kind: 'output', label: graph.output, box, here: waiting.has(graph.output) });
    const consumers = new Map(graph.nodes.flatMap((node) => node.from.map((state) => [state, node] as const)));
    const connect = (from: string, state: string, branch: boolean) => {
      const consumer = consumers.get(state);
      const to = consumer ? (drawn.get(consumer.id)?.entry ?? exit) : exit;
      const named = branch || (consumer !== undefined && consumer.from.length > 1);
      if (from !== to) this.#edge({ from, to, label: named ? (consumer ? ownName(consumer, state) : state) : '' });
    };
    connect(entry, graph.input, false);
    for (const node of graph.nodes) for (const state of node.to) connect(drawn.get(node.id)?.exit ?? entry, state, node.to.length > 1);
    return { entry, exit };
  }

  #drawn(
    graph: FlowGraph,
    node: GraphNode,
    { depth, box, waiting }: Level,
    known: { readonly drawn: ReadonlyMap<string, Ends>; readonly boxes: Map<string, string> },
  ): Ends {
    const chain = originOf(graph, node).slice(0, -1);
    const here = node.from.some((state) => waiting.has(state));
    let parent = box;
    for (const [index, { flow, node: id, title }] of chain.entries()) {
      const path = `${chain
        .slice(0, index + 1)
        .map((each) => `${each.flow}#${each.node}`)
        .join('/')}`;
      const label = title ?? id;
      if (index >= depth) return this.#closed(known.boxes, `${path} ${flow}`, { kind: 'flow', label, box: parent, here });
      parent = known.boxes.get(path) ?? this.#box(label, parent);
      known.boxes.set(path, parent);
    }
    const label = node.title ?? node.from.map((state) => ownName(node, state)).join(' + ');
    const { body } = node;
    if (body.type !== 'each' || chain.length >= depth) {
      const key = this.#node({ kind: node.kind, label, box: parent, here });
      return { entry: key, exit: key };
    }
    return this.flow(body.flow, { depth: depth - chain.length - 1, box: this.#box(`${label} (each)`, parent), waiting: new Set() });
  }

  /** One shape for all nodes of a flow that is not opened. */
  #closed(boxes: Map<string, string>, path: string, node: Omit<DiagramNode, 'key'>): Ends {
    const known = boxes.get(path);
    const key = known ?? this.#node(node);
    boxes.set(path, key);
    const index = this.nodes.findIndex((each) => each.key === key);
    if (node.here) this.nodes[index] = { ...(this.nodes[index] as DiagramNode), here: true };
    return { entry: key, exit: key };
  }

  #node(node: Omit<DiagramNode, 'key'>): string {
    const key = `n${this.nodes.length}`;
    this.nodes.push({ key, ...node });
    return key;
  }

  #box(label: string, parent: string | null): string {
    const key = `b${this.boxes.length}`;
    this.boxes.push({ key, label, parent });
    return key;
  }

  /** Two nodes may be connected by several states, but each connection is drawn once. */
  #edge(edge: DiagramEdge): void {
    if (!this.edges.some(({ from, to, label }) => from === edge.from && to === edge.to && label === edge.label)) this.edges.push(edge);
  }
}
