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
  const at = { ...reader.foldAt(seq), cost: () => reader.costAt(seq) };
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

/** Records at which a plot is evaluated at most. */
const mostPoints = 500;

/** A value of a plotted expression; null where it has no value that is a number or a boolean. */
export interface PlotPoint {
  readonly seq: number;
  readonly value: number | null;
}

/** Evaluates an expression over a whole run, at records that are evenly spread over it. Throws `FlowError` `Invalid` for one that can't be parsed. */
export function plotOver(graph: FlowGraph, reader: RunReader, expression: string): PlotPoint[] {
  const parsed = parseDebugExpression(expression, '/expression');
  const last = reader.row.last_seq;
  const count = Math.min(last + 1, mostPoints);
  return Array.from({ length: count }, (_, index) => {
    const seq = count === 1 ? last : Math.round((index * last) / (count - 1));
    const { states, control } = reader.foldAt(seq);
    const { input, names } = scopeAfter(graph, { states, control, cost: () => reader.costAt(seq) }, () => reader.step(seq));
    try {
      return { seq, value: numberOf(evaluateExpression(parsed, input, names)) };
    } catch {
      return { seq, value: null };
    }
  });
}

function numberOf(value: Json): number | null {
  return typeof value === 'number' ? value : typeof value === 'boolean' ? Number(value) : null;
}
