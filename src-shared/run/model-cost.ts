import type { ModelPrice } from './model-price.ts';

/** Prices by model URL. */
export type Prices = Readonly<Record<string, ModelPrice>>;

/** What one model call used. `tokens_cached`: how many of `tokens_in` the provider read from its cache. */
export interface CallUsage {
  readonly tokens_in: number;
  readonly tokens_out: number;
  readonly tokens_cached?: number | undefined;
}

/** Returns what a call costs, in the currency of the price. Cached tokens without a price of their own cost as much as others. */
export function costOf({ tokens_in, tokens_out, tokens_cached = 0 }: CallUsage, price: ModelPrice): number {
  const { input, output, cached_input = input } = price;
  return ((tokens_in - tokens_cached) * input + tokens_cached * cached_input + tokens_out * output) / 1_000_000;
}

/** Adds up the cost of model calls. */
export class CostSum {
  #amount = 0;
  #currency: string | undefined;
  #unknown: string | null = null;

  /** Adds a call. `usage` is null if the model did not report it; `price` is undefined if none is set. */
  add(model: string, usage: CallUsage | null, price: ModelPrice | undefined): void {
    if (!price) this.fail(`${model} has no price. Set one with: pravah models price ${model} IN OUT`);
    else if (!usage) this.fail(`${model} did not report the tokens of a call.`);
    else this.#addKnown(costOf(usage, price), price.currency);
  }

  /** The cost so far; null if it is unknown. */
  get amount(): number | null {
    return this.#unknown === null ? this.#amount : null;
  }

  /** Why the cost is unknown; null if it is known. */
  get unknown(): string | null {
    return this.#unknown;
  }

  #addKnown(cost: number, currency: string | undefined): void {
    if (currency !== undefined && this.#currency !== undefined && currency !== this.#currency)
      this.fail(`the prices are in ${this.#currency} and ${currency}. Use one currency.`);
    this.#currency ??= currency;
    this.#amount += cost;
  }

  /** Makes the sum unknown. The first reason remains. */
  fail(why: string): void {
    this.#unknown ??= why;
  }
}
