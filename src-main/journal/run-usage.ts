import { z } from 'zod';
import { FlowError } from '#shared/run/error.ts';
import { CostSum, type Prices } from '#shared/run/model-cost.ts';
import { prepared } from './database.ts';
import type { Journal } from './journal.ts';
import { usageOf } from './model-usage.ts';
import { checked, type RunRow } from './rows.ts';

/** What a part of a run used. */
export interface Usage {
  readonly tokens: number;
  /** Requests to models. */
  readonly calls: number;
  /** Null if it is unknown, such as for a model without a price. */
  readonly cost: number | null;
}

const callSchema = z.object({ node: z.string(), model: z.string(), outcome: z.string().nullable() });
const selectCalls =
  "SELECT node, name AS model, outcome FROM recorded_effects WHERE run = ? AND seq > ? AND seq <= ? AND kind = 'model' ORDER BY seq";

/** The model calls of a run's records after `after`, up to `upTo`. */
function callsOf(journal: Journal, row: RunRow, after: number, upTo: number) {
  const rows = journal.reading(() => prepared(journal.database, selectCalls).all(row.run, after, upTo));
  return rows.map((raw) => {
    const { node, model, outcome } = checked(callSchema, raw, journal.path);
    return { node, model, usage: outcome === null ? null : usageOf(journal.values.read(outcome)) };
  });
}

/** Returns what a run used after a record. `modelOf` replaces the model of a node, to estimate what another one would cost. */
export function usageAfter(
  journal: Journal,
  row: RunRow,
  seq: number,
  prices: Prices,
  modelOf: (node: string, model: string) => string = (_node, model) => model,
): Usage {
  const calls = callsOf(journal, row, seq, Number.MAX_SAFE_INTEGER);
  const cost = new CostSum();
  let tokens = 0;
  for (const { node, model, usage } of calls) {
    const used = modelOf(node, model);
    tokens += usage ? usage.tokens_in + usage.tokens_out : 0;
    cost.add(used, usage, prices[used]);
  }
  return { tokens, calls: calls.length, cost: cost.amount };
}

/** What one run has cost up to each of its records, with what its fork took over. Asked in order, each record is read once. */
export class RunCost {
  readonly #journal: Journal;
  readonly #row: RunRow;
  readonly #prices: Prices;
  #sum = new CostSum();
  #upTo = -1;

  constructor(journal: Journal, row: RunRow, prices: Prices) {
    this.#journal = journal;
    this.#row = row;
    this.#prices = prices;
  }

  /** Returns the cost up to a record, that record included. Throws `FlowError` `Invalid` if it is unknown. */
  at(seq: number): number {
    if (seq < this.#upTo || this.#upTo < 0) {
      this.#sum = new CostSum();
      this.#addParents(this.#row);
      this.#upTo = 0;
    }
    this.#add(this.#row, this.#upTo, seq);
    this.#upTo = seq;
    const { amount, unknown } = this.#sum;
    if (amount === null) throw new FlowError('Invalid', `The cost of this run is unknown: ${unknown}`);
    return amount;
  }

  #add(row: RunRow, after: number, upTo: number): void {
    for (const { model, usage } of callsOf(this.#journal, row, after, upTo)) this.#sum.add(model, usage, this.#prices[model]);
  }

  #addParents(row: RunRow): void {
    const origin = this.#journal.forkOriginOf(row);
    if (!origin) return;
    if (!this.#journal.has(origin.run_id)) {
      this.#sum.fail(`run ${origin.run_id}, from which it was forked, is not in this journal.`);
      return;
    }
    const parent = this.#journal.row(origin.run_id);
    this.#addParents(parent);
    this.#add(parent, 0, origin.seq);
  }
}
