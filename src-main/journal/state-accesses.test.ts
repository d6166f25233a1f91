import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { Journal } from './journal.ts';
import { accessBlock, StateAccesses } from './state-accesses.ts';
import { createRun, recorderOf, stepRecord, temporaryFolder } from './testing.ts';

let remove: () => void;
let journal: Journal;

beforeEach(() => {
  const temporary = temporaryFolder();
  remove = temporary.remove;
  journal = Journal.open(join(temporary.folder, 'runs.db'));
});
afterEach(() => {
  journal.close();
  remove();
});

/** Writes a run in which every tenth record writes Rare and the others Often. */
function runOf(length: number): { accesses: StateAccesses; run: number } {
  const runId = createRun(journal, 0);
  const recorder = recorderOf(journal, runId, 'one');
  let waiting = 'A';
  for (let seq = 1; seq <= length; seq += 1) {
    const name = seq % 10 === 0 ? 'Rare' : 'Often';
    recorder.commit(stepRecord(seq, seq, { consumed: [waiting], produced: [{ name, value: seq }] }));
    waiting = name;
  }
  recorder.flush();
  recorder.close();
  const row = journal.row(runId);
  return { accesses: new StateAccesses(journal, row), run: row.run };
}

it('finds the records that wrote and consumed a state, before and after the last indexed block', () => {
  const { accesses } = runOf(2 * accessBlock + 30);
  for (const seq of [1, 9, 63, 64, 65, 127, 128, 129, 140, 158]) {
    const lastRare = seq - (seq % 10);
    expect(accesses.last('writes', 'Rare', seq)).toBe(lastRare === 0 ? null : lastRare);
    expect(accesses.next('writes', 'Rare', seq)).toBe(lastRare + 10 > 158 ? null : lastRare + 10);
    expect(accesses.next('reads', 'Rare', seq)).toBe(seq < 11 ? 11 : seq % 10 === 0 ? seq + 1 : lastRare + 11 > 158 ? null : lastRare + 11);
  }
  expect(accesses.last('writes', 'A', 158)).toBeNull();
  expect(accesses.next('reads', 'A', 0)).toBe(1);
});

it('indexes the records of full blocks only, so that a record costs no further page', () => {
  const { run } = runOf(accessBlock + 5);
  const count = (table: string) =>
    journal.database.prepare(`SELECT count(*) AS count, max(seq) AS last FROM ${table} WHERE run = ?`).get(run);
  expect([count('writes'), count('reads')]).toEqual([
    { count: accessBlock, last: accessBlock },
    { count: accessBlock, last: accessBlock },
  ]);
});

it('reads the index and not the records for a state that was written long ago', () => {
  const { run } = runOf(accessBlock);
  const plan = journal.database
    .prepare('EXPLAIN QUERY PLAN SELECT max(seq) AS seq FROM writes WHERE run = ? AND state = ? AND seq <= ?')
    .all(run, 'Rare', 64) as { detail: string }[];
  expect(plan.map(({ detail }) => detail).join()).toContain('USING PRIMARY KEY (run=? AND state=? AND seq<?)');
});
