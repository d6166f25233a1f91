import type { ConversationHolder } from '#main/engine/ports/conversation-store.ts';
import { prepared, type SqlDatabase, type Statement } from './database.ts';
import { type LeaseRow, leaseHolder } from './lease.ts';

interface WaitingRow extends LeaseRow {
  readonly run: number;
  readonly run_id: string;
  readonly node: string;
  readonly since: number;
}

/**
 * Who waits for a conversation, in the order in which they came. Without it, a process that talks without pause would take the conversation again
 * before those that wait look the next time. Only runs that a living process drives are waited for.
 */
export class ConversationQueue {
  readonly #database: SqlDatabase;

  constructor(database: SqlDatabase) {
    this.#database = database;
  }

  /** The run that is next, if it is not this one; null if this run may take the conversation. */
  before(conversation: string, run: number): ConversationHolder | null {
    const select = `SELECT q.run, q.node, q.since, r.run_id, r.lease_token, r.lease_owner, r.lease_expires
      FROM conversation_queue q JOIN runs r ON r.run = q.run WHERE q.conversation = ? ORDER BY q.place`;
    const now = Date.now();
    const rows = this.#of(select).all(conversation) as WaitingRow[];
    const next = rows.find((row) => row.run === run || leaseHolder(row, now) !== null);
    return next && next.run !== run ? { run_id: next.run_id, node: next.node, since: next.since } : null;
  }

  /** Takes the last place, unless the run has one. */
  join(conversation: string, run: number, { node, since }: ConversationHolder): void {
    const insert = 'INSERT INTO conversation_queue (conversation, run, node, since) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING';
    this.#of(insert).run(conversation, run, node, since);
  }

  /** Gives up the place. */
  leave(conversation: string, run: number): void {
    this.#of('DELETE FROM conversation_queue WHERE conversation = ? AND run = ?').run(conversation, run);
  }

  #of(sql: string): Statement {
    return prepared(this.#database, sql);
  }
}
