import { SupplySet } from '#main/debug/supply-set.ts';
import type { CallPoint, SuppliedCall, Supply } from '#main/engine/ports/supply.ts';
import type { Journal } from '#main/journal/journal.ts';
import { checked, outcomeSchema, type RunRow } from '#main/journal/rows.ts';
import { RunReader } from '#main/journal/run-reader.ts';
import { readMark } from '#main/journal/supplied-marks.ts';
import type { Supplied } from '#shared/contract/supplied.ts';
import type { FlowGraph } from '#shared/flow/graph.ts';

/** Answers that mocks gave in a step which a crash interrupted, by effect key. */
interface Leftovers {
  readonly seq: number;
  readonly calls: ReadonlyMap<string, SuppliedCall>;
}

/** What one driven run is supplied with. Without pins and mocks, a step costs one test. */
export class RunSupply {
  #supplied: readonly Supplied[] = [];
  #graph: FlowGraph | undefined;
  #leftovers: Leftovers | undefined;
  #current: Supply | undefined;

  /** What the run's steps ask; undefined if nothing is supplied. */
  get current(): Supply | undefined {
    return this.#current;
  }

  /** Replaces the pins and mocks, also while the run is driven. Throws `FlowError` `Invalid` for an expression that can't be parsed. */
  setSupplied(supplied: readonly Supplied[]): void {
    this.#supplied = supplied;
    this.#compile();
  }

  /** Prepares a run that was loaded. What mocks had answered in the step that comes next is used again, since it is on record. */
  load(graph: FlowGraph, journal: Journal, row: RunRow): void {
    this.#graph = graph;
    this.#leftovers = leftoversOf(journal, row);
    this.#compile();
  }

  #compile(): void {
    if (!this.#graph || (this.#supplied.length === 0 && !this.#leftovers)) {
      this.#current = undefined;
      return;
    }
    const set = new SupplySet(this.#graph, this.#supplied);
    this.#current = this.#leftovers ? withLeftovers(set, this.#leftovers) : set.empty ? undefined : set;
  }
}

function leftoversOf(journal: Journal, row: RunRow): Leftovers | undefined {
  const seq = row.last_seq + 1;
  const rows = new RunReader(journal, row).effectsOf(seq, row.attempt);
  const calls = rows.flatMap(({ key, supplied, outcome }): [string, SuppliedCall][] => {
    if (supplied === null || outcome === null) return [];
    return [[key, { mark: readMark(supplied, journal.path), outcome: checked(outcomeSchema, journal.values.read(outcome), journal.path) }]];
  });
  return calls.length > 0 ? { seq, calls: new Map(calls) } : undefined;
}

function withLeftovers(set: SupplySet, { seq, calls }: Leftovers): Supply {
  const recorded = (point: CallPoint) => (point.seq === seq ? calls.get(point.key) : undefined);
  return {
    pins: (node) => set.pins(node),
    output: (point) => set.output(point),
    call: (point) => recorded(point) ?? set.call(point),
  };
}
