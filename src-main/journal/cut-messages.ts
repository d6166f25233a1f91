import { prepared } from '#main/journal/database.ts';
import type { Journal } from '#main/journal/journal.ts';
import type { RunRow } from '#main/journal/rows.ts';
import { cutMessage } from '#shared/runtime/cut-message.ts';
import type { TransferableError } from '#shared/runtime/error.ts';
import type { Message } from '#shared/runtime/message.ts';

/** What a model had said in a try that failed: at which record the try was, and in whose conversation it stands. */
export interface RecordedCut {
  readonly seq: number;
  readonly node: string;
  readonly messages: readonly Message[];
}

/**
 * What models had said when they were cut off, up to record `seq`, in order. A try after the last record belongs to that record: there it is looked at.
 * It stands in the failure of its step, so no table of its own is needed.
 */
export function cutMessages(journal: Journal, { run, last_seq }: RunRow, seq: number): RecordedCut[] {
  const select = 'SELECT seq, error FROM failures WHERE run = ? AND seq <= ? ORDER BY seq, attempt';
  const rows = journal.reading(() => prepared(journal.database, select).all(run, seq === last_seq ? seq + 1 : seq));
  return (rows as { seq: number; error: string }[]).flatMap((row) => {
    const error = journal.values.read(row.error) as unknown as TransferableError;
    const message = cutMessage(error);
    return message && error.node !== null ? [{ seq: row.seq, node: error.node, messages: [message] }] : [];
  });
}
