import { Journal } from '#main/journal/journal.ts';
import type { EffectRow, RunRow } from '#main/journal/rows.ts';
import { RunReader } from '#main/journal/run-reader.ts';
import { isJsonObject, type Json } from '#shared/json.ts';

/** What a journal says of a run after its process was killed. */
export interface KilledRun {
  readonly run_id: string;
  readonly status: RunRow['status'];
  readonly last_seq: number;
  /** The state map as JSON text, after the last record. */
  readonly states: string;
  /** What the witness was asked for by effects that have started and have no result on record. */
  readonly open: readonly string[];
}

/** Opens the journal that a killed process left behind, and looks at the runs that are not through. */
export function readKilledRuns(path: string): KilledRun[] {
  const journal = Journal.open(path);
  try {
    return journal.rows({ limit: 10 }).flatMap((row) => (row.status === 'success' ? [] : [readKilledRun(journal, row)]));
  } finally {
    journal.close();
  }
}

/** The state map of a run after a record, as JSON text. */
export function statesAt(path: string, runId: string, seq: number): string {
  const journal = Journal.open(path);
  try {
    return statesText(new RunReader(journal, journal.row(runId)), seq);
  } finally {
    journal.close();
  }
}

function readKilledRun(journal: Journal, row: RunRow): KilledRun {
  const reader = new RunReader(journal, row);
  const { run } = journal.inputOf(row) as { readonly run: string };
  const open = reader.effects(row.last_seq + 1).filter(({ outcome }) => outcome === null);
  return {
    run_id: row.run_id,
    status: row.status,
    last_seq: row.last_seq,
    states: statesText(reader, row.last_seq),
    open: open.map((effect) => whatOf(run, effect, journal.values.read(effect.input))),
  };
}

function statesText(reader: RunReader, seq: number): string {
  return JSON.stringify([...reader.foldAt(seq).states.values()]);
}

function whatOf(run: string, { kind, node }: EffectRow, input: Json): string {
  // A node of a called flow is called after the call.
  if (kind === 'handler') return `${run} handler ${node.slice(node.lastIndexOf(':') + 1)}`;
  const fields = isJsonObject(input) ? input : {};
  return kind === 'model' ? `${run} model ${fields.turn}` : String(fields.what);
}
