import { createHash } from 'node:crypto';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Json } from '#shared/json.ts';
import { Journal } from './journal.ts';
import { createRun, temporaryFolder } from './testing.ts';
import { ValueWriter } from './value-store.ts';

const { folder, remove } = temporaryFolder();
let journal: Journal;
let run: number;

beforeAll(() => {
  journal = Journal.open(join(folder, 'runs.db'));
  run = journal.row(createRun(journal, null)).run;
});
afterAll(() => {
  journal.close();
  remove();
});

const write = (value: Json, writer = new ValueWriter(journal.database, run)) => journal.database.transaction(() => writer.write(value))();
const longText = fc.tuple(fc.constantFrom('a', 'é', '"', '\u0000', '{"$blob":'), fc.nat(3000)).map(([text, times]) => text.repeat(times));
const value = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    fc.constantFrom<Json>(null, true, 0, -0.5, '$blob', '__proto__'),
    longText,
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.constantFrom('a', 'b', '$blob', '$plain', '$list', '$object', '__proto__', 'long name'), tie('value'), { maxKeys: 4 }),
  ),
})).value;

test('reads back values of any size and with any names', () => {
  fc.assert(
    fc.property(value, (original) => {
      const plain = JSON.parse(JSON.stringify(original)) as Json;
      expect(JSON.stringify(journal.values.read(write(plain)))).toBe(JSON.stringify(plain));
    }),
    { seed: 11, numRuns: 200 },
  );
});

test('a row never holds more than 4 KiB of a value', () => {
  fc.assert(
    fc.property(value, (original) => {
      expect(write(original).length).toBeLessThanOrEqual(4096);
    }),
    { seed: 12, numRuns: 200 },
  );
});

test('the very same large part is not written again', () => {
  const writer = new ValueWriter(journal.database, run);
  const carried = { list: Array.from({ length: 2000 }, (_, index) => index) };
  const count = () => (journal.database.prepare('SELECT count(*) AS count FROM blobs').get() as { count: number }).count;
  const first = write({ carried, n: 1 }, writer);
  const before = count();
  const second = write({ carried, n: 2 }, writer);
  expect(count()).toBe(before);
  expect([journal.values.read(first), journal.values.read(second)]).toEqual([
    { carried, n: 1 },
    { carried, n: 2 },
  ]);
});

const item = fc.oneof(fc.nat(), fc.record({ id: fc.nat(), text: fc.nat(2000).map((times) => 'x'.repeat(times)) }));
const edit = fc.record({ at: fc.nat(499), what: fc.constantFrom('replace', 'append', 'drop', 'insert'), item });

test('wide lists and objects are read as they were written, however they change', () => {
  fc.assert(
    fc.property(fc.array(item, { minLength: 60, maxLength: 500 }), fc.array(edit, { maxLength: 8 }), (items, edits) => {
      const writer = new ValueWriter(journal.database, run);
      const list = [...items, ...Array.from({ length: 400 }, (_, index) => ({ id: index, text: 'carried along '.repeat(8) }))];
      for (const { at, what, item: other } of [{ at: 0, what: 'replace', item: 0 }, ...edits]) {
        const gone = what === 'replace' || what === 'drop' ? 1 : 0;
        list.splice(what === 'append' ? list.length : at, gone, ...(what === 'drop' ? [] : [other]));
        const object = Object.fromEntries(list.map((one, index) => [index % 7 === 0 ? '$list' : `k${index}`, one]));
        expect(journal.values.read(write({ list: [...list] }, writer))).toEqual({ list });
        expect(journal.values.read(write(object, writer))).toEqual(object);
      }
    }),
    { seed: 13, numRuns: 20 },
  );
});

test('of a list of 10,000 records, and of an object of as many fields, a change of one costs its piece', () => {
  const records = Array.from({ length: 10_000 }, (_, id) => ({
    id,
    name: `record number ${id}`,
    tags: ['alpha', 'beta'],
    note: 'x'.repeat(50),
  }));
  const bytes = () => (journal.database.prepare('SELECT sum(length(text)) AS sum FROM blobs').get() as { sum: number }).sum;
  const named = (list: readonly Json[]): Json => Object.fromEntries(list.map((record, index) => [`field ${index}`, record]));
  for (const form of [(list: readonly Json[]): Json => list, named]) {
    const writer = new ValueWriter(journal.database, run);
    write(form(records), writer);
    const first = bytes();
    const changed = records.with(5000, { id: 5000, name: 'another', tags: [], note: 'y'.repeat(50) });
    const text = write(form(changed), writer);
    expect(bytes() - first).toBeLessThan(16 * 1024);
    write(form([...changed, { id: 10_000, name: 'one more', tags: [], note: '' }]), writer);
    expect(bytes() - first).toBeLessThan(32 * 1024);
    expect(journal.values.read(text)).toEqual(form(changed));
  }
});

test('writes values of a rolled back transaction again', () => {
  const writer = new ValueWriter(journal.database, run);
  const large = { text: 'rolled back '.repeat(1000) };
  const failing = journal.database.transaction(() => {
    writer.write(large);
    throw new Error('full');
  });
  expect(failing).toThrow('full');
  writer.forget();
  expect(journal.values.read(write(large, writer))).toEqual(large);
});

test('reports an altered or removed large value as corruption', () => {
  const text = write('damaged '.repeat(1000));
  const { $blob } = JSON.parse(text) as { $blob: string };
  journal.database.prepare('UPDATE blobs SET text = ? WHERE hash = ?').run('"other"', $blob);
  expect(() => journal.values.read(text)).toThrow(/altered/);
  expect(() => journal.values.read('{"$blob":"0"}')).toThrow(/missing/);
  expect(() => journal.values.read('{"$blob":')).toThrow(/not JSON/);
});

test('a forged value of references to references cannot fill the memory', () => {
  const insert = journal.database.prepare('INSERT OR REPLACE INTO blobs (hash, text) VALUES (?, ?)');
  const hashOf = (text: string) => createHash('sha256').update(text).digest('hex');
  let reference = write('x'.repeat(5000));
  for (let level = 0; level < 25; level += 1) {
    const text = `[${reference},${reference}]`;
    const hash = hashOf(text);
    insert.run(hash, text);
    reference = `{"$blob":"${hash}"}`;
  }
  expect(() => journal.values.read(reference)).toThrow(/too large/);
});
