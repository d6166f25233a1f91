import { cutMessage } from '#shared/run/cut-message.ts';
import type { TransferableError } from '#shared/run/error.ts';
import type { Message } from '#shared/run/message.ts';
import { prepared } from './database.ts';
import type { Journal } from './journal.ts';
import type { RunRow } from './rows.ts';

/** A partial model response of a failed attempt, with its record and its conversation. */
export interface RecordedCut {
  readonly seq: number;
  readonly node: string;
  readonly messages: readonly Message[];
}

/**
 * Returns the partial model responses up to record `seq`, in order. An attempt after the last record belongs to that record.
 * They are stored in the failures of their steps and need no separate table.
 */
export function cutMessages(journal: Journal, { run, last_seq }: RunRow, seq: number): RecordedCut[] {
  const select = 'SELECT seq, error FROM failures WHERE run = ? AND seq <= ? ORDER BY seq, attempt';
  const rows = journal.reading(() => prepared(journal.database, select).all(run, seq === last_seq ? seq + 1 : seq));
  return (rows as { seq: number; error: string }[]).flatMap((row) => {
    const error = journal.values.readAs<TransferableError>(row.error);
    const message = cutMessage(error);
    return message && error.node !== null ? [{ seq: row.seq, node: error.node, messages: [message] }] : [];
  });
}
