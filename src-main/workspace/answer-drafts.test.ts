import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { AnswerDraft } from '#shared/contract/answer-drafts.ts';
import { AnswerDrafts } from './answer-drafts.ts';

let folder: string;
let drafts: AnswerDrafts;
const answers = () => join(folder, '.pravah', 'answers');
const isRoot = process.getuid?.() === 0;

beforeEach(() => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'pravah-answers-')));
  folder = join(root, 'workspace');
  mkdirSync(folder);
  vi.stubEnv('PRAVAH_HOME', join(root, 'profile'));
  drafts = new AnswerDrafts(folder);
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(join(folder, '..'), { recursive: true, force: true });
});

const question = { run_id: 'r1', tool_call_id: 'call_1_0' };
const waits = async () => true;
const settled = async () => false;
const typed = (value: string): AnswerDraft => ({ mode: 'edit', value: { text: value }, reason: '' });
const save = (value: string, based_on: number, by = drafts) => by.save(question, typed(value), based_on, { now: 5, waits });

test('a draft is read again by another process, and is readable by its owner only', async () => {
  expect(await save('half', 0)).toEqual({ status: 'saved', revision: 1 });
  expect(await new AnswerDrafts(folder).read(question, waits)).toEqual({ ...typed('half'), revision: 1, saved_at: 5 });
  const [name = ''] = readdirSync(answers());
  expect(statSync(join(answers(), name)).mode & 0o777).toBe(0o600);
  expect(readFileSync(join(folder, '.pravah', '.gitignore'), 'utf8')).toBe('*\n');
  // The id of a call is unique within its run only.
  expect(await drafts.read({ ...question, run_id: 'r2' }, waits)).toBeNull();
});

test('a second window is shown the draft of the first instead of overwriting it', async () => {
  await save('mine', 0);
  expect(await save('theirs', 0, new AnswerDrafts(folder))).toMatchObject({ status: 'conflict', draft: { value: { text: 'mine' } } });
  expect(await save('after a look', 1)).toEqual({ status: 'saved', revision: 2 });
});

test('a blank draft removes the one that is there, unless another window has changed it', async () => {
  const blank: AnswerDraft = { mode: 'view', reason: '' };
  await save('half', 0);
  expect(await drafts.save(question, blank, 0, { now: 6, waits })).toMatchObject({ status: 'conflict' });
  expect(await drafts.save(question, blank, 1, { now: 6, waits })).toEqual({ status: 'saved', revision: 0 });
  expect(readdirSync(answers())).toEqual([]);
});

test('a question that was answered takes no draft, and loses the one it has', async () => {
  await save('half', 0);
  expect(await drafts.save(question, typed('late'), 1, { now: 6, waits: settled })).toEqual({ status: 'settled' });
  expect(await drafts.read(question, settled)).toBeNull();
  expect(readdirSync(answers())).toEqual([]);
});

test('a save concurrent with the answer does not restore the draft', async () => {
  let answered = false;
  const late = drafts.save(question, typed('last key'), 0, { now: 6, waits: async () => !answered });
  answered = true;
  await Promise.all([late, drafts.discard(question)]);
  expect(await drafts.read(question, waits)).toBeNull();
});

test('drafts of questions that no longer wait are swept, others stay', async () => {
  await save('half', 0);
  const other = { run_id: 'r2', tool_call_id: 'call_1_0' };
  await drafts.save(other, typed('kept'), 0, { now: 5, waits });
  await drafts.sweep(async ({ run_id: runId }) => runId === 'r2');
  expect(await drafts.read(question, waits)).toBeNull();
  expect(await drafts.read(other, waits)).toMatchObject(typed('kept'));
});

test('a damaged file counts as no draft', async () => {
  await save('half', 0);
  const [name = ''] = readdirSync(answers());
  chmodSync(join(answers(), name), 0o600);
  rmSync(join(answers(), name));
  mkdirSync(join(answers(), name));
  expect(await drafts.read(question, waits)).toBeNull();
});

test.skipIf(isRoot)('a folder that cannot be written keeps drafts in the profile', async () => {
  chmodSync(folder, 0o500);
  expect(await save('half', 0)).toEqual({ status: 'saved', revision: 1 });
  expect(await drafts.read(question, waits)).toMatchObject(typed('half'));
  expect(existsSync(answers())).toBe(false);
  await drafts.discard(question);
  expect(await drafts.read(question, waits)).toBeNull();
  chmodSync(folder, 0o700);
});
