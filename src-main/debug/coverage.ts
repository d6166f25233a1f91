import { initialControl } from '#main/engine/run/control.ts';
import { failedNodes, firingRecords, modelUsages } from '#main/journal/firings.ts';
import type { Journal } from '#main/journal/journal.ts';
import type { RunRow } from '#main/journal/rows.ts';
import type { Coverage, NodeCoverage, Uncovered, WireCoverage } from '#shared/contract/coverage.ts';
import type { FlowGraph, GraphNode, NodeOrigin } from '#shared/flow/graph.ts';
import { kindFacts } from '#shared/flow/node-kinds.ts';
import { originOf, ownName } from '#shared/flow/origin.ts';
import { graphNodeTitle } from '#shared/flow/run-node-title.ts';
import { firingKey, type Route, shortestRoutes } from '#shared/flow/soundness/shortest-routes.ts';
import { type WorkflowNet, workflowNet } from '#shared/flow/soundness/workflow-net.ts';
import { isTriedPath } from '#shared/flow/tried-path.ts';
import { withoutFrames } from '#shared/run/node-id.ts';
import { type Place, placeOf } from './place.ts';
import { frameOf } from './scope.ts';

type Counts = { -readonly [Key in keyof NodeCoverage]: NodeCoverage[Key] };

/** A node of the counted file, as a node of a run belongs to it. */
interface Part {
  readonly node: string;
  readonly kind: string;
  /** Whether a firing of the run's node is one of this node. */
  readonly fires: boolean;
  /** The file's names of the states that leave this node, by their names in the run's graph. */
  readonly outputs: ReadonlyMap<string, string>;
}

/** Counts what runs took of one flow's file: by itself, nested in other flows, for items, and called as a tool, all together. */
export class CoverageCounter {
  readonly #flow: string;
  readonly #nodes = new Map<string, Counts>();
  readonly #wires = new Map<string, WireCoverage & { count: number }>();
  #runs = 0;

  /** `flow` is the file, relative to the workspace. */
  constructor(flow: string) {
    this.#flow = flow;
  }

  add(journal: Journal, row: RunRow): void {
    // A node that was tried alone says nothing about its flow.
    if (isTriedPath(row.flow_path)) return;
    const graph = journal.graphOf(row);
    // Graphs of older versions don't name their file.
    const parts = new Parts(graph.source ? graph : { ...graph, source: row.flow_path }, this.#flow);
    let tookPart = row.flow_path === this.#flow;
    for (const { node, produced, duration_ms, tokens } of firingRecords(journal, row)) {
      for (const part of parts.of(node)) {
        tookPart = true;
        const counts = this.#countsOf(part);
        counts.duration_ms += duration_ms;
        counts.tokens += tokens;
        if (produced && part.fires) counts.count += 1;
        for (const [name, own] of part.outputs)
          if (produced && (produced.length === 0 || produced.includes(name))) this.#count(part.node, own);
      }
    }
    for (const { node, model, tokens_in, tokens_out } of modelUsages(journal, row)) {
      for (const part of parts.of(node)) {
        const counts = this.#countsOf(part);
        const known = counts.models[model] ?? { tokens_in: 0, tokens_out: 0 };
        counts.models = {
          ...counts.models,
          [model]: { tokens_in: known.tokens_in + tokens_in, tokens_out: known.tokens_out + tokens_out },
        };
      }
    }
    for (const node of failedNodes(journal, row)) for (const part of parts.of(node)) this.#countsOf(part).failures += 1;
    if (tookPart) this.#runs += 1;
  }

  /** Returns the counts beside what the current flow of the file has. */
  result(graph: FlowGraph): Coverage {
    const nodes = [...this.#nodes.values()];
    const wires = [...this.#wires.values()];
    const targets = targetsOf(graph);
    const taken = new Set([
      ...nodes.filter(({ count }) => count > 0).map(({ node }) => node),
      ...wires.map(({ node, state }) => key(node, state)),
    ]);
    const uncovered = targets.filter(({ node, state }) => !taken.has(state === null ? node : key(node, state)));
    return {
      flow: this.#flow,
      runs: this.#runs,
      nodes,
      wires,
      covered: targets.length - uncovered.length,
      total: targets.length,
      uncovered: withRoutes(graph, uncovered),
    };
  }

  #countsOf({ node, kind }: Part): Counts {
    let counts = this.#nodes.get(node);
    if (!counts) {
      counts = { node, kind, count: 0, failures: 0, duration_ms: 0, tokens: 0, models: {} };
      this.#nodes.set(node, counts);
    }
    return counts;
  }

  #count(node: string, state: string): void {
    const wire = this.#wires.get(key(node, state));
    if (wire) wire.count += 1;
    else this.#wires.set(key(node, state), { node, state, count: 1 });
  }
}

function key(node: string, state: string): string {
  return `${node}\n${state}`;
}

const nothing = { states: new Map<string, never>(), control: initialControl };

/** Finds the nodes of one file to which the nodes of a run belong. */
class Parts {
  readonly #graph: FlowGraph;
  readonly #flow: string;
  readonly #known = new Map<string, readonly Part[]>();

  constructor(graph: FlowGraph, flow: string) {
    this.#graph = graph;
    this.#flow = flow;
  }

  /** All nodes of the file that contain a node of the run, by its id there. */
  of(id: string): readonly Part[] {
    // Items and calls of the same node are counted together.
    const cached = withoutFrames(id);
    let parts = this.#known.get(cached);
    if (!parts) {
      const place = placeOf(this.#graph, id, nothing);
      parts = place ? [...this.#around(place), ...partsOf(place.graph, place.node, this.#flow)] : [];
      this.#known.set(cached, parts);
    }
    return parts;
  }

  /** An `each` node contains what its items do, and an agent what the flows that it calls do: they do not fire with them. */
  #around({ levels }: Place): Part[] {
    return levels.flatMap(({ graph, node }) =>
      partsOf(graph, node, this.#flow).map((part) => ({ ...part, fires: false, outputs: new Map() })),
    );
  }
}

function partsOf(graph: FlowGraph, node: GraphNode, flow: string): Part[] {
  const origins = originOf(graph, node);
  return origins.flatMap((origin, index): Part[] => {
    if (origin.flow !== flow) return [];
    if (index === origins.length - 1) return [ownPart(node, origin)];
    return [flowPart(graph, node, origins, index)];
  });
}

/** An agent that was expanded to several nodes fires with the first of them. The states between them are not the file's. */
function ownPart(node: GraphNode, { node: id }: NodeOrigin): Part {
  const outputs = node.to.map((name) => [name, ownName(node, name)] as const);
  if (node.part_of === undefined) return { node: id, kind: node.kind, fires: true, outputs: new Map(outputs) };
  const fires = node.from.some((name) => ownName(node, name) === node.part_of);
  return { node: id, kind: 'agent', fires, outputs: new Map(outputs.filter(([, own]) => !own.includes('::'))) };
}

/** A `flow` node fires with the first node inside, and its output leaves it with the last one. */
function flowPart(graph: FlowGraph, node: GraphNode, origins: readonly NodeOrigin[], index: number): Part {
  const { node: id, states } = origins[index] as NodeOrigin;
  const output = states && node.to.includes(states.output) ? states.output : null;
  return {
    node: id,
    kind: 'flow',
    fires: states !== undefined && node.from.includes(states.input),
    outputs: new Map(output === null ? [] : [[output, nameAround(graph, origins.slice(0, index), output)]]),
  };
}

/** The name of a state in the flow around a nested flow, which knows it from a node beside. */
function nameAround(graph: FlowGraph, around: readonly NodeOrigin[], state: string): string {
  const frame = around.map(({ flow, node }) => `${flow}#${node}`).join('\n');
  const beside = graph.nodes.find((node) => (node.from.includes(state) || node.to.includes(state)) && frameOf(graph, node) === frame);
  return beside ? ownName(beside, state) : (state.split('::').at(-1) as string);
}

interface Target {
  readonly node: string;
  readonly title: string;
  readonly state: string | null;
  /** Positions of the graph's nodes that take it, with the state that the branch produces in the graph. */
  readonly ways: readonly { readonly index: number; readonly state: string | null }[];
}

/** The nodes of a flow's own file, and the branches of those that choose. */
function targetsOf(graph: FlowGraph): Target[] {
  const targets = new Map<string, Target>();
  const add = (node: string, state: string | null, title: string, way: Target['ways'][number]) => {
    const known = targets.get(key(node, state ?? ''));
    targets.set(key(node, state ?? ''), { node, state, title, ways: [...(known?.ways ?? []), way] });
  };
  for (const [index, node] of graph.nodes.entries()) {
    const origins = originOf(graph, node);
    const [outer, inner] = origins;
    if (!outer) continue;
    if (inner) {
      if (outer.states && node.from.includes(outer.states.input)) add(outer.node, null, outer.title ?? outer.node, { index, state: null });
      continue;
    }
    add(outer.node, null, graphNodeTitle(node), { index, state: null });
    if (kindFacts[node.kind].outputs !== 'branch' || node.part_of !== undefined) continue;
    for (const state of node.to) add(outer.node, ownName(node, state), graphNodeTitle(node), { index, state });
  }
  return [...targets.values()];
}

function withRoutes(graph: FlowGraph, targets: readonly Target[]): Uncovered[] {
  if (targets.length === 0) return [];
  const net = workflowNet(graph);
  const routes = shortestRoutes(net);
  return targets.map(({ node, title, state, ways }) => {
    const found = ways.flatMap((way) => routeOf(net, routes, way) ?? []);
    const [shortest] = found.toSorted((one, other) => one.firings.length - other.firings.length);
    return {
      node,
      title,
      state,
      route: shortest?.firings.map((firing) => firingIn(net, firing)) ?? null,
      marking: shortest?.marking.map((place) => net.places[place] as string) ?? [],
    };
  });
}

function routeOf(net: WorkflowNet, routes: ReadonlyMap<string, Route>, { index, state }: Target['ways'][number]): Route | undefined {
  const transition = state === null ? 0 : (net.nodes[index]?.to.indexOf(state) ?? 0);
  return routes.get(firingKey({ node: index, transition }));
}

function firingIn({ nodes }: WorkflowNet, { node, transition }: { readonly node: number; readonly transition: number }) {
  const { id, kind, to } = nodes[node] as GraphNode;
  return kindFacts[kind].outputs === 'branch' ? { node: id, branch: to[transition] as string } : { node: id };
}
