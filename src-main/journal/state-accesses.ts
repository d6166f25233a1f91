import { z } from 'zod';
import { prepared } from './database.ts';
import type { Journal } from './journal.ts';
import { checked, type RunRow } from './rows.ts';

/** Number of records that are indexed together, so that a record costs no further page on disk. Records since the last full block are read one by one. */
export const accessBlock = 64;

/**
 * The records that wrote each state of a run, and those that consumed it (migration 7). States inside items of an `each` node are not in these
 * tables: their values are in the frames of the records.
 */
export const stateAccessTables = `
  CREATE TABLE writes (
    run INTEGER NOT NULL REFERENCES runs (run) ON DELETE CASCADE,
    state TEXT NOT NULL,
    seq INTEGER NOT NULL,
    PRIMARY KEY (run, state, seq)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE reads (
    run INTEGER NOT NULL REFERENCES runs (run) ON DELETE CASCADE,
    state TEXT NOT NULL,
    seq INTEGER NOT NULL,
    PRIMARY KEY (run, state, seq)
  ) STRICT, WITHOUT ROWID;
  INSERT OR IGNORE INTO writes (run, state, seq) SELECT run, value, seq FROM steps, json_each(produced);
  INSERT OR IGNORE INTO reads (run, state, seq) SELECT run, value, seq FROM steps, json_each(consumed);
`;

/** Statements that index the records after the first number up to the second one. */
export const indexAccesses = [
  'INSERT OR IGNORE INTO writes (run, state, seq) SELECT run, value, seq FROM steps, json_each(produced) WHERE run = ? AND seq > ? AND seq <= ?',
  'INSERT OR IGNORE INTO reads (run, state, seq) SELECT run, value, seq FROM steps, json_each(consumed) WHERE run = ? AND seq > ? AND seq <= ?',
] as const;

/** `produced` and `consumed` are the columns of `steps` that the tables `writes` and `reads` index. */
const columns = { writes: 'produced', reads: 'consumed' } as const;
export type Access = keyof typeof columns;

const inNames = 'state IN (SELECT value FROM json_each(@names))';
const selectBetween = `SELECT seq FROM writes WHERE run = @run AND ${inNames} AND seq > @after AND seq <= @upTo
  UNION SELECT seq FROM reads WHERE run = @run AND ${inNames} AND seq > @after AND seq <= @upTo ORDER BY seq`;
const selectLate = `SELECT DISTINCT seq FROM steps, json_each(json_array(json(produced), json(consumed))) AS lists, json_each(lists.value) AS name
  WHERE run = @run AND seq > @after AND seq <= @upTo AND name.value IN (SELECT value FROM json_each(@names)) ORDER BY seq`;
const recordSchema = z.object({ seq: z.int() });
const foundSchema = z.object({ seq: z.int().nullable() });

/** Finds the records that wrote or consumed a state. Its work does not grow with the run. */
export class StateAccesses {
  readonly #journal: Journal;
  readonly #row: Pick<RunRow, 'run' | 'last_seq'>;

  constructor(journal: Journal, row: Pick<RunRow, 'run' | 'last_seq'>) {
    this.#journal = journal;
    this.#row = row;
  }

  /** Returns the last record up to `seq` that accessed a state; null for none. */
  last(access: Access, state: string, seq: number): number | null {
    const { last_seq } = this.#row;
    const upTo = Math.min(seq, last_seq);
    const indexed = this.#indexed();
    const late = upTo > indexed ? this.#inRecords('max', access, state, indexed, upTo) : null;
    return late ?? this.#find(`SELECT max(seq) AS seq FROM ${access} WHERE run = ? AND state = ? AND seq <= ?`, state, upTo);
  }

  /** Returns the first record after `seq` that accessed a state; null for none. */
  next(access: Access, state: string, seq: number): number | null {
    const found = this.#find(`SELECT min(seq) AS seq FROM ${access} WHERE run = ? AND state = ? AND seq > ?`, state, seq);
    return found ?? this.#inRecords('min', access, state, Math.max(seq, this.#indexed()), this.#row.last_seq);
  }

  /** Returns the records after one and up to another that wrote or consumed one of these states, in order. */
  between(states: readonly string[], after: number, upTo: number): number[] {
    const names = JSON.stringify(states);
    const indexed = this.#indexed();
    const { database, path } = this.#journal;
    const rows = this.#journal.reading(() => [
      ...prepared(database, selectBetween).all({ run: this.#row.run, names, after, upTo: Math.min(upTo, indexed) }),
      ...prepared(database, selectLate).all({ run: this.#row.run, names, after: Math.max(after, indexed), upTo }),
    ]);
    return rows.map((row) => checked(recordSchema, row, path).seq);
  }

  #indexed(): number {
    return this.#row.last_seq - (this.#row.last_seq % accessBlock);
  }

  #inRecords(end: 'min' | 'max', access: Access, state: string, after: number, upTo: number): number | null {
    return this.#find(
      `SELECT ${end}(seq) AS seq FROM steps, json_each(${columns[access]}) AS name
       WHERE run = ? AND seq > ? AND seq <= ? AND name.value = ?`,
      after,
      upTo,
      state,
    );
  }

  #find(sql: string, ...given: (string | number)[]): number | null {
    const { database, path } = this.#journal;
    const row = this.#journal.reading(() => prepared(database, sql).get(this.#row.run, ...given));
    return checked(foundSchema, row, path).seq;
  }
}
