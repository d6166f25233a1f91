import type { ForkOrigin } from '#shared/contract/time-travel.ts';
import type { Journal } from './journal.ts';

/** Data of an imported run that can't be recorded through the normal path. */
export interface MadeElsewhere {
  readonly recorded_as: string;
  readonly forked_from: ForkOrigin | null;
  readonly updated_at: number;
  /** Timeline notes by record number. */
  readonly notes: ReadonlyMap<number, string>;
  /** Effects with an unknown outcome. */
  readonly unknown: readonly { readonly seq: number; readonly key: string }[];
}

/** Adds the original data to a newly recorded imported run. */
export function amendImportedRun(journal: Journal, runId: string, made: MadeElsewhere): void {
  journal.writing(() => {
    const { database } = journal;
    const { run } = journal.row(runId);
    const { recorded_as, forked_from, updated_at, notes, unknown } = made;
    database.prepare('DELETE FROM origins WHERE run = ?').run(run);
    database
      .prepare('INSERT INTO origins (run, parent_run_id, parent_seq, recorded_as) VALUES (?, ?, ?, ?)')
      .run(run, forked_from?.run_id ?? null, forked_from?.seq ?? null, recorded_as);
    const note = database.prepare('UPDATE steps SET note = ? WHERE run = ? AND seq = ?');
    for (const [seq, text] of notes) note.run(text, run, seq);
    const forget = database.prepare('UPDATE effects SET outcome = NULL, finished_at = NULL WHERE run = ? AND seq = ? AND key = ?');
    const forgetEnded = database.prepare(
      `UPDATE steps SET ended_key = NULL, ended_attempt = NULL, ended_at = NULL, ended_outcome = NULL WHERE run = ? AND seq = ? AND ended_key = ?`,
    );
    for (const { seq, key } of unknown) {
      forget.run(run, seq, key);
      forgetEnded.run(run, seq, key);
    }
    database.prepare('UPDATE runs SET updated_at = ? WHERE run = ?').run(updated_at, run);
  });
}
