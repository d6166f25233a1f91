import type {
  ConversationChange,
  ConversationHolder,
  ConversationRequest,
  OpenedConversation,
} from '#main/engine/ports/conversation-store.ts';
import { FlowError } from '#shared/run/error.ts';
import { workspaceKey } from '#shared/run/kept-conversation.ts';
import type { ConversationEntry } from '#shared/run/message.ts';
import { ConversationQueue } from './conversation-queue.ts';
import { prepared, type SqlDatabase, type Statement } from './database.ts';
import type { ValueReader } from './value-store.ts';

/** A row of `kept_conversations`. */
export interface ConversationRow {
  /** `@workspace/KEY`; of a branch, with the fork's run id (`@workspace/KEY#RUN`). */
  readonly conversation: string;
  readonly key: string;
  readonly branch_of: string | null;
  readonly branch_at: number | null;
  readonly branch_run: string | null;
  readonly head: number;
  readonly created_at: number;
  readonly updated_at: number;
  readonly held_run: string | null;
  readonly held_node: string | null;
  readonly held_since: number | null;
}

/** The run on whose behalf a conversation is opened. */
export interface ReadingRun {
  readonly run: number;
  readonly run_id: string;
}

/**
 * Conversations of the workspace in a journal. Its methods belong inside the caller's transaction: entries are written together with the step that made
 * them, or not at all. A visit holds its conversation as long as its run can go on: a run that has ended, failed or been removed holds nothing.
 */
export class KeptConversations {
  readonly #database: SqlDatabase;
  readonly #values: ValueReader;
  readonly #queue: ConversationQueue;

  constructor(database: SqlDatabase, values: ValueReader) {
    this.#database = database;
    this.#values = values;
    this.#queue = new ConversationQueue(database);
  }

  /** Takes a conversation for a visit of a run, and reads it. `moved` if it is not as the visit left it. A fork reads and writes a branch. */
  open({ run, run_id: runId }: ReadingRun, { seq, id, holder, expected, waits, last }: ConversationRequest): OpenedConversation {
    const conversation = this.#idFor(run, runId, id, holder.since);
    const row = this.row(conversation) as ConversationRow;
    const other = this.holderOf(row);
    const before = other?.run_id === runId ? null : (other ?? this.#queue.before(conversation, run));
    if (before) {
      if (waits) this.#queue.join(conversation, run, holder);
      else this.#queue.leave(conversation, run);
      return { type: 'busy', holder: before };
    }
    this.#queue.leave(conversation, run);
    if (expected !== undefined && expected !== row.head) return { type: 'moved', head: row.head };
    this.#of('UPDATE kept_conversations SET held_run = ?, held_node = ?, held_since = ? WHERE conversation = ?').run(
      runId,
      holder.node,
      other?.since ?? holder.since,
      conversation,
    );
    if (expected !== undefined) return { type: 'open', reads: [expected + 1, expected], entries: [] };
    this.#of('INSERT OR REPLACE INTO conversation_reads (run, seq, conversation, base) VALUES (?, ?, ?, ?)').run(
      run,
      seq,
      conversation,
      row.head,
    );
    const entries = this.seen(row, last);
    return { type: 'open', reads: [entries[0]?.entry.position ?? row.head + 1, row.head], entries };
  }

  /** Position up to which a run had read at a step that was begun; undefined if it had not. */
  baseAt(run: number, seq: number): number | undefined {
    const found = this.#of('SELECT base FROM conversation_reads WHERE run = ? AND seq = ?').get(run, seq);
    return (found as { base: number } | undefined)?.base;
  }

  /** Adds a step's entries. Throws `Conflict` if the conversation has moved on. */
  append({ run, run_id: runId }: ReadingRun, { id, expected, entries, releases }: ConversationChange, now: number): void {
    const conversation = this.#idFor(run, runId, id, now);
    const moved = this.#of('UPDATE kept_conversations SET head = head + ?, updated_at = ? WHERE conversation = ? AND head = ?').run(
      entries.length,
      now,
      conversation,
      expected,
    );
    if (moved.changes === 0) {
      throw new FlowError('Conflict', `The conversation ${id} has moved on since the run read it. Fork the run from before this visit.`, {
        code: 'ORCHESTRATION_CONVERSATION_MOVED',
        details: { conversation: id, expected },
      });
    }
    this.add(conversation, entries);
    const last = entries.at(-1);
    if (last?.entry.ends) {
      const complete = 'UPDATE conversation_entries SET completed_at = ? WHERE conversation = ? AND exchange = ?';
      this.#of(complete).run(now, conversation, last.entry.exchange);
    }
    if (releases) this.release(conversation, runId);
  }

  release(conversation: string, runId: string): void {
    const release =
      'UPDATE kept_conversations SET held_run = NULL, held_node = NULL, held_since = NULL WHERE conversation = ? AND held_run = ?';
    this.#of(release).run(conversation, runId);
  }

  row(conversation: string): ConversationRow | undefined {
    return this.#of('SELECT * FROM kept_conversations WHERE conversation = ?').get(conversation) as ConversationRow | undefined;
  }

  /** Who holds a conversation; null if no run does any more. */
  holderOf({ held_run, held_node, held_since }: ConversationRow): ConversationHolder | null {
    if (held_run === null) return null;
    const run = this.#of('SELECT status, suspensions FROM runs WHERE run_id = ?').get(held_run) as
      | { status: string; suspensions: string }
      | undefined;
    if (!run || ['success', 'error', 'cancelled'].includes(run.status)) return null;
    const waits_for = /"tool_id":"((?:[^"\\]|\\.)*)"/.exec(run.suspensions)?.[1];
    return { run_id: held_run, node: held_node ?? '', since: held_since ?? 0, ...(waits_for !== undefined && { waits_for }) };
  }

  /** What a new visit reads: the last summary, and what it does not replace. `last`: of the last N entries, the exchanges that are whole. */
  seen(row: ConversationRow, last?: number): ConversationEntry[] {
    const upto = this.#parts(row).reduce((latest, part) => Math.max(latest, this.#summarised(part)), 0);
    if (last === undefined) return this.entries(row, { after: upto });
    const entries = this.entries(row, { after: upto, last });
    const whole = new Set(entries.flatMap(({ entry }) => (entry.entry_id === entry.exchange ? [entry.exchange] : [])));
    return entries.filter(({ entry }) => entry.kind === 'summary' || whole.has(entry.exchange));
  }

  /** Entries of a conversation in order, of a branch with those that it shares. `last`: only that many. */
  entries(row: ConversationRow, { after = 0, last = -1 }: { readonly after?: number; readonly last?: number } = {}): ConversationEntry[] {
    const select = `SELECT message FROM conversation_entries
      WHERE conversation = ? AND position > ? AND position <= ? ORDER BY position DESC LIMIT ?`;
    const rows: { message: string }[] = [];
    for (const { id, upTo } of this.#parts(row)) {
      const left = last < 0 ? last : last - rows.length;
      rows.push(...(this.#of(select).all(id, after, upTo, left) as { message: string }[]));
    }
    return rows.map(({ message }) => JSON.parse(message) as ConversationEntry).reverse();
  }

  /** Where the entries of a conversation are, the newest first: a branch shares the older ones. Each part is read by its index alone. */
  #parts({ conversation, branch_of, branch_at }: ConversationRow): { readonly id: string; readonly upTo: number }[] {
    const own = { id: conversation, upTo: Number.MAX_SAFE_INTEGER };
    return branch_of === null ? [own] : [own, { id: branch_of, upTo: branch_at ?? 0 }];
  }

  /** Position up to which a summary replaces the entries of a part; 0 if none does. */
  #summarised({ id, upTo }: { readonly id: string; readonly upTo: number }): number {
    const latest = `SELECT coalesce(max(replaces_to), 0) AS upto FROM conversation_entries INDEXED BY summaries_by_position
      WHERE kind = 'summary' AND conversation = ? AND position <= ?`;
    return (this.#of(latest).get(id, upTo) as { upto: number }).upto;
  }

  /** Writes entries of a conversation, whose head is another matter. */
  add(conversation: string, entries: readonly ConversationEntry[]): void {
    for (const entry of entries) this.#insert(conversation, entry);
  }

  #insert(conversation: string, entry: ConversationEntry): void {
    const { entry_id, exchange, position, kind, key, run_id, node, seq, replaces, tokens, created_at } = entry.entry;
    const insert = `INSERT INTO conversation_entries
      (conversation, position, entry_id, exchange, kind, message, app_key, run_id, node, seq, replaces_to, tokens, created_at)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;
    this.#of(insert).run(
      conversation,
      position,
      entry_id,
      exchange,
      kind,
      JSON.stringify(entry),
      key ?? null,
      run_id,
      node,
      seq,
      replaces?.[1] ?? null,
      tokens ?? 0,
      created_at,
    );
  }

  /** The conversation that a run reads and writes under an id: a fork's own branch. Creates it where it is missing. */
  #idFor(run: number, runId: string, id: string, now: number): string {
    const isFork = this.#of('SELECT 1 FROM origins WHERE run = ? AND parent_run_id <> ?').get(run, '') !== undefined;
    const conversation = isFork ? `${id}#${runId}` : id;
    if (this.row(conversation)) return conversation;
    if (isFork) this.#branch(run, runId, id, now);
    else this.create(id, now);
    return conversation;
  }

  /** Creates an empty conversation. */
  create(id: string, now: number): void {
    const insert = 'INSERT INTO kept_conversations (conversation, key, head, created_at, updated_at) VALUES (?, ?, 0, ?, ?)';
    this.#of(insert).run(id, workspaceKey(id) ?? id, now, now);
  }

  /** Creates a fork's branch: what it has inherited from its parent, or the conversation as it stands. */
  #branch(run: number, runId: string, id: string, now: number): void {
    if (!this.row(id)) this.create(id, now);
    const main = this.row(id) as ConversationRow;
    const inherited = this.#inherited(run, id);
    const own = inherited === null ? [] : inherited.filter(({ entry }) => !this.#has(id, entry.entry_id));
    const last = inherited?.findLast(({ entry }) => this.#has(id, entry.entry_id))?.entry.position ?? 0;
    const at = inherited === null ? main.head : last;
    const head = own.at(-1)?.entry.position ?? at;
    const insert = `INSERT INTO kept_conversations (conversation, key, branch_of, branch_at, branch_run, head, created_at, updated_at)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?)`;
    const branch = `${id}#${runId}`;
    this.#of(insert).run(branch, main.key, id, at, runId, head, now, now);
    this.add(
      branch,
      own.filter(({ entry }) => entry.position > at),
    );
  }

  #has(conversation: string, entryId: string): boolean {
    const select = 'SELECT 1 FROM conversation_entries WHERE conversation = ? AND entry_id = ?';
    return this.#of(select).get(conversation, entryId) !== undefined;
  }

  /** What a fork has inherited of a conversation; null if its parent had not been in it. */
  #inherited(run: number, id: string): ConversationEntry[] | null {
    const row = this.#of('SELECT messages FROM messages WHERE run = ? AND node = ? AND seq = 0').get(run, id) as
      | { messages: string }
      | undefined;
    return row ? this.#values.readAs<ConversationEntry[]>(row.messages) : null;
  }

  #of(sql: string): Statement {
    return prepared(this.#database, sql);
  }
}
