import type { Breakpoint, BreakpointOf } from '#shared/contract/breakpoint.ts';
import type { Expression } from '#shared/flow/expression.ts';
import type { FlowGraph, GraphNode, NodeOrigin } from '#shared/flow/graph.ts';
import { nodesById, originOf, ownName } from '#shared/flow/origin.ts';
import { frameName, isInsideFrame, withoutFrames } from '#shared/run/node-id.ts';
import { type HitRule, type LogTemplate, parseDebugExpression, parseHits, parseLog } from './condition.ts';

/** A breakpoint made ready to be checked. */
export interface ReadyBreakpoint {
  readonly breakpoint: Breakpoint;
  readonly condition: Expression | null;
  readonly hits: HitRule | null;
  readonly log: LogTemplate | null;
  /** The frame that it is limited to. */
  readonly inside: Pick<NodeOrigin, 'flow' | 'node'> | null;
}

/** A breakpoint at a node of the run. */
export interface AtNode {
  readonly ready: ReadyBreakpoint;
  /** The state, by its name in the run, that the record must have produced; null if any record that finishes the node counts. */
  readonly state: string | null;
}

/** The breakpoints at nodes of one flow and of the flows that its `each` nodes run, by their ids there without numbers of items (`Items[]::Draft`). */
interface FlowBreakpoints {
  /** Whether the flow is run step by step. */
  readonly steps: boolean;
  /** By node that is about to begin. */
  readonly before: Map<string, AtNode[]>;
  /** By node that a record belongs to. */
  readonly after: Map<string, AtNode[]>;
}

/** The enabled breakpoints of a run, found by what the run does. Those of flows that the run doesn't contain are left out. */
export class BreakpointSet {
  /** Whether any breakpoint is at a node that begins, or at one that has finished. */
  #hasBefore = false;
  #hasAfter = false;
  readonly #graph: FlowGraph;
  /** By flow: the run's, and those that agents call. A flow that several agents call has the same breakpoints in each call. */
  readonly #flows = new Map<FlowGraph, FlowBreakpoints>();
  /** The called flow of an id's frames, by what the id begins with. */
  readonly #called = new Map<string, FlowGraph | undefined>();
  /** By tool. */
  readonly tools = new Map<string, ReadyBreakpoint[]>();
  readonly models: ReadyBreakpoint[] = [];
  /** Failures of steps. */
  readonly errors: ReadyBreakpoint[] = [];
  /** Failures of tools that only the model sees. */
  readonly toolErrors: ReadyBreakpoint[] = [];
  /** Ids of the breakpoints that the run's flow contains. */
  readonly matched = new Set<string>();
  /** Ids of those at nodes of flows that are run step by step. */
  readonly #inSteps = new Set<string>();
  /** Whether any breakpoint compares a state with its last value. */
  readonly comparesValues: boolean;
  readonly #byNode = new Map<string, ReadyBreakpoint[]>();
  readonly #byState = new Map<string, ReadyBreakpoint[]>();
  /** Tools that the flow names. True: an agent or a `tool` body calls it, which the record knows before the call. */
  readonly #tools = new Map<string, boolean>();

  /** Throws `FlowError` `Invalid` for a condition that can't be parsed. */
  constructor(graph: FlowGraph, breakpoints: readonly Breakpoint[]) {
    const ready = breakpoints.filter(({ enabled }) => enabled !== false).map(prepare);
    for (const each of ready) this.#file(each);
    this.comparesValues = ready.some(({ breakpoint }) => breakpoint.kind === 'state' && breakpoint.on === 'changed');
    this.#graph = graph;
    if (ready.length > 0) this.#findIn(graph, true);
    for (const { breakpoint } of ready) if (this.#isAnywhere(breakpoint)) this.matched.add(breakpoint.id);
  }

  /** Whether a run can never stop here. */
  get empty(): boolean {
    const lists = [this.models, this.errors, this.toolErrors];
    return !this.#hasBefore && !this.#hasAfter && this.tools.size === 0 && lists.every(({ length }) => length === 0);
  }

  /** Whether any breakpoint is at a node that is about to begin. */
  get hasBefore(): boolean {
    return this.#hasBefore;
  }

  /** Returns the breakpoints at a node that is about to begin, by its id in the run. */
  beforeOf(id: string): readonly AtNode[] | undefined {
    return this.#hasBefore ? this.#at('before', id) : undefined;
  }

  /** Returns the breakpoints at a node that a record belongs to. */
  afterOf(id: string): readonly AtNode[] | undefined {
    return this.#hasAfter ? this.#at('after', id) : undefined;
  }

  #at(when: 'before' | 'after', id: string): readonly AtNode[] | undefined {
    const key = withoutFrames(id);
    const inside = key.lastIndexOf('::flow:');
    if (inside < 0) return this.#flows.get(this.#graph)?.[when].get(key);
    const start = key.indexOf(']::', inside) + 3;
    const flow = this.#calledAt(key.slice(0, start));
    return flow && this.#flows.get(flow)?.[when].get(key.slice(start));
  }

  /** Returns the flow that runs in a frame whose nodes' ids begin with this, without numbers of items and ids of calls. */
  #calledAt(prefix: string): FlowGraph | undefined {
    if (!this.#called.has(prefix)) this.#called.set(prefix, flowInside(this.#graph, prefix));
    return this.#called.get(prefix);
  }

  /** Whether a breakpoint is reached only inside a step: before a call that no record names beforehand, or at a node of a flow that runs within a step. */
  needsHold(breakpoint: Breakpoint): boolean {
    if (breakpoint.kind === 'tool') return breakpoint.on === 'before' && !this.#stopsBefore(breakpoint.tool);
    const isAtNode = breakpoint.kind !== 'error' && breakpoint.kind !== 'model';
    return isAtNode && this.matched.has(breakpoint.id) && !this.#inSteps.has(breakpoint.id);
  }

  /** Whether a record names a call of this tool beforehand, so that a run can stop before it. */
  #stopsBefore(tool: string): boolean {
    return this.#tools.get(tool) === true;
  }

  #file(ready: ReadyBreakpoint): void {
    const { breakpoint } = ready;
    switch (breakpoint.kind) {
      case 'before':
      case 'after':
      case 'branch':
        add(this.#byNode, keyOf(breakpoint.flow, breakpoint.node), ready);
        return;
      case 'state':
        add(this.#byState, keyOf(breakpoint.flow, breakpoint.state), ready);
        return;
      case 'tool':
        add(this.tools, breakpoint.tool, ready);
        return;
      case 'model':
        this.models.push(ready);
        return;
      case 'error':
        this.errors.push(ready);
        if (breakpoint.tool_results) this.toolErrors.push(ready);
    }
  }

  #isAnywhere(breakpoint: Breakpoint): boolean {
    if (breakpoint.kind === 'tool') return this.#tools.has(breakpoint.tool);
    return breakpoint.kind === 'error' || breakpoint.kind === 'model';
  }

  /** Finds the breakpoints of a flow that is run step by step; `steps` is false where it runs within a step that calls it. */
  #findIn(graph: FlowGraph, steps: boolean): void {
    if (this.#flows.has(graph)) return;
    const found: FlowBreakpoints = { steps, before: new Map(), after: new Map() };
    this.#flows.set(graph, found);
    this.#find(graph, '', found, steps);
  }

  /** Finds the breakpoints at the nodes of a flow and of the flows that its `each` nodes run. */
  #find(graph: FlowGraph, prefix: string, into: FlowBreakpoints, steps: boolean): void {
    const names = this.#byState.size > 0 ? namesInFiles(graph) : null;
    for (const node of graph.nodes) {
      const id = prefix + node.id;
      const origins = originOf(graph, node);
      for (const [index, origin] of origins.entries()) {
        const found = this.#byNode.get(keyOf(origin.flow, origin.node)) ?? [];
        for (const ready of found) this.#atNode(into, ready, id, node, index < origins.length - 1 ? origin : null);
      }
      if (names) this.#statesOf(into, node, id, names);
      const isRecorded = steps && (node.body.type === 'agent' || node.body.type === 'tool');
      for (const tool of toolsOf(node)) this.#tools.set(tool, isRecorded || this.#stopsBefore(tool));
      if (node.body.type === 'each') this.#findInside(node.body.flow, id, into, steps);
    }
    // A flow that both an agent and a body call runs step by step in one of them, so those of agents come first.
    const called = Object.entries(graph.flow_tools ?? {}).map(([name, tool]) => ({ name, tool, byAgent: steps && isAgents(graph, name) }));
    for (const { name, tool, byAgent } of called.sort((one, other) => Number(other.byAgent) - Number(one.byAgent))) {
      this.#tools.set(name, this.#stopsBefore(name));
      this.#findIn(tool, byAgent);
    }
  }

  #findInside(flow: FlowGraph, each: string, into: FlowBreakpoints, steps: boolean): void {
    const { size } = into.before;
    this.#find(flow, `${each}[]::`, into, steps);
    // The first node inside begins where the `each` node does.
    if (into.before.size > size && !into.before.has(each)) into.before.set(each, []);
  }

  /** Whether a breakpoint may be hit between a record of this node and the start of the next node. Cheap: two look-ups. */
  concerns(made: string, next: string | null): boolean {
    if (this.comparesValues || this.tools.size > 0 || this.models.length > 0 || this.toolErrors.length > 0) return true;
    if (this.errors.length > 0 && isInsideFrame(made)) return true;
    return this.afterOf(made) !== undefined || (next !== null && this.beforeOf(next) !== undefined);
  }

  /** `around`: the breakpoint is at a `flow` node, which begins with the node that takes its input and ends with its output. */
  #atNode(into: FlowBreakpoints, ready: ReadyBreakpoint, id: string, node: GraphNode, around: NodeOrigin | null): void {
    const { breakpoint } = ready;
    const { input, output } = around?.states ?? {};
    if (breakpoint.kind === 'before') {
      if (around && !node.from.includes(input ?? '')) return;
      this.#addBefore(into, id, { ready, state: null });
    } else if (around) {
      if (breakpoint.kind !== 'after' || !node.to.includes(output ?? '')) return;
      this.#addAfter(into, id, { ready, state: output ?? null });
    } else if (breakpoint.kind === 'after') this.#addAfter(into, id, { ready, state: null });
    else {
      const { state: wanted } = breakpoint as BreakpointOf<'branch'>;
      const state = node.to.find((name) => ownName(node, name) === wanted);
      if (state === undefined) return;
      this.#addAfter(into, id, { ready, state });
    }
    this.matched.add(breakpoint.id);
  }

  /** Finds the breakpoints at the states that a node takes and gives, under their names in every file that uses them. */
  #statesOf(into: FlowBreakpoints, node: GraphNode, id: string, names: ReadonlyMap<string, ReadonlySet<string>>): void {
    const at = (state: string, consumed: boolean) =>
      [...(names.get(state) ?? [])]
        .flatMap((key) => this.#byState.get(key) ?? [])
        .filter(({ breakpoint }) => ((breakpoint as BreakpointOf<'state'>).on === 'consumed') === consumed);
    for (const [states, consumed] of [[node.from, true] as const, [node.to, false] as const]) {
      for (const state of states) {
        for (const ready of at(state, consumed)) {
          if (consumed) this.#addBefore(into, id, { ready, state });
          else this.#addAfter(into, id, { ready, state });
          this.matched.add(ready.breakpoint.id);
        }
      }
    }
  }

  #addBefore({ before, steps }: FlowBreakpoints, id: string, at: AtNode): void {
    add(before, id, at);
    if (steps) this.#inSteps.add(at.ready.breakpoint.id);
    this.#hasBefore = true;
  }

  #addAfter({ after, steps }: FlowBreakpoints, id: string, at: AtNode): void {
    add(after, id, at);
    if (steps) this.#inSteps.add(at.ready.breakpoint.id);
    this.#hasAfter = true;
  }
}

/** Returns the names of each state in the files that use it: one that enters a nested flow has a name outside and inside. */
function namesInFiles(graph: FlowGraph): ReadonlyMap<string, ReadonlySet<string>> {
  const names = new Map<string, Set<string>>();
  for (const node of graph.nodes) {
    const flow = originOf(graph, node).at(-1)?.flow ?? '';
    for (const state of [...node.from, ...node.to]) {
      const known = names.get(state) ?? new Set();
      names.set(state, known.add(keyOf(flow, ownName(node, state))));
    }
  }
  return names;
}

function prepare(breakpoint: Breakpoint): ReadyBreakpoint {
  const { condition, hits, log, in: inside } = breakpoint;
  const at = inside?.lastIndexOf('#') ?? -1;
  return {
    breakpoint,
    condition: condition === undefined ? null : parseDebugExpression(condition, '/condition'),
    hits: hits === undefined ? null : parseHits(hits),
    log: log === undefined ? null : parseLog(log),
    inside: inside === undefined ? null : { flow: inside.slice(0, Math.max(at, 0)), node: inside.slice(at + 1) },
  };
}

/** Returns the flow that runs in a called flow's frame, from what ids of its nodes begin with (`Items[]::Ask::flow:./lookup.flow.yaml[]::`). */
function flowInside(graph: FlowGraph, prefix: string): FlowGraph | undefined {
  const end = prefix.indexOf(']::');
  if (end < 0) return graph;
  // An index or id that was left out is not needed to find the flow.
  const name = frameName(prefix.slice(0, end + 1)) ?? frameName(`${prefix.slice(0, end)}0]`);
  const body = name?.type === 'item' ? nodesById(graph).get(name.each)?.body : undefined;
  const inside = name?.type === 'call' ? graph.flow_tools?.[name.flow] : body?.type === 'each' ? body.flow : undefined;
  return inside && flowInside(inside, prefix.slice(end + 3));
}

/** Whether an agent of a flow may call a tool. */
function isAgents(graph: FlowGraph, tool: string): boolean {
  return graph.nodes.some(
    (node) => node.body.type === 'agent' && (toolsOf(node).includes(tool) || node.body.session?.agents?.[tool] !== undefined),
  );
}

/** Returns the tools that a node names. */
function toolsOf({ body }: GraphNode): readonly string[] {
  if (body.type === 'tool') return [body.tool];
  const uses = body.type === 'agent' ? body.agent.tools : 'tools' in body ? body.tools : [];
  return (uses ?? []).map((use) => (typeof use === 'string' ? use : use.use));
}

function keyOf(flow: string, name: string): string {
  return `${flow}#${name}`;
}

function add<V>(map: Map<string, V[]>, key: string, value: V): void {
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
}
