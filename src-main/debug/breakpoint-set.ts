import type { Breakpoint, BreakpointOf } from '#shared/contract/breakpoint.ts';
import type { Expression } from '#shared/flow/expression.ts';
import type { FlowGraph, GraphNode, NodeOrigin } from '#shared/flow/graph.ts';
import { originOf, ownName } from '#shared/flow/origin.ts';
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

/** Returns a node's id in a run without the numbers of items, under which breakpoints are found: `Items[]::Draft`. */
export function withoutItems(id: string): string {
  return id.includes('[') ? id.replaceAll(/\[\d+\]/g, '[]') : id;
}

/** The enabled breakpoints of a run, found by what the run does. Those of flows that the run doesn't contain are left out. */
export class BreakpointSet {
  /** By node that is about to begin. */
  readonly before = new Map<string, AtNode[]>();
  /** By node that a record belongs to. */
  readonly after = new Map<string, AtNode[]>();
  /** By tool. */
  readonly tools = new Map<string, ReadyBreakpoint[]>();
  readonly models: ReadyBreakpoint[] = [];
  /** Failures of steps. */
  readonly errors: ReadyBreakpoint[] = [];
  /** Failures of tools that only the model sees. */
  readonly toolErrors: ReadyBreakpoint[] = [];
  /** Ids of the breakpoints that the run's flow contains. */
  readonly matched = new Set<string>();
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
    if (ready.length > 0) this.#find(graph, '', new Set());
    for (const { breakpoint } of ready) if (this.#isAnywhere(breakpoint)) this.matched.add(breakpoint.id);
  }

  /** Whether a run can never stop here. */
  get empty(): boolean {
    const lists = [this.models, this.errors, this.toolErrors];
    return [this.before, this.after, this.tools].every(({ size }) => size === 0) && lists.every(({ length }) => length === 0);
  }

  /** Whether a run can stop before a call of this tool: its record names the call beforehand. */
  stopsBefore(tool: string): boolean {
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

  /** Finds the breakpoints at the nodes of a flow and of the flows that its `each` nodes run. */
  #find(graph: FlowGraph, prefix: string, called: Set<FlowGraph>): void {
    const names = this.#byState.size > 0 ? namesInFiles(graph) : null;
    for (const node of graph.nodes) {
      const id = prefix + node.id;
      const origins = originOf(graph, node);
      for (const [index, origin] of origins.entries()) {
        const found = this.#byNode.get(keyOf(origin.flow, origin.node)) ?? [];
        for (const ready of found) this.#atNode(ready, id, node, index < origins.length - 1 ? origin : null);
      }
      if (names) this.#statesOf(node, id, names);
      const isRecorded = node.body.type === 'agent' || node.body.type === 'tool';
      for (const tool of toolsOf(node)) this.#tools.set(tool, isRecorded || this.stopsBefore(tool));
      if (node.body.type === 'each') this.#findInside(node.body.flow, id, called);
    }
    for (const [name, tool] of Object.entries(graph.flow_tools ?? {})) {
      this.#tools.set(name, this.stopsBefore(name));
      if (called.has(tool)) continue;
      called.add(tool);
      for (const node of tool.nodes) for (const inner of toolsOf(node)) this.#tools.set(inner, this.stopsBefore(inner));
    }
  }

  #findInside(flow: FlowGraph, each: string, called: Set<FlowGraph>): void {
    const { size } = this.before;
    this.#find(flow, `${each}[]::`, called);
    // The first node inside begins where the `each` node does.
    if (this.before.size > size && !this.before.has(each)) this.before.set(each, []);
  }

  /** Whether a breakpoint may be hit between a record of this node and the start of the next node. Cheap: two look-ups. */
  concerns(made: string, next: string | null): boolean {
    if (this.comparesValues || this.tools.size > 0 || this.models.length > 0 || this.toolErrors.length > 0) return true;
    return (this.after.size > 0 && this.after.has(withoutItems(made))) || (next !== null && this.before.has(withoutItems(next)));
  }

  /** `around`: the breakpoint is at a `flow` node, which begins with the node that takes its input and ends with its output. */
  #atNode(ready: ReadyBreakpoint, id: string, node: GraphNode, around: NodeOrigin | null): void {
    const { breakpoint } = ready;
    const { input, output } = around?.states ?? {};
    if (breakpoint.kind === 'before') {
      if (around && !node.from.includes(input ?? '')) return;
      add(this.before, id, { ready, state: null });
    } else if (around) {
      if (breakpoint.kind !== 'after' || !node.to.includes(output ?? '')) return;
      add(this.after, id, { ready, state: output ?? null });
    } else if (breakpoint.kind === 'after') add(this.after, id, { ready, state: null });
    else {
      const { state: wanted } = breakpoint as BreakpointOf<'branch'>;
      const state = node.to.find((name) => ownName(node, name) === wanted);
      if (state === undefined) return;
      add(this.after, id, { ready, state });
    }
    this.matched.add(breakpoint.id);
  }

  /** Finds the breakpoints at the states that a node takes and gives, under their names in every file that uses them. */
  #statesOf(node: GraphNode, id: string, names: ReadonlyMap<string, ReadonlySet<string>>): void {
    const at = (state: string, consumed: boolean) =>
      [...(names.get(state) ?? [])]
        .flatMap((key) => this.#byState.get(key) ?? [])
        .filter(({ breakpoint }) => ((breakpoint as BreakpointOf<'state'>).on === 'consumed') === consumed);
    for (const [states, map, consumed] of [[node.from, this.before, true] as const, [node.to, this.after, false] as const]) {
      for (const state of states) {
        for (const ready of at(state, consumed)) {
          add(map, id, { ready, state });
          this.matched.add(ready.breakpoint.id);
        }
      }
    }
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
