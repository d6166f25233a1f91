import { evaluateExpression } from '#main/engine/expression/evaluate-expression.ts';
import type { RunReader } from '#main/journal/run-reader.ts';
import type { FlowGraph, NamedState } from '#shared/flow/graph.ts';
import type { Json } from '#shared/json.ts';
import type { Control } from '#shared/run/snapshot.ts';
import { parseDebugExpression, type Scope } from './condition.ts';
import { nextPlace, placeOf, type RunAt } from './place.ts';
import { scopeOf } from './scope.ts';

/** Time for all expressions of one call, in milliseconds. One alone is limited by the evaluator's budget. */
const timeLimit = 100;

/** Value of a watched expression, or why it has none. */
export type Evaluated = { readonly value: Json } | { readonly error: string };

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

/** Returns what an expression sees after a record: at the node that waits or fires next, else at the node of the record. */
export function scopeAfter(graph: FlowGraph, at: RunAfter, lastRecord: () => LastRecord | null): Scope {
  const [waiting] = at.control.suspensions;
  const place = waiting ? placeOf(graph, waiting.node, at) : nextPlace(graph, at.states.keys(), at);
  const made = place ? null : lastRecord();
  const consumed = place
    ? place.node.from.map((name) => ({ name, value: place.state(name) ?? null }))
    : (made?.produced ?? []).map(({ name, value }) => ({ name, value }));
  return scopeOf({ place: place ?? (made && placeOf(graph, made.node, at)), consumed, ...(made && { produced: made.produced }) }, at);
}

/** Evaluates expressions over a run as it was after record `seq`; they see what a condition there does (`scopeAfter`). Nothing of the run changes. */
export function evaluateAt(graph: FlowGraph, reader: RunReader, seq: number, expressions: readonly string[]): Evaluated[] {
  const { states, control } = reader.foldAt(seq);
  const scope = scopeAfter(graph, { states, control }, () => reader.step(seq));
  const started = performance.now();
  return expressions.map((source) => {
    if (performance.now() - started > timeLimit)
      return { error: 'Not evaluated: the other expressions took too long. Simplify or remove some.' };
    try {
      return { value: evaluateExpression(parseDebugExpression(source, ''), scope.input, scope.names) };
    } catch (error) {
      return { error: error instanceof Error ? error.message : String(error) };
    }
  });
}
