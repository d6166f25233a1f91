/**
 * How far a run is: the columns `last_seq`, `attempt` and `tokens` of its row, together with the steps that were written since the row was
 * last moved on. A step with an effect is one row of its own and leaves that of its run alone; the run's row follows it within a second of
 * driving, within 64 steps, or when the driving ends or is taken up again.
 */
export const progress = `
  max(last_seq, coalesce((SELECT max(seq) FROM steps WHERE steps.run = runs.run), 0)) AS last_seq,
  CASE WHEN EXISTS (SELECT 1 FROM steps WHERE steps.run = runs.run AND seq > last_seq) THEN 1 ELSE attempt END AS attempt,
  tokens + coalesce((SELECT sum(steps.tokens) FROM steps WHERE steps.run = runs.run AND seq > last_seq), 0) AS tokens`;

/** Moves a run's row on to its last step. Takes the run. */
export const moveOn = `UPDATE runs SET (last_seq, attempt, tokens) = (SELECT ${progress}) WHERE run = ?`;
