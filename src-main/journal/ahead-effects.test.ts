import { afterEach, beforeEach, expect, test } from 'vitest';
import type { AheadPlace, Effect } from '#main/engine/ports/recorder.ts';
import type { Json } from '#shared/json.ts';
import { Journal } from './journal.ts';
import { RunReader } from './run-reader.ts';
import { createRun, recorderOf, stepRecord, temporaryFolder } from './testing.ts';

let folder: ReturnType<typeof temporaryFolder>;
let journal: Journal;
let runId: string;
beforeEach(() => {
  folder = temporaryFolder();
  journal = Journal.open(`${folder.folder}/runs.db`);
  runId = createRun(journal, 0);
});
afterEach(() => {
  journal.close();
  folder.remove();
});

const placeOf = (node: string): AheadPlace => ({ ready: '1', node, phase: '0 reason' });
const effect = (node: string): Effect => ({ key: 'model', kind: 'model', node, name: 'm', input: { turn: 1 }, closing: true });
const forbidden = (): Promise<Json> => Promise.reject(new Error('It was made twice.'));

test('an effect that ended before its turn is used when the turn comes, in another process too', async () => {
  const first = recorderOf(journal, runId, 'one');
  expect(await first.effectAhead(placeOf('B'), effect('B'), async () => 'answer')).toEqual({ result: 'answer' });
  expect(new RunReader(journal, journal.row(runId)).effectsOf(1)).toEqual([]);
  first.commit(stepRecord(1, 1));
  first.flush();
  const second = recorderOf(journal, runId, 'one');
  expect(await second.effectAhead(placeOf('B'), effect('B'), forbidden)).toEqual({ result: 'answer' });
  second.takeAhead(2, placeOf('B'));
  expect(second.begun(2, 'model')).toBe(true);
  expect(await second.effect(2, effect('B'), forbidden)).toMatchObject({ result: 'answer' });
  second.commit(stepRecord(2, 2, { pure: false }));
  expect(new RunReader(journal, journal.row(runId)).effectsOf(2)).toMatchObject([{ key: 'model', outcome: '{"result":"answer"}' }]);
});

test('an effect that had begun before its turn when the process ended is asked about in its turn', async () => {
  const first = recorderOf(journal, runId, 'one');
  void first.effectAhead(placeOf('B'), effect('B'), () => new Promise(() => {}));
  const second = recorderOf(journal, runId, 'one');
  await expect(second.effectAhead(placeOf('B'), effect('B'), forbidden)).rejects.toThrow('outcome is unknown');
  second.takeAhead(1, placeOf('B'));
  await expect(second.effect(1, effect('B'), forbidden)).rejects.toThrow('outcome is unknown');
});

test('an effect whose turn came while it was in progress ends in its record', async () => {
  const recorder = recorderOf(journal, runId, 'one');
  const { promise, resolve } = Promise.withResolvers<Json>();
  const outcome = recorder.effectAhead(placeOf('B'), effect('B'), () => promise);
  recorder.takeAhead(1, placeOf('B'));
  resolve('late');
  expect(await outcome).toEqual({ result: 'late' });
  recorder.commit(stepRecord(1, 1, { pure: false }));
  expect(new RunReader(journal, journal.row(runId)).effectsOf(1)).toMatchObject([{ outcome: '{"result":"late"}' }]);
});

test('an effect is not claimed ahead by a process that has lost the run', async () => {
  const first = recorderOf(journal, runId, 'one');
  journal.database.exec("UPDATE runs SET lease_token = 'other'");
  await expect(first.effectAhead(placeOf('B'), effect('B'), forbidden)).rejects.toMatchObject({ variant: 'Conflict' });
});
