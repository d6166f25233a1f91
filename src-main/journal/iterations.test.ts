import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { IterationReader } from './iterations.ts';
import { Journal } from './journal.ts';
import { RunReader } from './run-reader.ts';
import { createRun, noControl, recorderOf, stepRecord, temporaryFolder } from './testing.ts';

let places: ReturnType<typeof temporaryFolder>;
let journal: Journal;
beforeEach(() => {
  places = temporaryFolder();
  journal = Journal.open(join(places.folder, 'runs.db'));
});
afterEach(() => {
  journal.close();
  places.remove();
});

/** A run of `length` records, of which these are of node B and the others of A. */
function readerOf(length: number, records: readonly number[], node: string) {
  const runId = createRun(journal, {});
  const recorder = recorderOf(journal, runId, 'one');
  for (let seq = 1; seq <= length; seq += 1)
    recorder.commit(stepRecord(seq, seq, records.includes(seq) ? { node: 'B', produced: [{ name: 'B', value: seq }] } : {}));
  recorder.flush();
  recorder.close();
  return new IterationReader(journal, new RunReader(journal, journal.row(runId)).row, { node, nested: false }, noControl);
}

it('finds the iterations of a node that rarely runs, also at the records with stored statistics', () => {
  const records = [1, 1023, 1024, 1025, 2048, 4095, 4096, 4097, 4999];
  const reader = readerOf(5000, records, 'B');
  expect(reader.total()).toBe(records.length);
  for (const limit of [1, 2, 100]) {
    for (const from of [1, 2, 3, 4, 5, 8, 9]) {
      const { iterations } = reader.page(from, limit);
      const expected = records.slice(from - 1, from - 1 + limit);
      expect(iterations.map(({ index, from_seq, to_seq }) => [index, from_seq, to_seq])).toEqual(
        expected.map((seq, at) => [from + at, seq, seq]),
      );
    }
  }
  for (const seq of [0, 1, 2, 1022, 1023, 1024, 1025, 1026, 4096, 4998, 4999, 5000])
    expect([seq, reader.indexAt(seq)]).toEqual([seq, records.filter((record) => record <= seq).length]);
});

it('finds the only iteration before stored statistics', () => {
  const { iterations } = readerOf(2500, [5, 2000], 'B').page(1, 1);
  expect(iterations.map(({ index, to_seq }) => [index, to_seq])).toEqual([[1, 5]]);
});
