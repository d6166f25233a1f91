import { z } from 'zod';
import { agentPhases } from '#shared/run/agent-phase.ts';
import { prepared } from './database.ts';
import { errorOf, type Journal } from './journal.ts';
import { usageOf } from './model-usage.ts';
import { checked, type RunRow, readNames } from './rows.ts';

const stepSchema = z.object({
  node: z.string(),
  type: z.enum(['transition', 'suspended', 'resumed']),
  phase: z.enum(agentPhases).nullable(),
  produced: z.string(),
  note: z.string(),
  duration_ms: z.number(),
  tokens: z.int(),
});
const callSchema = z.object({ node: z.string(), model: z.string(), outcome: z.string().nullable() });
const failureSchema = z.object({ error: z.string() });

const selectSteps = 'SELECT node, type, phase, produced, note, duration_ms, tokens FROM steps WHERE run = ?';
const selectCalls = "SELECT node, name AS model, outcome FROM recorded_effects WHERE run = ? AND kind = 'model'";
const selectFailures = 'SELECT error FROM failures WHERE run = ?';

/** What a record did at its node. */
export interface FiringRecord {
  /** The node's id in the run. */
  readonly node: string;
  /** The states that it produced when it finished with this record, as its flow's graph names them; null if it did not finish. Empty: all of the node. */
  readonly produced: readonly string[] | null;
  readonly duration_ms: number;
  readonly tokens: number;
}

/** Iterates over a run's records without their values. */
export function* firingRecords(journal: Journal, row: RunRow): Generator<FiringRecord> {
  const { database, path } = journal;
  // Reads all rows at once: another statement of this connection may run in between.
  const rows = journal.reading(() => prepared(database, selectSteps).all(row.run));
  for (const raw of rows) {
    const { node, type, phase, produced, note, duration_ms, tokens } = checked(stepSchema, raw, path);
    const names = readNames(produced, path);
    // The rows of records in frames have no states; their notes name them, except an agent's.
    const inFrame = node.includes(']::') && names.length === 0;
    const finished = type === 'transition' && (phase === null || names.length > 0 || (inFrame && note === 'finished'));
    yield { node, produced: finished ? (inFrame ? producedIn(note) : names) : null, duration_ms, tokens };
  }
}

function producedIn(note: string): string[] {
  return note.includes('→') ? (note.split('→')[1] ?? '').split('+').map((name) => name.trim()) : [];
}

/** Iterates over the model calls of a run with the tokens that the provider reported. */
export function* modelUsages(
  journal: Journal,
  row: RunRow,
): Generator<{ readonly node: string; readonly model: string; readonly tokens_in: number; readonly tokens_out: number }> {
  for (const raw of journal.reading(() => prepared(journal.database, selectCalls).all(row.run))) {
    const { node, model, outcome } = checked(callSchema, raw, journal.path);
    const usage = outcome === null ? null : usageOf(journal.values.read(outcome));
    if (usage) yield { node, model, ...usage };
  }
}

/** Returns the nodes of all failed attempts of a run, in order. */
export function failedNodes(journal: Journal, row: RunRow): string[] {
  const rows = journal.reading(() => prepared(journal.database, selectFailures).all(row.run));
  return rows.flatMap((raw) => {
    const { error } = checked(failureSchema, raw, journal.path);
    return errorOf(journal, { ...row, error })?.node ?? [];
  });
}
