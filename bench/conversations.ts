// node bench/conversations.ts [ROUNDS]: what a visit pays to read a long conversation of which it sends the last 40 messages, in milliseconds, and its ratio
// to that of a short one.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Journal } from '#main/journal/journal.ts';
import { KeptConversations } from '#main/journal/kept-conversations.ts';
import type { ConversationEntry } from '#shared/run/message.ts';

const rounds = Number(process.argv[2] ?? 200);
const folder = mkdtempSync(join(tmpdir(), 'pravah-bench-'));
const journal = Journal.open(join(folder, 'runs.db'));
const kept = new KeptConversations(journal.database, journal.values);

/** A conversation of this many entries, each exchange a question and an answer. */
function conversation(count: number): string {
  const id = `@workspace/${count}`;
  const entries = Array.from({ length: count }, (_, index): ConversationEntry => {
    const asks = index % 2 === 0;
    const entry = {
      entry_id: `${count}-${index}`,
      exchange: `${count}-${index - (index % 2)}`,
      position: index + 1,
      kind: 'message' as const,
      run_id: 'r',
      node: 'A',
      seq: 1,
      created_at: index,
    };
    return {
      role: asks ? 'user' : 'assistant',
      content: [{ type: 'text', text: 'Where is my parcel? '.repeat(10) }],
      entry: asks ? entry : { ...entry, ends: true },
    };
  });
  journal.writing(() => {
    kept.create(id, 0);
    kept.add(id, entries);
  });
  return id;
}

const sizes = [100, 10_000, 100_000];
const ids = sizes.map(conversation);
const times = sizes.map((): number[] => []);
for (let round = 0; round < rounds; round += 1) {
  for (const [index, id] of ids.entries()) {
    const started = performance.now();
    const row = kept.row(id);
    if (row && kept.seen(row, 40).length !== 40) throw new Error('not the last 40 entries');
    times[index]?.push(performance.now() - started);
  }
}
const medians = times.map((values) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN);
for (const [index, size] of sizes.entries()) {
  const median = medians[index] ?? Number.NaN;
  console.log(
    `the last 40 of ${size} entries: ${median.toFixed(3)} ms, ${(median / (medians[0] ?? 1)).toFixed(2)} times as long as of 100`,
  );
}
journal.close();
rmSync(folder, { recursive: true, force: true });
