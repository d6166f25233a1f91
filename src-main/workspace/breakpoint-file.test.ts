import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Breakpoint, DebugFile } from '#shared/contract/breakpoint.ts';
import { BreakpointFile } from './breakpoint-file.ts';

let root: string;
let folder: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'pravah-breakpoints-')));
  folder = join(root, 'workspace');
  mkdirSync(folder);
  vi.stubEnv('PRAVAH_HOME', join(root, 'home'));
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(root, { recursive: true, force: true });
});

const breakpoint = (id: string): Breakpoint => ({ id, kind: 'before', flow: 'a.flow.yaml', node: 'A' });
const adding = (id: string) => (file: DebugFile) => ({ ...file, breakpoints: [...file.breakpoints, breakpoint(id)] });
const idsOf = ({ file }: { file: DebugFile }) => file.breakpoints.map(({ id }) => id);

test('breakpoints are stored for their owner only, in a folder that git ignores', async () => {
  const file = new BreakpointFile(folder);
  expect(await file.read()).toEqual({
    file: { pravah_debug: 1, breakpoints: [], watches: [], supplied: [] },
    notice: null,
    foreign: false,
  });
  await file.change(adding('b1'));
  expect(statSync(file.path).mode & 0o777).toBe(0o600);
  expect(readFileSync(join(folder, '.pravah', '.gitignore'), 'utf8')).toBe('*\n');
  expect(await new BreakpointFile(folder).read()).toMatchObject({ file: { pravah_debug: 1, breakpoints: [breakpoint('b1')] } });
});

test('changes of two processes at once are all kept', async () => {
  const program = `
    const { BreakpointFile } = await import(${JSON.stringify(new URL('./breakpoint-file.ts', import.meta.url).href)});
    const file = new BreakpointFile(process.argv[1]);
    for (let n = 0; n < 20; n += 1) {
      const breakpoint = { id: process.argv[2] + n, kind: 'before', flow: 'a.flow.yaml', node: 'A' };
      await file.change((before) => ({ ...before, breakpoints: [...before.breakpoints, breakpoint] }));
    }`;
  const root = fileURLToPath(new URL('../..', import.meta.url));
  const start = (name: string) =>
    promisify(execFile)(process.execPath, ['--input-type=module', '-e', program, folder, name], { cwd: root });
  await Promise.all([start('x'), start('y')]);
  const ids = idsOf(await new BreakpointFile(folder).read());
  const expected = ['x', 'y'].flatMap((name) => Array.from({ length: 20 }, (_, n) => `${name}${n}`));
  expect(ids.toSorted()).toEqual(expected.toSorted());
});

test('a file that is not a list of breakpoints is set aside, and the reason is reported', async () => {
  const file = new BreakpointFile(folder);
  await file.change(adding('b1'));
  for (const text of ['{', '[]', '{"pravah_debug":1,"breakpoints":[{"id":"b","kind":"never"}]}']) {
    writeFileSync(file.path, text);
    const { file: read, notice } = await file.read();
    expect([read.breakpoints, notice]).toEqual([[], expect.stringContaining('could not be read')]);
    expect(readFileSync(`${file.path}.broken`, 'utf8')).toBe(text);
    expect((await file.read()).notice).toBeNull();
  }
  writeFileSync(file.path, JSON.stringify({ pravah_debug: 1, breakpoints: Array.from({ length: 1001 }, (_, n) => breakpoint(`b${n}`)) }));
  expect((await file.read()).notice).toContain('at /breakpoints');
});

test('a file that came with the folder is not read until it is taken over, and then belongs to the user', async () => {
  mkdirSync(join(folder, '.pravah'));
  const came = JSON.stringify({ pravah_debug: 1, id: 'theirs', breakpoints: [breakpoint('b1')] });
  const file = new BreakpointFile(folder);
  for (const before of ['unknown', 'known']) {
    if (before === 'known') await file.change(adding('b2'));
    writeFileSync(file.path, came);
    expect(await file.read()).toMatchObject({
      file: { breakpoints: [] },
      foreign: true,
      notice: expect.stringContaining('came with the folder'),
    });
    await expect(file.change(adding('b3'))).rejects.toThrow('came with the folder');
    expect(readFileSync(file.path, 'utf8')).toBe(came);
    await file.takeOver();
    expect(await new BreakpointFile(folder).read()).toMatchObject({
      file: { breakpoints: [breakpoint('b1')] },
      foreign: false,
      notice: null,
    });
  }
  // Another user has not taken it over.
  vi.stubEnv('PRAVAH_HOME', join(root, 'other'));
  expect(await file.read()).toMatchObject({ foreign: true });
});

test('the lock of a process that was killed is removed', async () => {
  const file = new BreakpointFile(folder);
  mkdirSync(`${file.path}.lock`, { recursive: true });
  utimesSync(`${file.path}.lock`, 1, 1);
  expect(idsOf(await file.change(adding('b1')))).toEqual(['b1']);
});

test('a watcher is called when another program writes the file, also in a folder that had none', async () => {
  const changes: string[][] = [];
  const mine = new BreakpointFile(folder);
  let seen: () => void = () => undefined;
  const close = mine.watch(() => {
    void mine.read().then((read) => {
      changes.push(idsOf(read));
      seen();
    });
  });
  const other = new BreakpointFile(folder);
  for (const id of ['b1', 'b2']) {
    const noticed = new Promise<void>((resolve) => {
      seen = () => changes.at(-1)?.includes(id) && resolve();
    });
    await other.change(adding(id));
    await noticed;
  }
  close();
  expect(changes.at(-1)).toEqual(['b1', 'b2']);
});
