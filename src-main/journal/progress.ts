/**
 * Progress of a run: the columns `last_seq`, `attempt` and `tokens` of its row, plus the steps written since the row was
 * last updated. A step with an effect writes only its own row; the run's row follows within a second of
 * driving, within 64 steps, or when driving ends or resumes.
 */
export const progress = `
  max(last_seq, coalesce((SELECT max(seq) FROM steps WHERE steps.run = runs.run), 0)) AS last_seq,
  CASE WHEN EXISTS (SELECT 1 FROM steps WHERE steps.run = runs.run AND seq > last_seq) THEN 1 ELSE attempt END AS attempt,
  tokens + coalesce((SELECT sum(steps.tokens) FROM steps WHERE steps.run = runs.run AND seq > last_seq), 0) AS tokens`;

/** Updates a run's row to its last step. Takes the run's number. */
export const moveOn = `UPDATE runs SET (last_seq, attempt, tokens) = (SELECT ${progress}) WHERE run = ?`;
