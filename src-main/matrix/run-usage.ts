import { z } from 'zod';
import { prepared } from '#main/journal/database.ts';
import type { Journal } from '#main/journal/journal.ts';
import { usageOf } from '#main/journal/model-usage.ts';
import { checked, type RunRow } from '#main/journal/rows.ts';
import type { ModelPrice } from '#shared/contract/models.ts';

/** What a part of a run used. */
export interface Usage {
  readonly tokens: number;
  /** Requests to models. */
  readonly calls: number;
  /** Null if a model has no price. */
  readonly cost: number | null;
}

export type Prices = Readonly<Record<string, ModelPrice>>;

const callSchema = z.object({ node: z.string(), model: z.string(), outcome: z.string().nullable() });
const selectCalls = "SELECT node, name AS model, outcome FROM recorded_effects WHERE run = ? AND seq > ? AND kind = 'model'";

/** Returns what a run used after a record. `modelOf` replaces the model of a node, to estimate what another one would cost. */
export function usageAfter(
  journal: Journal,
  row: RunRow,
  seq: number,
  prices: Prices,
  modelOf: (node: string, model: string) => string = (_node, model) => model,
): Usage {
  const rows = journal.reading(() => prepared(journal.database, selectCalls).all(row.run, seq));
  const sum = { tokens: 0, calls: 0, cost: 0 as number | null };
  for (const raw of rows) {
    const { node, model, outcome } = checked(callSchema, raw, journal.path);
    const usage = outcome === null ? null : usageOf(journal.values.read(outcome));
    const price = prices[modelOf(node, model)];
    sum.calls += 1;
    sum.tokens += usage ? usage.tokens_in + usage.tokens_out : 0;
    sum.cost =
      sum.cost === null || !price || !usage
        ? null
        : sum.cost + (usage.tokens_in * price.input + usage.tokens_out * price.output) / 1_000_000;
  }
  return sum;
}
