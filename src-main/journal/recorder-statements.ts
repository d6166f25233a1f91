import type { SqlDatabase } from '#main/journal/database.ts';

/** The statements by which a recorder writes a run down, prepared once. */
export function recorderStatements(database: SqlDatabase) {
  return {
    ours: database.prepare('SELECT cancel FROM runs WHERE run = ? AND last_seq = ? AND lease_token = ?'),
    moveRun: database.prepare(
      'UPDATE runs SET last_seq = ?, attempt = 1, tokens = tokens + ?, suspensions = ?, updated_at = ?, lease_expires = ? WHERE run = ?',
    ),
    insertStep: database.prepare(
      `INSERT INTO steps (run, seq, type, node, kind, phase, consumed, produced, produced_values, control, events, started_at, duration_ms, tokens, pure, note, turn)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ),
    insertFailure: database.prepare('INSERT INTO failures (run, seq, attempt, failed_at, error, events) VALUES (?, ?, ?, ?, ?, ?)'),
    endDriving: database.prepare(
      `UPDATE runs SET status = ?, output = ?, error = ?, attempt = ?, cancel = 0, updated_at = ?, lease_token = NULL, lease_owner = NULL, lease_expires = NULL
       WHERE run = ? AND lease_token = ?`,
    ),
    insertSnapshot: database.prepare('INSERT INTO snapshots (run, seq, states, control) VALUES (?, ?, ?, ?)'),
    insertMessages: database.prepare('INSERT INTO messages (run, node, seq, messages) VALUES (?, ?, ?, ?)'),
    selectEffect: database.prepare('SELECT outcome FROM effects WHERE run = ? AND seq = ? AND attempt = ? AND key = ?'),
    insertEffect: database.prepare(
      'INSERT INTO effects (run, seq, attempt, key, kind, node, name, input, started_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)',
    ),
    finishEffect: database.prepare('UPDATE effects SET finished_at = ?, outcome = ? WHERE run = ? AND seq = ? AND attempt = ? AND key = ?'),
  };
}
