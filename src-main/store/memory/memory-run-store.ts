import { type RunStore, type RunWrite, readLimit, type StoredLease, type StoredValue } from '#main/journal/run-store.ts';
import { changedElsewhere } from '#main/journal/working-copy.ts';

interface KeptRun {
  readonly changes: { readonly rows: string; readonly values: readonly StoredValue[] }[];
  lease: { readonly token: string; readonly until: number } | null;
  cancel: boolean;
}

/** Runs in memory, for tests. */
export class MemoryRunStore implements RunStore {
  readonly #runs = new Map<string, KeptRun>();
  readonly #now: () => number;

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  commit(writes: readonly RunWrite[]): readonly boolean[] {
    for (const write of writes) this.#assertCurrent(write);
    return writes.map((write) => this.#commit(write));
  }

  read(runId: string, after: number) {
    const run = this.#runs.get(runId);
    if (!run) return null;
    const read = run.changes.slice(after, after + readLimit);
    return {
      revision: run.changes.length,
      rows: read.map(({ rows }) => rows),
      values: read.flatMap(({ values }) => values),
      lease: run.lease && { token: run.lease.token, expires_in: run.lease.until - this.#now() },
      cancel: run.cancel,
    };
  }

  #assertCurrent({ run_id: runId, after, change }: RunWrite): void {
    const run = this.#runs.get(runId);
    if (change.type === 'cancel' ? !run : (run?.changes.length ?? 0) !== after) throw changedElsewhere(runId);
    if (change.type === 'lease' && run?.lease?.token !== change.lease.token) throw changedElsewhere(runId);
  }

  #commit({ run_id: runId, change }: RunWrite): boolean {
    const run = this.#runs.get(runId) ?? { changes: [], lease: null, cancel: false };
    if (change.type === 'remove') {
      this.#runs.delete(runId);
      return false;
    }
    this.#runs.set(runId, run);
    if (change.type === 'cancel') run.cancel = true;
    else run.lease = this.#leaseOf(change.lease);
    if (change.type !== 'rows') return run.cancel;
    run.changes.push({ rows: change.rows, values: change.values });
    run.cancel = change.cancel ?? run.cancel;
    return run.cancel;
  }

  #leaseOf(lease: StoredLease | null): KeptRun['lease'] {
    return lease && { token: lease.token, until: this.#now() + lease.expires_in };
  }
}
