import type { FlowGraph, GraphNode, NamedState } from '#shared/flow/graph.ts';
import { originOf, ownName } from '#shared/flow/origin.ts';
import type { Json, JsonObject } from '#shared/json.ts';
import type { Scope } from './condition.ts';
import { type Place, placeOf, type RunAt } from './place.ts';
import { frameOf, type Happening, scopeOf } from './scope.ts';
import { waitingFor } from './standing.ts';

/** What a place is in one of its frames: an `each` node or agent around it, or a `flow` node around that. */
interface OuterPlace {
  readonly place: Place;
  /** How many `flow` nodes of the place's graph contain the frame. */
  readonly depth: number;
}

/** Returns what an expression sees in one frame of a place; 0 is the outermost. The innermost frame is the place itself. */
export function scopeOfFrame(happening: Happening, at: RunAt, frame: number): Scope {
  const outer = happening.place && outerPlace(happening.place, at, frame);
  if (!outer) return scopeOf(happening, at);
  const { place, depth } = outer;
  const origins = originOf(place.graph, place.node);
  const scope = scopeOf({ place, consumed: waitingFor(place) }, at);
  if (depth === origins.length - 1) return scope;
  const input = place.state(origins[depth]?.states?.input ?? '') ?? null;
  return { input, names: { ...scope.names, states: statesOfFlow(place, depth) } };
}

/** Returns what a frame consumes: the states of its node that wait, by their names in the file. */
export function consumedInFrame(happening: Happening, at: RunAt, frame: number): JsonObject {
  const outer = happening.place && outerPlace(happening.place, at, frame);
  const place = outer ? outer.place : happening.place;
  if (outer && outer.depth < originOf(outer.place.graph, outer.place.node).length - 1) return {};
  const consumed: readonly NamedState[] = outer ? waitingFor(outer.place) : happening.consumed;
  return Object.fromEntries(consumed.map(({ name, value }) => [place ? ownName(place.node, name) : name, value]));
}

/** Returns null for the innermost frame. */
function outerPlace(place: Place, at: RunAt, frame: number): OuterPlace | null {
  let first = 0;
  for (const { graph, node, nodeId } of place.levels) {
    const { length } = originOf(graph, node);
    const around = frame < first + length ? placeOf(place.levels[0]?.graph ?? graph, nodeId, at) : null;
    if (around) return { place: around, depth: frame - first };
    first += length;
  }
  const depth = frame - first;
  return depth < originOf(place.graph, place.node).length - 1 ? { place, depth } : null;
}

/** Returns the waiting states of the file that contains the `flow` node at this depth, by their names there. */
function statesOfFlow({ graph, node, state }: Place, depth: number): JsonObject {
  const frame = keyOf(graph, node, depth);
  const waiting: Record<string, Json> = {};
  for (const each of graph.nodes) {
    if (frameOf(graph, each) !== frame) continue;
    for (const name of [...each.from, ...each.to]) {
      const value = state(name);
      if (value !== undefined) waiting[ownName(each, name)] = value;
    }
  }
  return waiting;
}

function keyOf(graph: FlowGraph, node: GraphNode, depth: number): string {
  return originOf(graph, node)
    .slice(0, depth)
    .map((origin) => `${origin.flow}#${origin.node}`)
    .join('\n');
}
