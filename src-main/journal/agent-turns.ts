import { z } from 'zod';
import type { AgentTurn } from '#shared/contract/runs.ts';
import { agentPhases } from '#shared/run/agent-phase.ts';
import { prepared } from './database.ts';
import type { Journal } from './journal.ts';
import { usageOf } from './model-usage.ts';
import { checked, type RunRow } from './rows.ts';

const turnRowSchema = z.object({
  seq: z.int(),
  turn: z.int().nullable(),
  phase: z.enum(agentPhases),
  tokens: z.int(),
  duration_ms: z.number(),
  model: z.string().nullable(),
  outcome: z.string().nullable(),
  mocked: z.int(),
});

/** A failed attempt has its own call; the last attempt is the recorded one. */
const selectTurns = `
  SELECT step.seq AS seq, step.turn AS turn, step.phase AS phase, step.tokens AS tokens, step.duration_ms AS duration_ms,
    call.name AS model, call.outcome AS outcome,
    (SELECT count(DISTINCT key) FROM supplied WHERE supplied.run = step.run AND supplied.seq = step.seq AND key <> '') AS mocked
  FROM steps AS step
  LEFT JOIN recorded_effects AS call ON call.run = step.run AND call.seq = step.seq AND call.kind = 'model'
    AND call.attempt = (SELECT max(attempt) FROM effects WHERE run = step.run AND seq = step.seq)
  WHERE step.run = ? AND step.node = ? AND step.seq <= ? AND step.phase IS NOT NULL ORDER BY step.seq`;

/** Returns the model, tokens and duration of each transition of an agent up to record `seq`. */
export function agentTurns(journal: Journal, row: RunRow, node: string, seq: number): AgentTurn[] {
  const rows = journal.reading(() => prepared(journal.database, selectTurns).all(row.run, node, seq));
  return rows.map((raw) => {
    const { outcome, ...turn } = checked(turnRowSchema, raw, journal.path);
    const usage = outcome === null ? null : usageOf(journal.values.read(outcome));
    return { ...turn, tokens_in: usage?.tokens_in ?? null, tokens_out: usage?.tokens_out ?? null };
  });
}
