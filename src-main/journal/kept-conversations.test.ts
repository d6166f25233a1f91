import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ConversationEntry } from '#shared/run/message.ts';
import { Journal } from './journal.ts';
import { KeptConversations } from './kept-conversations.ts';
import { temporaryFolder } from './testing.ts';

let journal: Journal;
let kept: KeptConversations;
let remove: () => void;

beforeEach(() => {
  const temporary = temporaryFolder();
  remove = temporary.remove;
  journal = Journal.open(`${temporary.folder}/runs.db`);
  kept = new KeptConversations(journal.database, journal.values);
});
afterEach(() => {
  journal.close();
  remove();
});

/** Exchanges of three entries, from a position on. */
function entries(name: string, from: number, count: number): ConversationEntry[] {
  return Array.from({ length: count }, (_, index) => {
    const [position, place] = [from + index, index % 3];
    const exchange = `${name}-${position - place}`;
    const entry = { entry_id: `${name}-${position}`, exchange, position, kind: 'message' as const, run_id: 'r', node: 'A', seq: 1 };
    const role = place === 1 ? 'assistant' : 'user';
    return { role, content: [], entry: { ...entry, created_at: 0, ...(place === 2 && { ends: true as const }) } };
  });
}

/** Positions of what a visit reads that sends the last N messages. */
const positions = (id: string, last?: number) => {
  const row = kept.row(id);
  return row && kept.seen(row, last).map(({ entry }) => entry.position);
};

test('a visit that sends the last messages reads only as many entries, and no part of an exchange', () => {
  kept.create('@workspace/k', 0);
  kept.add('@workspace/k', entries('k', 1, 30));
  expect(positions('@workspace/k', 7)).toEqual([25, 26, 27, 28, 29, 30]);
  expect(positions('@workspace/k')).toHaveLength(30);
});

test('a branch reads its own entries before those that it shares', () => {
  kept.create('@workspace/k', 0);
  kept.add('@workspace/k', entries('k', 1, 30));
  journal.database
    .prepare(
      `INSERT INTO kept_conversations (conversation, key, branch_of, branch_at, branch_run, head, created_at, updated_at)
       VALUES ('@workspace/k#f', 'k', '@workspace/k', 6, 'f', 9, 0, 0)`,
    )
    .run();
  kept.add('@workspace/k#f', entries('f', 7, 3));
  expect(positions('@workspace/k#f')).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
  expect(positions('@workspace/k#f', 5)).toEqual([7, 8, 9]);
  expect(positions('@workspace/k#f', 6)).toEqual([4, 5, 6, 7, 8, 9]);
});

test('reading the last entries looks through an index and not through the conversation', () => {
  kept.create('@workspace/k', 0);
  const read: string[] = [];
  const { database } = journal;
  const prepare = database.prepare.bind(database);
  database.prepare = (sql: string) => {
    if (/FROM conversation_entries/.test(sql)) read.push(sql);
    return prepare(sql);
  };
  positions('@workspace/k', 40);
  expect(read).toHaveLength(2);
  for (const sql of read) {
    const values = Array.from({ length: sql.split('?').length - 1 }, () => 0);
    const plan = prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...values) as { detail: string }[];
    const steps = plan.map(({ detail }) => detail).join('; ');
    expect(steps).toMatch(/SEARCH conversation_entries USING (PRIMARY KEY|INDEX summaries_by_position)/);
    expect(steps).not.toMatch(/SCAN|TEMP B-TREE|MULTI-INDEX/);
  }
});
