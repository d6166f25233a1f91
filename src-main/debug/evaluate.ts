import { evaluateExpression } from '#main/engine/expression/evaluate-expression.ts';
import type { RunReader } from '#main/journal/run-reader.ts';
import type { FlowGraph } from '#shared/flow/graph.ts';
import type { Json } from '#shared/json.ts';
import { parseDebugExpression, type Scope } from './condition.ts';
import { scopeOfFrame } from './frame-scope.ts';
import { scopeOf } from './scope.ts';
import { type LastRecord, type RunAfter, standingAfter } from './standing.ts';

/** Time for all expressions of one call, in milliseconds. One alone is limited by the evaluator's budget. */
const timeLimit = 100;

/** Value of a watched expression, or why it has none. */
export type Evaluated = { readonly value: Json } | { readonly error: string };

/** Returns what an expression sees after a record: at the node that waits or fires next, else at the node of the record. */
export function scopeAfter(graph: FlowGraph, at: RunAfter, lastRecord: () => LastRecord | null): Scope {
  return scopeOf(standingAfter(graph, at, lastRecord), at);
}

/**
 * Evaluates expressions over a run as it was after record `seq`; they see what a condition there does (`scopeAfter`), or what one would see in an outer
 * frame (0 is the outermost). Nothing of the run changes.
 */
export function evaluateAt(graph: FlowGraph, reader: RunReader, seq: number, expressions: readonly string[], frame?: number): Evaluated[] {
  const at = reader.foldAt(seq);
  const happening = standingAfter(graph, at, () => reader.step(seq));
  const scope = frame === undefined ? scopeOf(happening, at) : scopeOfFrame(happening, at, frame);
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
