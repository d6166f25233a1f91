import type { Names } from '#main/engine/expression/evaluate-expression.ts';
import type { FlowGraph, GraphNode, NamedState } from '#shared/flow/graph.ts';
import { originOf, ownName } from '#shared/flow/origin.ts';
import type { Json, JsonObject } from '#shared/json.ts';
import type { Scope } from './condition.ts';
import type { Place, RunAt } from './place.ts';

/** What is known at one place beside the run itself. */
export interface Happening {
  readonly place: Place | null;
  /** What the node consumed or is about to consume, in the order of `from`. */
  readonly consumed: readonly NamedState[];
  /** What it produced; undefined before it has finished. */
  readonly produced?: readonly NamedState[];
  /** The value of the state that was last written under this name. */
  readonly previous?: Json;
  readonly call?: { readonly tool: string; readonly input: Json };
  readonly error?: JsonObject;
}

/**
 * Returns what an expression sees at a place. The debugger's names come before fields of the consumed value, which are also found in `input`; a name that
 * means nothing at this place is left to the fields. Values are computed when they are used.
 */
export function scopeOf(happening: Happening, at: RunAt): Scope {
  const { place, consumed, produced, previous, call, error } = happening;
  const names: Record<string, Json> = {};
  const lazily = (name: string, get: () => Json) => Object.defineProperty(names, name, { get, enumerable: true, configurable: true });
  lazily('states', () => (place ? statesIn(place) : {}));
  lazily('run', () => runValues(at));
  const level = place?.levels.findLast(({ call }) => !call);
  if (level) lazily('item', () => ({ index: level.index, of: level.of }));
  if (produced) lazily('result', () => resultOf(produced, place?.node));
  if (previous !== undefined) lazily('previous', () => previous);
  if (call) lazily('call', () => ({ ...call }));
  if (error) lazily('error', () => error);
  return { input: consumed[0]?.value ?? null, names: names as Names };
}

/** What the run has used. The cost is computed only where an expression names it, and isn't listed: it fails where a price is missing. */
function runValues({ control, cost }: RunAt): JsonObject {
  const values: Record<string, Json> = { ...control.counters };
  if (cost) Object.defineProperty(values, 'cost', { get: cost });
  return values;
}

/** One value for one state; several by their names in the file. */
function resultOf(produced: readonly NamedState[], node: GraphNode | undefined): Json {
  if (produced.length === 1) return (produced[0] as NamedState).value;
  return Object.fromEntries(produced.map(({ name, value }) => [node ? ownName(node, name) : name, value]));
}

/** Returns the waiting states of the frame that contains a place, by their names in its file. */
function statesIn({ graph, node, state }: Place): JsonObject {
  const waiting: Record<string, Json> = {};
  for (const [name, own] of namesOfFrame(graph, node)) {
    const value = state(name);
    if (value !== undefined) waiting[own] = value;
  }
  return waiting;
}

const frames = new WeakMap<FlowGraph, Map<string, ReadonlyMap<string, string>>>();

/** Returns the states of the file and nested flow to which a node belongs: their names there by their names in the graph. */
function namesOfFrame(graph: FlowGraph, node: GraphNode): ReadonlyMap<string, string> {
  const known = frames.get(graph) ?? new Map<string, ReadonlyMap<string, string>>();
  frames.set(graph, known);
  const key = frameOf(graph, node);
  let names = known.get(key);
  if (!names) {
    const inside = graph.nodes.filter((each) => frameOf(graph, each) === key);
    names = new Map(inside.flatMap((each) => [...each.from, ...each.to].map((name) => [name, ownName(each, name)] as const)));
    known.set(key, names);
  }
  return names;
}

/** Identifies the nested flow of a node within its graph. */
export function frameOf(graph: FlowGraph, node: GraphNode): string {
  return originOf(graph, node)
    .slice(0, -1)
    .map(({ flow, node: around }) => `${flow}#${around}`)
    .join('\n');
}
