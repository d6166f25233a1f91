import { FlowError } from '#shared/run/error.ts';

/** How much an expression may do: nodes visited and items made, sixteen characters counting as one. */
const limit = 2_000_000;

/** Counts what an expression does, so that a short text cannot ask for endless work or memory. */
export class Budget {
  #left = limit;

  /** Call it with the size of what is about to be made. Throws `HandlerError` once there is nothing left. */
  spend(amount: number): void {
    this.#left -= amount;
    if (this.#left >= 0) return;
    throw new FlowError(
      'HandlerError',
      `The expression does too much (over ${limit.toLocaleString('en')} steps and items). Use a run body.`,
      {
        retryable: false,
        details: { limit },
      },
    );
  }

  /** The same for a text of this length. */
  spendText(length: number): void {
    this.spend(length >> 4);
  }
}
