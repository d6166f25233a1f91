import { evaluateExpression } from '#main/engine/expression/evaluate-expression.ts';
import type { Journal } from '#main/journal/journal.ts';
import type { RunRow } from '#main/journal/rows.ts';
import { RunReader } from '#main/journal/run-reader.ts';
import { StateAccesses } from '#main/journal/state-accesses.ts';
import { type FoldStep, StateFold } from '#main/journal/state-fold.ts';
import type { Expression } from '#shared/flow/expression.ts';
import type { FlowGraph } from '#shared/flow/graph.ts';
import { originOf } from '#shared/flow/origin.ts';
import { FlowError } from '#shared/run/error.ts';
import type { Prices } from '#shared/run/model-cost.ts';
import { parseDebugExpression } from './condition.ts';
import { scopeAfter } from './evaluate.ts';
import { statesRead } from './states-read.ts';

/** Records whose evaluations are decided together. */
const everyRecord = 256;
const changesOnly = 4096;

export interface FindRequest {
  readonly expression: string;
  /** The record to begin after (`forth`) or before (`back`). */
  readonly from: number;
  readonly direction: 'forth' | 'back';
  /** False for the first part of a search; later parts continue at the `next` of the part before. */
  readonly begun: boolean;
}

/** What a part of a search found. */
export interface FoundPart {
  /** The record after which the expression holds; null if it was not found in this part. */
  readonly seq: number | null;
  /** Where the next part continues; null at the end of the search. */
  readonly next: number | null;
  /** Whether the expression had a value anywhere in this part. */
  readonly evaluated: boolean;
  /** Why the expression had no value where it was evaluated last; null if it had one. */
  readonly fault: string | null;
}

/**
 * Searches for the first record after (before) `from` after which an expression is true, until `mayContinue` returns false. What an expression sees is that of
 * a condition there. An expression over states of a flow without nested flows is evaluated only after records that wrote or consumed those
 * states; any other one after every record. Throws `FlowError` `Invalid` for an expression that can't be parsed.
 */
export function findInRun(journal: Journal, row: RunRow, request: FindRequest, mayContinue: () => boolean, prices?: Prices): FoundPart {
  const search = new Search(new RunReader(journal, row, prices), journal, parseDebugExpression(request.expression, '/expression'));
  return request.direction === 'forth' ? search.forth(request, mayContinue) : search.back(request, mayContinue);
}

class Search {
  readonly #expression: Expression;
  readonly #graph: FlowGraph;
  readonly #reader: RunReader;
  readonly #accesses: StateAccesses;
  /** The states that decide the value; null if anything may. */
  readonly #states: readonly string[] | null;
  readonly #end: number;
  #fold: StateFold | null = null;
  #at = -1;
  #last: FoldStep | null = null;
  #evaluated = false;
  #fault: string | null = null;

  constructor(reader: RunReader, journal: Journal, expression: Expression) {
    const { row } = reader;
    this.#expression = expression;
    this.#graph = journal.graphOf(row);
    this.#reader = reader;
    this.#accesses = new StateAccesses(journal, row);
    this.#states = isOneFrame(this.#graph) ? statesRead(expression) : null;
    this.#end = row.last_seq;
  }

  forth({ from, begun }: FindRequest, mayContinue: () => boolean): FoundPart {
    for (let after = from; after < this.#end; ) {
      const upTo = Math.min(this.#end, after + this.#block);
      const points = this.#states ? this.#accesses.between(this.#states, after, upTo) : range(after + 1, upTo);
      if (!begun && after === from && points[0] !== from + 1) points.unshift(from + 1);
      for (const point of points) if (this.#holdsAfter(point)) return this.#part(point, null);
      after = upTo;
      if (!mayContinue() && after < this.#end) return this.#part(null, after);
    }
    return this.#part(null, null);
  }

  back({ from, begun }: FindRequest, mayContinue: () => boolean): FoundPart {
    for (let before = Math.min(from, this.#end + 1); before > 0; ) {
      const low = Math.max(0, before - this.#block);
      // A value lasts until the record before the next change.
      const points = this.#states
        ? this.#accesses.between(this.#states, low, begun || before < from ? before : before - 1).map((change) => change - 1)
        : range(low, before - 1);
      if (!begun && before === Math.min(from, this.#end + 1) && points.at(-1) !== before - 1) points.push(before - 1);
      const found = points.filter((point) => this.#holdsAfter(point)).at(-1);
      if (found !== undefined) return this.#part(found, null);
      before = low;
      if (!mayContinue() && before > 0) return this.#part(null, before);
    }
    return this.#part(null, null);
  }

  get #block(): number {
    return this.#states ? changesOnly : everyRecord;
  }

  #part(seq: number | null, next: number | null): FoundPart {
    return { seq, next, evaluated: this.#evaluated, fault: this.#evaluated ? null : this.#fault };
  }

  #holdsAfter(seq: number): boolean {
    const fold = this.#foldTo(seq);
    const { input, names } = scopeAfter(
      this.#graph,
      { states: fold, control: fold.control, cost: () => this.#reader.costAt(seq) },
      () => this.#last,
    );
    try {
      const value = evaluateExpression(this.#expression, input, names);
      if (typeof value !== 'boolean')
        throw new FlowError('HandlerError', `The expression must be true or false, but is ${JSON.stringify(value)?.slice(0, 100)}.`);
      this.#evaluated = true;
      return value;
    } catch (error) {
      // Where its states are absent, it doesn't hold.
      this.#fault = error instanceof Error ? error.message : String(error);
      return false;
    }
  }

  /** Moves the fold to a record: forwards over a few records, else from the nearest snapshot. */
  #foldTo(seq: number): StateFold {
    let fold = this.#fold;
    if (!fold || seq < this.#at || seq > this.#at + everyRecord) {
      fold = new StateFold(this.#reader.foldAt(seq));
      this.#last = this.#reader.step(seq);
    } else {
      for (const step of this.#reader.steps(this.#at + 1, seq)) {
        fold.apply(step);
        this.#last = step;
      }
    }
    this.#fold = fold;
    this.#at = seq;
    return fold;
  }
}

/** Whether all states are in one frame, so that they don't come into sight or leave it with the node that fires next. */
function isOneFrame(graph: FlowGraph): boolean {
  return graph.nodes.every((node) => node.body.type !== 'each' && originOf(graph, node).length === 1);
}

function range(first: number, last: number): number[] {
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index);
}
