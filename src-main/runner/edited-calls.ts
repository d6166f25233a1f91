import type { Journal } from '#main/journal/journal.ts';
import { RunReader } from '#main/journal/run-reader.ts';
import { isJsonObject, type Json } from '#shared/json.ts';
import { sameValue } from '#shared/value-changes.ts';

/** A call whose input the user edited before approving it. */
export interface EditedCall {
  /** Number of the record that contains the answer. */
  readonly seq: number;
  readonly tool: string;
  readonly tool_call_id: string;
  /** The input that the user was asked to approve. */
  readonly input: Json;
  readonly ran_with: Json;
  readonly edited_by: 'person';
}

/** Returns the calls of a run that were approved with edited input, in order. Read from the answers, which older versions recorded, too. */
export function editedCalls(journal: Journal, runId: string): EditedCall[] {
  const reader = new RunReader(journal, journal.row(runId));
  return reader.timeline().flatMap(({ seq, type }) => (type === 'resumed' ? (editAt(reader, seq) ?? []) : []));
}

function editAt(reader: RunReader, seq: number): EditedCall | null {
  const [answer] = reader.foldAt(seq).control.answers;
  if (answer?.suspension.reason !== 'approval') return null;
  const { payload, suspension } = answer;
  const { value, tool_call_id } = suspension;
  if (!isJsonObject(payload) || !isJsonObject(value)) return null;
  const { tool, input } = value;
  if (payload.approve !== true || payload.input === undefined || input === undefined || sameValue(input, payload.input)) return null;
  return { seq, tool: String(tool), tool_call_id, input, ran_with: payload.input, edited_by: 'person' };
}
