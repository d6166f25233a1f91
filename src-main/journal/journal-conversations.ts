import type { ConversationSummary } from '#shared/run/conversation-summary.ts';
import { FlowError } from '#shared/run/error.ts';
import { conversationId } from '#shared/run/kept-conversation.ts';
import type { ConversationEntry } from '#shared/run/message.ts';
import { prepared } from './database.ts';
import type { Journal } from './journal.ts';
import { type ConversationRow, KeptConversations } from './kept-conversations.ts';

/** What people do with the conversations of a workspace, in its journal. Keys are as in the flow; branches have their whole id. */
export class JournalConversations {
  readonly #journal: Journal;
  readonly #kept: KeptConversations;

  constructor(journal: Journal) {
    this.#journal = journal;
    this.#kept = new KeptConversations(journal.database, journal.values);
  }

  /** Conversations without their branches, the most recently used first. */
  list(): ConversationSummary[] {
    return this.#rows('branch_of IS NULL', []).map((row) => this.#summary(row));
  }

  /** Branches of a conversation with entries of their own. */
  branches(key: string): ConversationSummary[] {
    const { conversation } = this.#row(key);
    return this.#rows('branch_of = ? AND head > branch_at', [conversation]).map((row) => this.#summary(row));
  }

  /** The entries, of a branch with those that it shares. `last`: only that many. Throws `NotFound`. */
  entries(key: string, last?: number): ConversationEntry[] {
    const row = this.#row(key);
    return this.#journal.reading(() => this.#kept.entries(row, last === undefined ? {} : { last }));
  }

  summary(key: string): ConversationSummary {
    return this.#summary(this.#row(key));
  }

  /** Takes the conversation away from the run that holds it: this one cannot go on in it if others do. Returns whether it was held. */
  release(key: string): boolean {
    return this.#journal.writing(() => {
      const row = this.#row(key);
      const held = this.#kept.holderOf(row) !== null;
      if (row.held_run !== null) this.#kept.release(row.conversation, row.held_run);
      return held;
    });
  }

  /** Empties the conversation. Runs keep what they have read and said, so they can be replayed. Throws `Conflict` while it is held. */
  drop(key: string, now: number): void {
    this.#journal.writing(() => {
      const row = this.#free(key);
      this.#run('DELETE FROM conversation_entries WHERE conversation = ?', row.conversation);
      this.#run('UPDATE kept_conversations SET dropped_at = ?, updated_at = ? WHERE conversation = ?', now, now, row.conversation);
    });
  }

  /** Ids of the runs that took part in a conversation or its branches, or inherited it. */
  runsIn(key: string): string[] {
    const { conversation } = this.#row(key);
    const select = `SELECT run_id FROM runs WHERE run IN (SELECT run FROM messages WHERE node = ?)
      OR run IN (SELECT run FROM conversation_reads WHERE conversation = ?) ORDER BY run`;
    const rows = this.#journal.reading(() => prepared(this.#journal.database, select).all(conversation, conversation));
    return (rows as { run_id: string }[]).map(({ run_id }) => run_id);
  }

  /** Removes a conversation, its branches, and the runs that took part in it: nothing of its text is left. Throws `Conflict` while a run is driven. */
  erase(key: string, now: number): void {
    this.#journal.writing(() => {
      const { conversation } = this.#free(key);
      for (const runId of this.runsIn(key)) this.#journal.removeRun(runId, now);
      this.#run('DELETE FROM kept_conversations WHERE conversation = ? OR branch_of = ?', conversation, conversation);
    });
  }

  /** Makes a fork's branch the conversation. Throws `Conflict` if the conversation has moved on since the fork, with what each side has said. */
  adopt(branch: string, now: number): void {
    this.#journal.writing(() => {
      const row = this.#free(branch);
      if (row.branch_of === null)
        throw new FlowError('NotFound', `${branch} is not a branch. List them with: pravah conversations branches KEY.`);
      const main = this.#free(row.branch_of);
      if (main.head !== row.branch_at) throw this.#diverged(main, row);
      this.#run('UPDATE conversation_entries SET conversation = ? WHERE conversation = ?', main.conversation, row.conversation);
      this.#run('UPDATE kept_conversations SET head = ?, updated_at = ? WHERE conversation = ?', row.head, now, main.conversation);
      this.#run('UPDATE kept_conversations SET branch_at = head WHERE conversation = ?', row.conversation);
    });
  }

  /** Adds a conversation that was exported. Throws `Conflict` if there is one with this key. */
  import(key: string, entries: readonly ConversationEntry[], now: number): void {
    const id = conversationId('workspace', key);
    this.#journal.writing(() => {
      if (this.#kept.row(id)) {
        throw new FlowError('Conflict', `There is a conversation ${key} already. Drop or erase it first: nothing was imported.`);
      }
      this.#kept.create(id, now);
      this.#kept.add(id, entries);
      this.#run('UPDATE kept_conversations SET head = ? WHERE conversation = ?', entries.at(-1)?.entry.position ?? 0, id);
    });
  }

  /** Removes conversations that were last used more than this many days ago; see `expire`. */
  expireAfter(days: number, now: number): string[] {
    return this.expire(now - days * 86_400_000);
  }

  /** Removes conversations, with their branches, that were not used since a moment and that no run holds. Returns their keys. */
  expire(before: number): string[] {
    return this.#journal.writing(() => {
      const old = this.#rows('branch_of IS NULL AND updated_at < ?', [before]).filter((row) => this.#kept.holderOf(row) === null);
      for (const { conversation } of old)
        this.#run('DELETE FROM kept_conversations WHERE conversation = ? OR branch_of = ?', conversation, conversation);
      return old.map(({ key }) => key);
    });
  }

  #diverged(main: ConversationRow, branch: ConversationRow): FlowError {
    const after = (row: ConversationRow) => this.#kept.entries(row, { after: branch.branch_at ?? 0 });
    const [said, own] = [after(main), after(branch)];
    return new FlowError(
      'Conflict',
      `The conversation ${main.key} has ${said.length} new entries since the fork at position ${branch.branch_at}, and the branch ${own.length}. Nothing was changed. Compare both with: pravah conversations show.`,
      {
        code: 'ORCHESTRATION_CONVERSATION_MOVED',
        retryable: false,
        details: { conversation: main.conversation, branch: branch.conversation, at: branch.branch_at ?? 0, head: main.head },
      },
    );
  }

  #free(key: string): ConversationRow {
    const row = this.#row(key);
    const holder = this.#kept.holderOf(row);
    if (!holder) return row;
    throw new FlowError(
      'Conflict',
      `The conversation ${row.key} is busy: ${holder.node} of run ${holder.run_id} is in the middle of it. Let that end, cancel the run, or use: pravah conversations release.`,
      {
        code: 'ORCHESTRATION_CONVERSATION_BUSY',
        details: { conversation: row.conversation, ...holder, waits_for: holder.waits_for ?? null },
      },
    );
  }

  #row(key: string): ConversationRow {
    const row = this.#journal.reading(() => this.#kept.row(conversationId('workspace', key)) ?? this.#kept.row(key));
    if (row) return row;
    throw new FlowError('NotFound', `There is no conversation ${key}. List them with: pravah conversations.`, { details: { key } });
  }

  #rows(where: string, given: (string | number)[]): ConversationRow[] {
    const select = `SELECT * FROM kept_conversations WHERE ${where} ORDER BY updated_at DESC, conversation`;
    return this.#journal.reading(() => prepared(this.#journal.database, select).all(...given)) as ConversationRow[];
  }

  #summary(row: ConversationRow): ConversationSummary {
    const select = 'SELECT count(*) AS entries, coalesce(sum(tokens), 0) AS tokens FROM conversation_entries WHERE conversation = ?';
    const { conversation, key, head, created_at, updated_at, branch_at, branch_run } = row;
    const counted = this.#journal.reading(() => prepared(this.#journal.database, select).get(conversation)) as {
      entries: number;
      tokens: number;
    };
    const held_by = this.#kept.holderOf(row);
    const branch = branch_at === null ? null : { at: branch_at, run_id: branch_run ?? '' };
    return { conversation, key, ...counted, head, created_at, updated_at, held_by, branch };
  }

  #run(sql: string, ...given: (string | number)[]): void {
    prepared(this.#journal.database, sql).run(...given);
  }
}
