import { prepared, type SqlDatabase } from './database.ts';
import { indexAccesses } from './state-accesses.ts';

const stepColumns =
  'seq, type, node, kind, phase, consumed, produced, produced_values, control, events, started_at, duration_ms, tokens, pure, note, turn';

const effectColumns = 'seq, attempt, key, kind, node, name, input, started_at';

const marks = (count: number) => Array(count).fill('?').join(', ');

/** The SQL statements of a recorder. */
export function recorderStatements(database: SqlDatabase) {
  const of = (sql: string) => prepared(database, sql);
  return {
    ours: of('SELECT cancel FROM runs WHERE run = ? AND lease_token = ?'),
    moveRun: of(
      `UPDATE runs SET last_seq = ?, attempt = 1, tokens = tokens + ?, updated_at = ?, lease_expires = ?
       WHERE run = ? AND lease_token = ? RETURNING cancel`,
    ),
    setSuspensions: of('UPDATE runs SET suspensions = ? WHERE run = ?'),
    insertStep: of(`INSERT INTO steps (run, ${stepColumns}) VALUES (${marks(17)})`),
    insertStepAlone: of(
      `INSERT OR IGNORE INTO steps (run, ${stepColumns}, ended_key, ended_attempt, ended_at, ended_outcome)
       SELECT run, ${marks(20)} FROM runs WHERE run = ? AND lease_token = ? AND cancel = 0`,
    ),
    insertFailure: of('INSERT INTO failures (run, seq, attempt, failed_at, error, events) VALUES (?, ?, ?, ?, ?, ?)'),
    endDriving: of(
      `UPDATE runs SET status = ?, output = ?, error = ?, attempt = ?, cancel = 0, updated_at = ?, lease_token = NULL, lease_owner = NULL, lease_expires = NULL
       WHERE run = ? AND lease_token = ?`,
    ),
    insertSnapshot: of('INSERT INTO snapshots (run, seq, states, control) VALUES (?, ?, ?, ?)'),
    indexAccesses: indexAccesses.map(of),
    insertTallies: of('INSERT INTO tallies (run, seq, tallies) VALUES (?, ?, ?)'),
    insertMessages: of('INSERT INTO messages (run, node, seq, messages) VALUES (?, ?, ?, ?)'),
    insertConversation: of('INSERT OR IGNORE INTO conversations (run, node, since) VALUES (?, ?, ?)'),
    insertEffect: of(`INSERT OR IGNORE INTO effects (run, ${effectColumns}) VALUES (${marks(9)})`),
    insertEffectAlone: of(
      `INSERT OR IGNORE INTO effects (run, ${effectColumns})
       SELECT run, ${marks(8)} FROM runs WHERE run = ? AND lease_token = ? AND cancel = 0`,
    ),
    insertAhead: of(
      `INSERT INTO ahead_effects (run, ready, node, phase, key, kind, effect_node, name, input, started_at) VALUES (${marks(10)})`,
    ),
    selectAhead: of('SELECT name, input, outcome FROM ahead_effects WHERE run = ? AND ready = ? AND node = ? AND phase = ? AND key = ?'),
    finishAhead: of(
      'UPDATE ahead_effects SET finished_at = ?, outcome = ? WHERE run = ? AND ready = ? AND node = ? AND phase = ? AND key = ?',
    ),
    anyAhead: of('SELECT 1 FROM ahead_effects WHERE run = ? LIMIT 1'),
    moveAhead: of(
      `INSERT OR IGNORE INTO effects (run, ${effectColumns}, finished_at, outcome)
       SELECT run, ?, ?, key, kind, effect_node, name, input, started_at, finished_at, outcome FROM ahead_effects
       WHERE run = ? AND ready = ? AND node = ? AND phase = ?`,
    ),
    deleteAhead: of('DELETE FROM ahead_effects WHERE run = ? AND ready = ? AND node = ? AND phase = ?'),
    selectEffect: of('SELECT outcome FROM recorded_effects WHERE run = ? AND seq = ? AND attempt = ? AND key = ?'),
    selectUnknown: of('SELECT 1 FROM recorded_effects WHERE run = ? AND seq = ? AND attempt < ? AND key = ? AND outcome IS NULL LIMIT 1'),
    selectMark: of('SELECT mark FROM supplied WHERE run = ? AND seq = ? AND attempt = ? AND key = ?'),
    insertMark: of('INSERT OR REPLACE INTO supplied (run, seq, attempt, key, mark) VALUES (?, ?, ?, ?, ?)'),
    selectEarlier: of(
      `SELECT seq, attempt, outcome FROM recorded_effects AS effect WHERE run = ? AND seq >= ? AND seq < ? AND key = ? AND outcome IS NOT NULL
       AND attempt = (SELECT max(attempt) FROM effects WHERE run = effect.run AND seq = effect.seq) ORDER BY seq DESC LIMIT 1`,
    ),
    insertRepetition: of('INSERT INTO repeated_effects (run, seq, attempt, key, started_at) VALUES (?, ?, ?, ?, ?)'),
    countRepetitions: of('SELECT count(*) AS count FROM repeated_effects WHERE run = ? AND seq = ? AND key = ?'),
    finishEffect: of('UPDATE effects SET finished_at = ?, outcome = ? WHERE run = ? AND seq = ? AND attempt = ? AND key = ?'),
  };
}
