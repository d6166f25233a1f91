import { type EffectOutcome, type MarkedOutcome, marked } from '#main/engine/ports/recorder.ts';
import { FlowError } from '#shared/run/error.ts';
import { type SuppliedMark, suppliedMarkSchema } from '#shared/run/supplied.ts';
import type { SqlDatabase } from './database.ts';
import { prepared } from './database.ts';
import type { Journal } from './journal.ts';
import { recorderStatements } from './recorder-statements.ts';
import { checked, type RunRow } from './rows.ts';
import type { RunPlace } from './step-writer.ts';

/** An effect of a run. */
interface EffectPlace {
  readonly seq: number;
  readonly attempt: number;
  readonly key: string;
}

/** Which effects of one run were supplied. Call the writing methods inside a transaction. */
export class EffectMarks {
  readonly #place: Pick<RunPlace, 'run' | 'path'>;
  readonly #statements;

  constructor(place: RunPlace) {
    this.#place = place;
    this.#statements = recorderStatements(place.database);
  }

  of({ seq, attempt, key }: EffectPlace): SuppliedMark | undefined {
    const row = this.#statements.selectMark.get(this.#place.run, seq, attempt, key) as { mark: string } | undefined;
    return row && readMark(row.mark, this.#place.path);
  }

  /** Marks an effect that is claimed. */
  write({ seq, attempt, key }: EffectPlace, mark: SuppliedMark): void {
    this.#statements.insertMark.run(this.#place.run, seq, attempt, key, JSON.stringify(mark));
  }

  /** Returns an outcome on record with its mark. */
  marked(outcome: EffectOutcome, place: EffectPlace): MarkedOutcome {
    return marked(outcome, { supplied: this.of(place) });
  }
}

/** Marks a record whose output was supplied. Call inside a transaction. */
export function writeStepMark(database: SqlDatabase, run: number, seq: number, mark: SuppliedMark): void {
  recorderStatements(database).insertMark.run(run, seq, 0, '', JSON.stringify(mark));
}

/**
 * Removes calls of the next record that a mock had not answered when the process ended: nothing has happened, so they are made like any other. The lease must
 * be held.
 */
export function forgetUnanswered(journal: Journal, { run, last_seq }: Pick<RunRow, 'run' | 'last_seq'>): void {
  const next = 'run = ? AND seq = ?';
  const marked = journal.reading(() =>
    prepared(journal.database, `SELECT attempt, key FROM supplied WHERE ${next}`).all(run, last_seq + 1),
  ) as Pick<EffectPlace, 'attempt' | 'key'>[];
  if (marked.length === 0) return;
  journal.writing(() => {
    const forget = prepared(journal.database, `DELETE FROM effects WHERE ${next} AND attempt = ? AND key = ? AND outcome IS NULL`);
    const unmark = prepared(journal.database, `DELETE FROM supplied WHERE ${next} AND attempt = ? AND key = ?`);
    for (const { attempt, key } of marked) {
      if (forget.run(run, last_seq + 1, attempt, key).changes === 1) unmark.run(run, last_seq + 1, attempt, key);
    }
  });
}

/** Copies the marks of a run up to record `seq` to its fork, as what came before its first record. Call inside a transaction. */
export function inheritMarks(database: SqlDatabase, marks: readonly InheritedMark[], fork: number): void {
  const insert = recorderStatements(database).insertMark;
  for (const { key, mark } of marks) insert.run(fork, 0, 0, key, mark);
}

/** A mark of a fork's past. */
export interface InheritedMark {
  readonly key: string;
  readonly mark: string;
}

/** Returns the marks of a run up to record `seq`, as a fork inherits them. */
export function marksUpTo(database: SqlDatabase, run: number, seq: number): InheritedMark[] {
  const select = prepared(database, 'SELECT seq, key, mark FROM supplied WHERE run = ? AND seq <= ? ORDER BY seq, key');
  const rows = select.all(run, seq) as { seq: number; key: string; mark: string }[];
  return rows.map((row) => ({ key: row.seq === 0 ? row.key : `${run}/${row.seq}/${row.key}`, mark: row.mark }));
}

/** Returns how many outputs and outcomes of a run, and of what it was forked from, were supplied. */
export function countMarks(database: SqlDatabase, run: number): number {
  const select = prepared(database, 'SELECT count(*) AS count FROM (SELECT DISTINCT seq, key FROM supplied WHERE run = ?)');
  return (select.get(run) as { count: number }).count;
}

/** Parses a mark. Throws `SnapLoadError`. */
export function readMark(text: string, path: string): SuppliedMark {
  let mark: unknown;
  try {
    mark = JSON.parse(text);
  } catch {
    throw new FlowError('SnapLoadError', `The journal ${path} is corrupt: a mark of a supplied output is not JSON.`, { details: { path } });
  }
  return checked(suppliedMarkSchema, mark, path);
}
