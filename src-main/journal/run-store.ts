/** How many transactions of a run are read at once. */
export const readLimit = 1000;

/** Who drives a run, and for how long he may go without a heartbeat, in milliseconds from now. The store keeps the time by its own clock. */
export interface StoredLease {
  readonly token: string;
  readonly expires_in: number;
}

/** A value that is stored once for all runs that use it: the hash that names it, and its text. */
export type StoredValue = readonly [hash: string, text: string];

/** What a transaction changed of a run. */
export type RunChange =
  | {
      readonly type: 'rows';
      /** Names this change, so that it is known again if the store's answer was lost. */
      readonly id: string;
      /** The changed rows, as `RowChanges` writes them. */
      readonly rows: string;
      readonly values: readonly StoredValue[];
      readonly lease: StoredLease | null;
      /** Whether the run is to be cancelled; null: as before. */
      readonly cancel: boolean | null;
    }
  /** A heartbeat. */
  | { readonly type: 'lease'; readonly lease: StoredLease }
  | { readonly type: 'cancel' }
  | { readonly type: 'remove' };

export interface RunWrite {
  readonly run_id: string;
  /** Number of the run's transactions that the writer knows; 0 for a new run. A change is refused if there are more, except for a cancellation. */
  readonly after: number;
  readonly change: RunChange;
}

/** A run as it is stored. */
export interface StoredRun {
  /** Number of its transactions. */
  readonly revision: number;
  /** The rows that each transaction changed, from the first one that was asked for: at most `readLimit` of them. */
  readonly rows: readonly string[];
  /** Values that these rows use for the first time. */
  readonly values: readonly StoredValue[];
  readonly lease: StoredLease | null;
  readonly cancel: boolean;
}

/**
 * Runs that several servers share. Each server keeps a working copy in a journal, and what a transaction changes is stored here
 * before it is committed there. Calls return when the store has answered.
 */
export interface RunStore {
  /**
   * Stores what one transaction changed: all of it or nothing. Returns for each run whether it is to be cancelled. Throws `FlowError`: `Conflict` if another
   * server has changed one of the runs, `SnapStoreError` if the store does not answer; then the changes may be stored or not.
   */
  commit(writes: readonly RunWrite[]): readonly boolean[];
  /** Returns a run with what changed after a number of transactions; null if there is no such run. Throws `FlowError`. */
  read(runId: string, after: number): StoredRun | null;
}
