import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Effect, UnknownOutcome } from '#main/engine/ports/recorder.ts';
import { toTransferable } from '#shared/run/error.ts';
import { Journal } from './journal.ts';
import { RunReader } from './run-reader.ts';
import { createRun, noControl, recorderOf, stepRecord, temporaryFolder } from './testing.ts';

let folder: string;
let remove: () => void;
let journal: Journal;

beforeEach(() => {
  ({ folder, remove } = temporaryFolder());
  journal = Journal.open(join(folder, 'runs.db'));
});
afterEach(() => {
  journal.close();
  remove();
});

const read = (runId: string) => new RunReader(journal, journal.row(runId));
const effect = { key: 'call-1', kind: 'tool', node: 'A', name: 'write_file', input: { path: 'x' } } as const;

test('every connection syncs fully and trusts no schema', () => {
  expect(journal.database.pragma('synchronous', { simple: true })).toBe(2);
  expect(journal.database.pragma('journal_mode', { simple: true })).toBe('wal');
  expect(journal.database.pragma('trusted_schema', { simple: true })).toBe(0);
});

test('the state map at any record is what it was then', () => {
  const runId = createRun(journal, { n: 0 });
  const recorder = recorderOf(journal, runId, 'one');
  for (let seq = 1; seq <= 300; seq += 1) recorder.commit(stepRecord(seq, { n: seq }));
  recorder.flush();
  for (const seq of [0, 1, 63, 64, 65, 128, 299, 300]) {
    expect(read(runId).foldAt(seq).states.get('A')).toEqual({
      name: 'A',
      value: { n: seq },
      written_at: seq,
      written_by: seq === 0 ? '' : 'A',
    });
    expect(read(runId).foldAt(seq).control.counters.steps).toBe(seq);
  }
});

test('a jump reads at most the rows since the last snapshot', () => {
  const runId = createRun(journal, 0);
  const recorder = recorderOf(journal, runId, 'one');
  for (let seq = 1; seq <= 200; seq += 1) recorder.commit(stepRecord(seq, seq));
  recorder.flush();
  const snapshots = journal.database.prepare('SELECT seq FROM snapshots ORDER BY seq').all();
  expect(snapshots).toEqual([{ seq: 0 }, { seq: 64 }, { seq: 128 }, { seq: 192 }]);
});

test('pure steps wait for one transaction, an effect writes them first', async () => {
  const runId = createRun(journal, 0);
  const recorder = recorderOf(journal, runId, 'one');
  recorder.commit(stepRecord(1, 1));
  recorder.commit(stepRecord(2, 2));
  expect(journal.row(runId).last_seq).toBe(0);
  let seenByEffect = 0;
  await recorder.effect(3, effect, async () => {
    seenByEffect = journal.row(runId).last_seq;
    return 'written';
  });
  expect(seenByEffect).toBe(2);
  recorder.close();
});

test('a pure step is on disk soon even when nothing follows', async () => {
  const runId = createRun(journal, 0);
  const recorder = recorderOf(journal, runId, 'one');
  recorder.commit(stepRecord(1, 1));
  await expect.poll(() => journal.row(runId).last_seq).toBe(1);
});

test('an effect that ends its step is written down with it, and soon where the step does not come to its end', async () => {
  const runId = createRun(journal, 0);
  const recorder = recorderOf(journal, runId, 'one');
  const outcomes = () => journal.database.prepare('SELECT seq FROM effects WHERE outcome IS NOT NULL').all();
  await recorder.effect(1, { ...effect, closing: true }, async () => 'written');
  expect(outcomes()).toEqual([]);
  recorder.commit(stepRecord(1, 1, { pure: false }));
  expect([outcomes(), journal.row(runId).last_seq]).toEqual([[{ seq: 1 }], 1]);
  await recorder.effect(2, { ...effect, closing: true }, async () => 'written');
  await expect.poll(outcomes).toHaveLength(2);
  recorder.close();
});

test('a step with one effect leaves the row of its run alone, and everybody sees how far the run is', async () => {
  const runId = createRun(journal, 0);
  const first = recorderOf(journal, runId, 'one');
  const { suspensions } = first.folded.control;
  const counters = { ...noControl.counters, tokens: 7 };
  await first.effect(1, { ...effect, closing: true }, async () => 'written');
  first.commit(stepRecord(1, 1, { pure: false, control: { ...noControl, suspensions, counters } }));
  const rows = () => journal.database.prepare('SELECT last_seq, tokens FROM runs').all();
  expect(read(runId).effects(1)).toMatchObject([{ key: effect.key, name: effect.name, outcome: '{"result":"written"}' }]);
  expect(journal.database.prepare('SELECT outcome FROM effects').all()).toEqual([{ outcome: null }]);
  expect([rows(), journal.row(runId)]).toMatchObject([[{ last_seq: 0, tokens: 0 }], { last_seq: 1, tokens: 7, attempt: 1 }]);
  // The process ends here. Whoever drives the run next brings its row up to date.
  journal.database.prepare('UPDATE runs SET lease_expires = 0').run();
  const second = recorderOf(journal, runId, 'two');
  expect(rows()).toEqual([{ last_seq: 1, tokens: 7 }]);
  await expect(second.effect(1, { ...effect, closing: true }, async () => 'again')).rejects.toThrow(/Another process/);
  await expect(first.effect(2, { ...effect, closing: true }, async () => 'late')).rejects.toThrow(/Another process/);
  expect(read(runId).effects(2)).toEqual([]);
  second.close();
});

test('an effect on which code acts is on disk before the code has its result', async () => {
  const runId = createRun(journal, 0);
  const recorder = recorderOf(journal, runId, 'one');
  await recorder.effect(1, effect, async () => 'written');
  expect(journal.database.prepare('SELECT outcome FROM effects').get()).toEqual({ outcome: '{"result":"written"}' });
  recorder.close();
});

test('of effects at the same time the first to end does not wait for the others', async () => {
  const runId = createRun(journal, 0);
  const recorder = recorderOf(journal, runId, 'one');
  let release = (_: string): void => {};
  const slow = recorder.effect(
    1,
    { ...effect, key: 'slow', closing: true },
    () =>
      new Promise((done) => {
        release = done;
      }),
  );
  await recorder.effect(1, { ...effect, key: 'quick', closing: true }, async () => 'written');
  expect(journal.database.prepare("SELECT outcome FROM effects WHERE key = 'quick'").get()).toEqual({ outcome: '{"result":"written"}' });
  release('late');
  await slow;
  recorder.close();
});

test('an effect whose outcome is on record is not performed again', async () => {
  const runId = createRun(journal, 0);
  const first = await recorderOf(journal, runId, 'one').effect(1, effect, async () => ({ bytes: 3 }));
  let again = 0;
  const second = await recorderOf(journal, runId, 'one').effect(1, effect, async () => {
    again += 1;
    return null;
  });
  expect([first, second, again]).toEqual([{ result: { bytes: 3 } }, { result: { bytes: 3 } }, 0]);
});

test('a failure of an effect is recorded like a result', async () => {
  const runId = createRun(journal, 0);
  const failing = async () => {
    throw new Error('no such file');
  };
  const outcome = await recorderOf(journal, runId, 'one').effect(1, effect, failing);
  expect(outcome).toMatchObject({ error: { message: 'no such file' } });
  expect(await recorderOf(journal, runId, 'one').effect(1, effect, async () => 'ok')).toMatchObject({ error: { message: 'no such file' } });
});

test('an effect that started and has no outcome is unknown, never run again', async () => {
  const runId = createRun(journal, 0);
  void recorderOf(journal, runId, 'one').effect(1, effect, () => new Promise(() => {}));
  const performed: string[] = [];
  const again = recorderOf(journal, runId, 'one').effect(1, effect, async () => {
    performed.push('again');
    return null;
  });
  await expect(again).rejects.toBeInstanceOf(UnknownOutcome);
  expect(performed).toEqual([]);
});

test('an effect that changes nothing outside is repeated when its outcome is unknown, each attempt numbered', async () => {
  const runId = createRun(journal, 0);
  const reading: Effect = { ...effect, repeatable: true };
  const attempts: number[] = [];
  const perform = (attempt: number) => {
    attempts.push(attempt);
    return attempts.length < 3 ? new Promise<never>(() => {}) : Promise.resolve('read');
  };
  void recorderOf(journal, runId, 'one').effect(1, reading, perform);
  void recorderOf(journal, runId, 'one').effect(1, reading, perform);
  expect(await recorderOf(journal, runId, 'one').effect(1, reading, perform)).toEqual({ result: 'read' });
  expect(await recorderOf(journal, runId, 'one').effect(1, reading, perform)).toEqual({ result: 'read' });
  expect(attempts).toEqual([1, 2, 3]);
});

test('a repeated step reuses recorded outcomes, except those of failed attempts', async () => {
  const runId = createRun(journal, 0);
  const first = recorderOf(journal, runId, 'one');
  await first.effect(1, { ...effect, key: 'failed try' }, async () => 'lost');
  first.end({ status: 'error', failure: { error: toTransferable(new Error('no')), events: [] } });
  const second = recorderOf(journal, runId, 'one');
  await second.effect(1, effect, async () => 'once');
  void second.effect(1, { ...effect, key: 'under way' }, () => new Promise(() => {}));
  second.commit(stepRecord(1, 1, { pure: false }));
  second.commit(stepRecord(2, 2, { pure: false }));
  const again = recorderOf(journal, runId, 'one');
  const done = (key: string, since?: number) => again.effect(3, { ...effect, key, ...(since && { since }) }, async () => 'again');
  expect(await Promise.all([done(effect.key, 1), done('under way', 1), done('failed try', 1), done(effect.key), done('late', 3)])).toEqual(
    ['once', 'again', 'again', 'again', 'again'].map((result) => ({ result })),
  );
});

test('the second executor of a run is refused, and a commit under a lost lease too', () => {
  const runId = createRun(journal, 0);
  const first = recorderOf(journal, runId, 'one');
  expect(() => recorderOf(journal, runId, 'two')).toThrow(/is driving this run/);
  journal.database.prepare('UPDATE runs SET lease_expires = 0').run();
  const second = recorderOf(journal, runId, 'two');
  second.commit(stepRecord(1, 'second', { pure: false }));
  expect(() => first.commit(stepRecord(1, 'first', { pure: false }))).toThrow(/Another process has continued this run/);
  expect(() => first.commit(stepRecord(2, 'first', { pure: false }))).toThrow(/Another process/);
  expect(read(runId).foldAt(1).states.get('A')?.value).toBe('second');
});

test('a large value that is carried along is stored once, and only what changed is added', () => {
  const payload = 'x'.repeat(1024 * 1024);
  const runId = createRun(journal, { payload, n: 0 });
  const recorder = recorderOf(journal, runId, 'one');
  for (let seq = 1; seq <= 100; seq += 1) recorder.commit(stepRecord(seq, { payload, n: seq }));
  recorder.flush();
  const { size } = journal.database.prepare('SELECT sum(length(text)) AS size FROM blobs').get() as { size: number };
  expect(size).toBeLessThan(payload.length + 8192);
  expect(read(runId).foldAt(100).states.get('A')?.value).toEqual({ payload, n: 100 });
});

test('removing a run removes the large values that only it used', () => {
  const shared = 's'.repeat(5000);
  const kept = createRun(journal, [shared]);
  const removed = createRun(journal, [shared, 'o'.repeat(5000)]);
  journal.removeRun(removed, Date.now());
  expect(() => journal.row(removed)).toThrow(/There is no run/);
  expect(read(kept).foldAt(0).states.get('A')?.value).toEqual([shared]);
  expect(journal.database.prepare('SELECT count(*) AS count FROM blobs').get()).toEqual({ count: 1 });
});
