import { Journal } from '#main/journal/journal.ts';
import type { RunStoreCalls } from '#main/journal/run-store-calls.ts';

/** The journal of a thread's runs, which stays open between them: opening it takes longer than a short run writes to it. */
export class ThreadJournal {
  #journal: Journal | undefined;
  /** Whether its values come from a store, to which only one run has a channel. */
  #isCopy = false;

  /** Returns the journal at this path for one run. Throws `FlowError`. */
  open(path: string, store: RunStoreCalls | undefined): Journal {
    if (this.#journal?.path !== path || store) this.close();
    this.#isCopy = store !== undefined;
    this.#journal ??= Journal.open(path, { in_use: true, ...(store && { store }) });
    return this.#journal;
  }

  /** The run is over. */
  release(): void {
    if (this.#isCopy) this.close();
  }

  close(): void {
    this.#journal?.close();
    this.#journal = undefined;
  }
}
