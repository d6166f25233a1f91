import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { hashOf } from '#main/platform/files/file-access.ts';
import { RunExecutor } from '#main/runner/run-executor.ts';
import { documentOf, TestWorkspace } from '#main/runner/testing.ts';
import { defaultSettings } from '#main/workspace/settings.ts';
import type { Json, JsonObject } from '#shared/json.ts';
import { makeFork, planFork } from './fork.ts';
import { restoreScope } from './history-options.ts';
import { previewRestore, restoreFiles, undoRestore } from './restore.ts';
import { forkAt } from './testing.ts';

let space: TestWorkspace;
beforeEach(() => {
  space = new TestWorkspace();
});
afterEach(() => space.remove());

const file = (path: string) => join(space.folder, path);
const read = (path: string) => (existsSync(file(path)) ? readFileSync(file(path), 'utf8') : null);
const hash = (text: string) => hashOf(Buffer.from(text));

/** A run that calls these tools one after the other. */
async function runOf(...calls: readonly (readonly [tool: string, input: Json])[]): Promise<string> {
  const name = (at: number) => (at === calls.length ? 'Z' : `S${at}`);
  const nodes = calls.map(([tool, input], at): Json => ({ kind: 'work', from: name(at), to: name(at + 1), tool, with: input }));
  const executor = await space.start(documentOf('S0', 'Z', nodes), {});
  const stop = await executor.continue();
  if (stop.error) throw new Error(stop.error.message);
  executor.close();
  return executor.runId;
}

const preview = async (runId: string, seq: number) =>
  (await previewRestore(space.journal, runId, seq, await restoreScope(space.folder))).files;
const restore = async (runId: string, seq: number, ...paths: string[]) => {
  const files = (await preview(runId, seq)).filter(({ path }) => paths.length === 0 || paths.includes(path));
  return restoreFiles(space.journal, runId, seq, files, await restoreScope(space.folder), Date.now());
};

const write = (path: string, content: string) => ['write_file', { path, content }] as const;

test('restores the folder to any step, with a preview and undo', async () => {
  writeFileSync(file('a.txt'), 'zero');
  const run = await runOf(
    write('a.txt', 'one'),
    ['edit_file', { path: 'a.txt', old: 'one', new: 'two' }],
    ['storage', { path: 'log/b.txt', action: 'append', data: 'first\n' }],
    ['storage', { path: 'log/b.txt', action: 'append', data: 'second\n' }],
  );
  const at = async (seq: number) => (await preview(run, seq)).map(({ path, action, before, after }) => [path, action, before, after]);
  expect(await at(4)).toEqual([
    ['a.txt', 'none', null, null],
    ['log/b.txt', 'none', null, null],
  ]);
  expect(await at(3)).toEqual([
    ['a.txt', 'none', null, null],
    ['log/b.txt', 'write', 'first\nsecond\n', 'first\n'],
  ]);
  expect(await at(0)).toEqual([
    ['a.txt', 'write', 'two', 'zero'],
    ['log/b.txt', 'remove', 'first\nsecond\n', null],
  ]);
  const first = await restore(run, 0);
  expect(first.files.map(({ outcome }) => outcome)).toEqual(['restored', 'restored']);
  expect([read('a.txt'), read('log/b.txt')]).toEqual(['zero', null]);
  // Forward again: what the restoring replaced is on record.
  await restore(run, 1, 'a.txt');
  await restore(run, 4);
  expect([read('a.txt'), read('log/b.txt')]).toEqual(['two', 'first\nsecond\n']);
  await restore(run, 0);
  const { undoable } = await previewRestore(space.journal, run, 0, await restoreScope(space.folder));
  const undone = await undoRestore(space.journal, run, undoable?.restore_id ?? 0, await restoreScope(space.folder), Date.now());
  expect(undone.files.every(({ outcome }) => outcome === 'restored')).toBe(true);
  expect([read('a.txt'), read('log/b.txt')]).toEqual(['two', 'first\nsecond\n']);
});

test('a fork goes back to what its parent had left, a parent leaves alone what its forks wrote, and flows inside a run count as the run', async () => {
  writeFileSync(file('a.txt'), 'zero');
  const inner = documentOf('A', 'B', [
    { kind: 'work', from: 'A', to: 'B', tool: 'write_file', with: { path: '{path}', content: '{content}' } },
  ]);
  writeFileSync(file('inner.flow.json'), JSON.stringify(inner));
  const items = [
    { path: 'a.txt', content: 'one' },
    { path: 'b.txt', content: 'item' },
  ];
  const document: Json = {
    ...(documentOf('S', 'Z', [
      { kind: 'each', from: 'S', to: 'T', flow: './inner.flow.json' },
      { kind: 'work', from: 'T', to: 'U', tool: 'flow:inner.flow.json', with: { path: 'a.txt', content: 'two' } },
      { kind: 'work', from: 'U', to: 'Z', tool: 'write_file', with: { path: 'late.txt', content: 'parent' } },
    ]) as JsonObject),
    schemas: { S: { type: 'array' }, T: { type: 'array' }, U: {}, Z: {} },
  };
  const parent = await space.start(document, items);
  expect(await parent.continue()).toMatchObject({ status: 'success' });
  parent.close();
  const at = async (run: string, seq: number) =>
    Object.fromEntries(
      (await preview(run, seq)).map(({ path, action, after, conflict }) => [path, conflict ? 'conflict' : (after ?? action)]),
    );
  expect(await at(parent.runId, 1)).toEqual({ 'a.txt': 'one', 'b.txt': 'remove', 'late.txt': 'remove' });

  // Starts where only the items had finished, and writes again.
  const planned = await planFork(space.journal, forkAt(parent.runId, 2), {
    folder: space.folder,
    trusted: false,
    settings: defaultSettings,
  });
  const fork = RunExecutor.open(await space.options(), makeFork(space.journal, planned, 'fork', 1));
  expect(await fork.continue()).toMatchObject({ status: 'success' });
  fork.close();
  expect(await at('fork', 0)).toEqual({ 'a.txt': 'one', 'b.txt': 'none', 'late.txt': 'remove' });
  expect(await at('fork', 2)).toEqual({ 'a.txt': 'none', 'b.txt': 'none', 'late.txt': 'remove' });
  writeFileSync(file('late.txt'), 'mine');
  expect(await at('fork', 0)).toMatchObject({ 'late.txt': 'conflict' });
  expect((await restore('fork', 0, 'a.txt')).files).toMatchObject([{ outcome: 'restored' }]);
  expect(read('a.txt')).toBe('one');
  // Without its parent the fork knows only of its own writes.
  space.journal.removeRun(parent.runId, 2);
  expect(Object.keys(await at('fork', 0)).sort()).toEqual(['a.txt', 'late.txt']);
});

test('stores each content once, byte for byte, until the last run that references it is removed', async () => {
  const bytes = Buffer.from([0, 255, 254, 10, 0]);
  writeFileSync(file('a.bin'), bytes);
  const first = await runOf(write('a.bin', 'x'), write('a.bin', 'y'));
  writeFileSync(file('a.bin'), bytes);
  const second = await runOf(write('a.bin', 'x'));
  const count = () => (space.journal.database.prepare('SELECT count(*) AS count FROM file_contents').get() as { count: number }).count;
  expect(count()).toBe(2);
  await restore(second, 0);
  expect(readFileSync(file('a.bin'))).toEqual(bytes);
  space.journal.removeRun(first, Date.now());
  expect(space.journal.files.content(hashOf(bytes) as string)).toEqual(bytes);
  space.journal.removeRun(second, Date.now());
  expect(count()).toBe(0);
});

test('reports an outside change as a conflict, backs it up and does not overwrite it without consent', async () => {
  writeFileSync(file('a.txt'), 'zero');
  const run = await runOf(write('a.txt', 'one'));
  writeFileSync(file('a.txt'), 'mine');
  const [seen] = await preview(run, 0);
  expect(seen).toMatchObject({ action: 'write', conflict: true, before: 'mine', after: 'zero', before_hash: hash('mine') });
  writeFileSync(file('a.txt'), 'mine again');
  const scope = await restoreScope(space.folder);
  const refused = await restoreFiles(space.journal, run, 0, [{ path: 'a.txt', before_hash: hash('mine') }], scope, 1);
  expect(refused.files).toMatchObject([{ outcome: 'failed', error: { details: { code: 'CHANGED' } } }]);
  expect(read('a.txt')).toBe('mine again');
  const { restore_id } = await restore(run, 0);
  expect(read('a.txt')).toBe('zero');
  await undoRestore(space.journal, run, restore_id, scope, 2);
  expect(read('a.txt')).toBe('mine again');
});

test('a file that is protected, led elsewhere by a link, or too secret to keep is left alone, with the reason', async () => {
  mkdirSync(file('sub'));
  writeFileSync(file('sub/a.txt'), 'zero');
  writeFileSync(file('secret.txt'), 'the key is sk-very-secret-value');
  process.env.OPENAI_API_KEY = 'sk-very-secret-value';
  const run = await runOf(write('sub/a.txt', 'one'), write('secret.txt', 'gone'), write('code.js', '() => 1')).finally(() => {
    delete process.env.OPENAI_API_KEY;
  });
  rmSync(file('sub'), { recursive: true });
  mkdirSync(file('other'));
  writeFileSync(file('other/a.txt'), 'not yours');
  symlinkSync('other', file('sub'));
  writeFileSync(file('uses.flow.json'), JSON.stringify(documentOf('A', 'B', [{ kind: 'work', from: 'A', to: 'B', run_file: 'code.js' }])));
  const found = await preview(run, 0);
  expect(found.map(({ path, action, note }) => [path, action, note])).toEqual([
    ['sub/a.txt', 'impossible', expect.stringContaining('its path now contains a link')],
    ['secret.txt', 'impossible', expect.stringContaining('contained the secret OPENAI_API_KEY')],
    ['code.js', 'impossible', expect.stringContaining('is protected')],
  ]);
  expect((await restore(run, 0)).files.every(({ outcome }) => outcome === 'failed')).toBe(true);
  expect([read('other/a.txt'), read('secret.txt'), read('code.js')]).toEqual(['not yours', 'gone', '() => 1']);
});

test('refuses a missing, running or imported run', async () => {
  const run = await runOf(write('a.txt', 'one'));
  const scope = await restoreScope(space.folder);
  await expect(previewRestore(space.journal, 'none', 0, scope)).rejects.toMatchObject({ variant: 'NotFound' });
  await expect(previewRestore(space.journal, run, 9, scope)).rejects.toMatchObject({ variant: 'NotFound' });
  await expect(undoRestore(space.journal, run, 7, scope, 1)).rejects.toMatchObject({ variant: 'NotFound' });
  const later = Date.now() + 1000;
  space.journal.database
    .prepare('UPDATE runs SET lease_token = ?, lease_owner = ?, lease_expires = ?')
    .run('t', `host:${process.pid}`, later);
  await expect(restoreFiles(space.journal, run, 0, [], scope, Date.now())).rejects.toMatchObject({ variant: 'Conflict' });
});
