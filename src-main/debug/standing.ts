import type { FlowGraph, NamedState } from '#shared/flow/graph.ts';
import type { Control } from '#shared/run/snapshot.ts';
import { nextPlace, type Place, placeOf, type RunAt } from './place.ts';
import type { Happening } from './scope.ts';

/** A run after a record, with the names of its waiting states. */
export interface RunAfter extends RunAt {
  readonly states: RunAt['states'] & { keys(): Iterable<string> };
  readonly control: Control;
}

/** The record after which a run is looked at. */
export interface LastRecord {
  readonly node: string;
  readonly produced: readonly NamedState[];
}

/** Returns where a run is after a record: at the node that waits or fires next, else at the node of the record. */
export function standingAfter(graph: FlowGraph, at: RunAfter, lastRecord: () => LastRecord | null): Happening {
  const [waiting] = at.control.suspensions;
  const place = waiting ? placeOf(graph, waiting.node, at) : nextPlace(graph, at.states.keys(), at);
  if (place) return { place, consumed: waitingFor(place) };
  const made = lastRecord();
  const produced = (made?.produced ?? []).map(({ name, value }) => ({ name, value }));
  return { place: made && placeOf(graph, made.node, at), consumed: produced, ...(made && { produced }) };
}

/** Returns what a node is about to consume. */
export function waitingFor(place: Place | null): NamedState[] {
  if (!place) return [];
  return place.node.from.map((name) => ({ name, value: place.state(name) ?? null }));
}
