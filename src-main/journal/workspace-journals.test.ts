import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, realpathSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { skipUnless } from '#main/testing/skip-unless.ts';
import { openDatabase } from './database.ts';
import { createRun, temporaryFolder } from './testing.ts';
import { closeJournals, journalOf, openExistingJournals, openWorkspaceJournals } from './workspace-journals.ts';

let root: string;
let remove: () => void;
let folder: string;

beforeEach(() => {
  const temporary = temporaryFolder();
  root = realpathSync(temporary.folder);
  remove = temporary.remove;
  folder = join(root, 'workspace');
  mkdirSync(folder);
  vi.stubEnv('PRAVAH_HOME', join(root, 'home'));
});
afterEach(() => {
  vi.unstubAllEnvs();
  remove();
});

async function runIn(workspace: string): Promise<string> {
  const journals = await openWorkspaceJournals(workspace);
  const runId = createRun(journals.main, { n: 1 });
  closeJournals(journals);
  return runId;
}

test('runs are stored in the folder, ignored by git, and found again', async () => {
  const runId = await runIn(folder);
  expect(readFileSync(join(folder, '.pravah', '.gitignore'), 'utf8')).toBe('*\n');
  const journals = await openWorkspaceJournals(folder);
  expect([journals.notice, journals.main.path, journalOf(journals, runId).readonly]).toEqual([
    null,
    join(folder, '.pravah', 'runs.db'),
    false,
  ]);
  expect(() => journalOf(journals, 'no-such-run')).toThrow(/There is no run no-such-run/);
  closeJournals(journals);
});

test.skipIf(process.platform === 'win32')('a journal is readable by its owner only, also one that was not', async () => {
  await runIn(folder);
  const own = join(folder, '.pravah');
  chmodSync(own, 0o755);
  const journals = await openWorkspaceJournals(folder);
  createRun(journals.main, 1);
  const files = ['runs.db', 'runs.db-wal', 'runs.db-shm'];
  const modes = () => files.map((name) => statSync(join(own, name)).mode & 0o777);
  expect(modes()).toEqual([0o600, 0o600, 0o600]);
  for (const name of files) chmodSync(join(own, name), 0o644);
  closeJournals(await openWorkspaceJournals(folder));
  expect(modes()).toEqual([0o600, 0o600, 0o600]);
  closeJournals(journals);
});

test.skipIf(process.platform === 'win32')('a folder .pravah that others may enter is tightened when a journal is made', async () => {
  mkdirSync(join(folder, '.pravah'), { mode: 0o755 });
  await runIn(folder);
  expect(statSync(join(folder, '.pravah')).mode & 0o777).toBe(0o700);
});

test('looking at a folder makes nothing in it', async () => {
  const journals = await openExistingJournals(folder);
  expect([journals.main.rows({ limit: 1 }), journals.notice, readdirSync(folder)]).toEqual([[], null, []]);
  closeJournals(journals);
});

test('a journal that came with the folder can be viewed, never driven; new runs go to the profile', async () => {
  const runId = await runIn(folder);
  const clone = join(root, 'clone');
  cpSync(folder, clone, { recursive: true });
  const own = await runIn(clone);
  const journals = await openWorkspaceJournals(clone);
  expect(journals.notice).toMatch(/was not created here by you.*Runs are stored in/);
  expect(journals.main.path).toContain(join(root, 'home'));
  expect(journalOf(journals, own)).toBe(journals.main);
  const foreign = journalOf(journals, runId);
  expect(foreign.inputOf(foreign.row(runId))).toEqual({ n: 1 });
  expect(() => foreign.requestCancel(foreign.row(runId))).toThrow(/viewed but not continued/);
  closeJournals(journals);
});

test('a foreign journal with a trigger or a view of its own is refused', async () => {
  await runIn(folder);
  const clone = join(root, 'clone');
  cpSync(folder, clone, { recursive: true });
  const path = join(clone, '.pravah', 'runs.db');
  const database = openDatabase(path);
  database.exec('CREATE TRIGGER steal AFTER INSERT ON runs BEGIN DELETE FROM steps; END');
  database.close();
  await expect(openWorkspaceJournals(clone)).rejects.toThrow(/more than those/);
});

test('a .pravah that is a link is not followed', async () => {
  const elsewhere = join(root, 'elsewhere');
  mkdirSync(elsewhere);
  symlinkSync(elsewhere, join(folder, '.pravah'));
  const journals = await openWorkspaceJournals(folder);
  expect(journals.notice).toMatch(/is not used because it is a link or not a folder/);
  expect(journals.main.path).toContain(join(root, 'home'));
  closeJournals(journals);
});

test.each([
  ['.pravah', /\.pravah is not used because it is a link or not a folder/],
  ['.pravah/runs.db/folder', /runs\.db is not used because it is a link or not a file/],
])('reports something else in place of the journal (%s) and leaves it unchanged', async (name, notice) => {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), 'mine');
  const journals = await openWorkspaceJournals(folder);
  expect(journals.notice).toMatch(notice);
  createRun(journals.main, 1);
  closeJournals(journals);
  expect(readFileSync(join(folder, name), 'utf8')).toBe('mine');
});

test('reports a file that is not a database as corrupt and leaves it unchanged', async () => {
  await runIn(folder);
  const path = join(folder, '.pravah', 'runs.db');
  writeFileSync(path, 'not a database, at least 512 bytes '.repeat(40));
  const before = readFileSync(path);
  await expect(openWorkspaceJournals(folder)).rejects.toThrow(/corrupt/);
  expect(readFileSync(path).equals(before)).toBe(true);
});

test.skipIf(skipUnless(process.getuid?.() !== 0, 'runs of a read-only folder', 'root may write everywhere'))(
  'in a folder that cannot be written, runs go to the profile',
  async () => {
    chmodSync(folder, 0o500);
    const journals = await openWorkspaceJournals(folder);
    expect(journals.notice).toMatch(/is not writable/);
    createRun(journals.main, 1);
    closeJournals(journals);
    chmodSync(folder, 0o700);
  },
);
