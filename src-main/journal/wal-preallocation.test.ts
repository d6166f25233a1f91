import { statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Journal } from './journal.ts';
import { createRun, noControl, recorderOf, stepRecord, temporaryFolder } from './testing.ts';

let journal: Journal;
let remove: () => void;

beforeEach(() => {
  const temporary = temporaryFolder();
  remove = temporary.remove;
  journal = Journal.open(join(temporary.folder, 'runs.db'));
});
afterEach(() => {
  journal.close();
  remove();
});

const sizes = () => ['', '-wal'].map((suffix) => statSync(`${journal.path}${suffix}`).size);

test('the log of a run with many effects has its full length soon, and the journal holds nothing of it', async () => {
  const runId = createRun(journal, 0);
  const recorder = recorderOf(journal, runId, 'one');
  const { suspensions } = recorder.folded.control;
  const [size, log] = sizes();
  for (let seq = 1; seq <= 16; seq += 1) {
    await recorder.effect(seq, { key: 'handler', kind: 'handler', node: 'A', name: 'A', input: seq, closing: true }, async () => seq);
    recorder.commit(stepRecord(seq, seq, { pure: false, control: { ...noControl, suspensions } }));
    if (seq === 15) expect(sizes()[1]).toBeLessThan(1_000_000);
  }
  expect(log).toBeLessThan(1_000_000);
  expect(sizes()[0]).toBe(size);
  expect(sizes()[1]).toBeGreaterThan(4_000_000);
  expect(journal.database.prepare('SELECT key FROM meta').all()).toEqual([]);
  expect(journal.database.pragma('cache_size', { simple: true })).toBe(-16_000);
  expect(journal.row(runId).last_seq).toBe(16);
  recorder.close();
  journal.database.pragma('wal_checkpoint(TRUNCATE)');
  expect(sizes()[0]).toBeLessThan(1_000_000);
});
