import { evaluateExpression } from '#main/engine/expression/evaluate-expression.ts';
import type { RunReader } from '#main/journal/run-reader.ts';
import type { FlowGraph } from '#shared/flow/graph.ts';
import type { Json } from '#shared/json.ts';
import { parseDebugExpression } from './condition.ts';
import { nextPlace, placeOf } from './place.ts';
import { scopeOf } from './scope.ts';

/** Time for all expressions of one call, in milliseconds. One alone is limited by the evaluator's budget. */
const timeLimit = 100;

/** Value of a watched expression, or why it has none. */
export type Evaluated = { readonly value: Json } | { readonly error: string };

/**
 * Evaluates expressions over a run as it was after record `seq`, at the node that waits or fires next, else at the node of the record. What an expression sees is
 * that of a condition there. Nothing of the run changes.
 */
export function evaluateAt(graph: FlowGraph, reader: RunReader, seq: number, expressions: readonly string[]): Evaluated[] {
  const { states, control } = reader.foldAt(seq);
  const at = { states, control };
  const [waiting] = control.suspensions;
  const place = waiting ? placeOf(graph, waiting.node, at) : nextPlace(graph, states.keys(), at);
  const made = place ? null : reader.step(seq);
  const consumed = place
    ? place.node.from.map((name) => ({ name, value: place.state(name) ?? null }))
    : (made?.produced ?? []).map(({ name, value }) => ({ name, value }));
  const scope = scopeOf(
    { place: place ?? (made && placeOf(graph, made.node, at)), consumed, ...(made && { produced: made.produced }) },
    at,
  );
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
