import { randomUUID } from 'node:crypto';
import { FlowError } from '#shared/run/error.ts';
import { beforeCommit, explainingErrors, inTransaction, prepared, type SqlDatabase } from './database.ts';
import { type ChangedRun, RowChanges } from './row-changes.ts';
import type { RunChange, RunStore, RunWrite, StoredLease, StoredRun, StoredValue } from './run-store.ts';

/** How far the time of a lease may be from that of the store, in milliseconds. */
const leaseTolerance = 1000;
/** Names the content of a file among the values. */
const filePrefix = 'file:';

/** What the store keeps of a run beside its rows. */
interface RunState {
  readonly run: number;
  readonly cancel: number;
  readonly lease_token: string | null;
  readonly lease_expires: number | null;
}

/**
 * Makes a journal a working copy of runs in a store: what a transaction of this connection changes is in the store before it is in the journal, and
 * is refused if another server has changed the run. What the journal lacks, or another server has changed, is fetched with `fetch`. So the
 * journal can be lost at any time.
 */
export class WorkingCopy {
  readonly #database: SqlDatabase;
  readonly #path: string;
  readonly #store: RunStore;
  readonly #changes: RowChanges;
  readonly #now: () => number;
  /** Whether the transaction in progress repeats what the store has. */
  #fetching = false;

  constructor(
    { database, path }: { readonly database: SqlDatabase; readonly path: string },
    store: RunStore,
    now: () => number = Date.now,
  ) {
    this.#database = database;
    this.#path = path;
    this.#store = store;
    this.#now = now;
    this.#changes = new RowChanges(database);
    // What the journal had lost with the machine, the store has.
    database.pragma('synchronous = OFF');
    beforeCommit(database, () => this.#storeChanges());
  }

  /** Brings a run up to date with the store. Returns false, and removes it here, if the store has no such run. Throws `FlowError` if the store does not answer. */
  fetch(runId: string): boolean {
    for (;;) {
      const known = this.#revision(runId);
      const stored = this.#store.read(runId, known);
      if (stored && this.#isCurrent(runId, known, stored)) return true;
      this.#repeating(() => {
        if (this.#revision(runId) === known) this.#take(runId, known, stored);
      });
      if (!stored) return false;
    }
  }

  #take(runId: string, known: number, stored: StoredRun | null): void {
    // A store that was restored from a backup knows less.
    if (!stored || stored.revision < known) {
      this.#remove(runId);
      return;
    }
    for (const value of stored.values) this.#keep(value);
    let run = this.#state(runId)?.run ?? null;
    for (const rows of stored.rows) run = this.#changes.repeat(run, rows);
    const reached = known + stored.rows.length;
    this.#setRevision(runId, reached);
    if (reached < stored.revision) return;
    const { lease, cancel } = stored;
    prepared(this.#database, 'UPDATE runs SET lease_expires = ?, cancel = ? WHERE run = ?').run(
      lease && this.#now() + lease.expires_in,
      cancel ? 1 : 0,
      run,
    );
  }

  #isCurrent(runId: string, known: number, { revision, lease, cancel }: StoredRun): boolean {
    const state = this.#state(runId);
    if (!state || revision !== known || (state.cancel === 1) !== cancel) return false;
    if (!lease || state.lease_expires === null) return (state.lease_expires === null) === (lease === null);
    return Math.abs(state.lease_expires - this.#now() - lease.expires_in) < leaseTolerance;
  }

  #repeating(write: () => void): void {
    this.#fetching = true;
    try {
      explainingErrors(this.#path, () => inTransaction(this.#database, write));
    } finally {
      this.#fetching = false;
    }
  }

  #storeChanges(): void {
    const changed = this.#changes.take();
    if (this.#fetching || changed.length === 0) return;
    const writes = changed.map((each) => this.#write(each)).filter((write) => write !== null);
    const cancelled = this.#store.commit(writes);
    for (const [index, { run_id: runId, after, change }] of writes.entries()) {
      if (change.type === 'rows') this.#setRevision(runId, after + 1);
      else if (change.type === 'remove') this.#setRevision(runId, 0);
      if (cancelled[index]) prepared(this.#database, 'UPDATE runs SET cancel = 1 WHERE run_id = ?').run(runId);
    }
    this.#changes.forget();
  }

  #write(changed: ChangedRun): RunWrite | null {
    const change = this.#changeOf(changed);
    return change && { run_id: changed.run_id, after: this.#revision(changed.run_id), change };
  }

  #changeOf({ run_id: runId, removed, rows, values, contents, cancel }: ChangedRun): RunChange | null {
    if (removed) return { type: 'remove' };
    const lease = this.#lease(runId);
    if (rows !== '') {
      const used = [...values.map((hash) => this.#value(hash)), ...contents.map((hash) => this.#content(hash))];
      return { type: 'rows', id: randomUUID(), rows, values: used.filter((value) => value !== null), lease, cancel };
    }
    if (cancel) return { type: 'cancel' };
    return lease && { type: 'lease', lease };
  }

  #lease(runId: string): StoredLease | null {
    const state = this.#state(runId);
    if (!state || state.lease_token === null || state.lease_expires === null) return null;
    return { token: state.lease_token, expires_in: Math.max(0, Math.round(state.lease_expires - this.#now())) };
  }

  #state(runId: string): RunState | undefined {
    const select = 'SELECT run, cancel, lease_token, lease_expires FROM runs WHERE run_id = ?';
    return prepared(this.#database, select).get(runId) as RunState | undefined;
  }

  #value(hash: string): StoredValue {
    const { text } = prepared(this.#database, 'SELECT text FROM blobs WHERE hash = ?').get(hash) as { text: string };
    return [hash, text];
  }

  #content(hash: string): StoredValue | null {
    const row = prepared(this.#database, 'SELECT bytes FROM file_contents WHERE hash = ?').get(hash) as { bytes: Buffer } | undefined;
    return row ? [`${filePrefix}${hash}`, row.bytes.toString('base64')] : null;
  }

  #keep([hash, text]: StoredValue): void {
    if (hash.startsWith(filePrefix))
      prepared(this.#database, 'INSERT OR IGNORE INTO file_contents (hash, bytes) VALUES (?, ?)').run(
        hash.slice(filePrefix.length),
        Buffer.from(text, 'base64'),
      );
    else prepared(this.#database, 'INSERT OR IGNORE INTO blobs (hash, text) VALUES (?, ?)').run(hash, text);
  }

  #remove(runId: string): void {
    prepared(this.#database, 'DELETE FROM runs WHERE run_id = ?').run(runId);
    this.#setRevision(runId, 0);
  }

  /** Number of the run's transactions that this journal has. */
  #revision(runId: string): number {
    const row = prepared(this.#database, 'SELECT value FROM meta WHERE key = ?').get(revisionKey(runId)) as { value: string } | undefined;
    return Number(row?.value ?? 0);
  }

  #setRevision(runId: string, revision: number): void {
    if (revision === 0) prepared(this.#database, 'DELETE FROM meta WHERE key = ?').run(revisionKey(runId));
    else prepared(this.#database, 'INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)').run(revisionKey(runId), String(revision));
  }
}

const revisionKey = (runId: string) => `revision:${runId}`;

/** Refuses a run that another server has changed. */
export function changedElsewhere(runId: string): FlowError {
  return new FlowError('Conflict', `Another server has changed run ${runId} meanwhile. Nothing was changed here. Read the run again.`, {
    details: { run_id: runId },
  });
}
