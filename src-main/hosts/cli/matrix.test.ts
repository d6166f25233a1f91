import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { CommandFolder } from '#main/hosts/cli/testing/command.ts';
import { Journal } from '#main/journal/journal.ts';
import { makeMatrix, planMatrix } from '#main/matrix/plan-matrix.ts';
import { defaultSettings } from '#main/workspace/settings.ts';
import { type Matrix, matrixSchema, variantSchema } from '#shared/contract/matrix.ts';
import type { Json } from '#shared/json.ts';

let space: CommandFolder;
beforeEach(() => {
  space = new CommandFolder();
  space.write('pravah.json', '{}');
});
afterEach(() => space.remove());

const script = (turns: Json[]): Json => ({ turns });
const answer = (grade: string): Json => ({ output: { grade }, usage: { tokens_in: 100, tokens_out: 10 } });

const flow = (writes: boolean): Json => ({
  pravah: 1,
  name: 'Grading',
  input: 'Essay',
  output: 'Saved',
  schemas: {
    Essay: { type: 'object' },
    Read: { type: 'object' },
    Graded: { type: 'object', properties: { grade: { type: 'string' } }, required: ['grade'] },
    Saved: { type: 'object' },
  },
  nodes: [
    { kind: 'work', from: 'Essay', to: 'Read' },
    { kind: 'agent', title: 'Grade it', from: 'Read', to: 'Graded', agent: { model: 'script://one.json', prompt: 'Grade it.' } },
    { kind: 'work', from: 'Graded', to: 'Saved', ...(writes && { tool: 'write_file', with: { path: 'grade.txt', content: '{grade}' } }) },
  ],
});

async function graded(writes = false): Promise<string> {
  space.write('grading.flow.json', flow(writes));
  space.write('one.json', script([answer('B')]));
  space.write('two.json', script([answer('A')]));
  const { stdout } = await space.run('run', 'grading.flow.json', '--input', '{}', '--json');
  return (JSON.parse(stdout.split('\n')[0] as string) as { run_id: string }).run_id;
}

async function matrix(...words: string[]): Promise<Matrix> {
  const { code, stdout, stderr } = await space.run('matrix', ...words, '--json');
  expect([code, stderr]).toEqual([0, '']);
  return matrixSchema.parse(JSON.parse(stdout));
}

test('a matrix runs every combination of models and prompts, and says where each first differs from the original', async () => {
  const run = await graded();
  const file = space.write('strict.txt', 'Grade it strictly.\n');
  const made = await matrix(
    run,
    '--step',
    '1',
    '--model',
    'script://one.json',
    '--model',
    'script://two.json',
    '--prompt',
    `Grade it=@${file}`,
    '--repeat',
    '2',
    '--yes',
  );
  expect(made).toMatchObject({ run_id: run, seq: 1, original: { status: 'success', tokens: 110, calls: 1 } });
  expect(made.rows.map(({ name, status, copy, tokens }) => [name, status, copy, tokens])).toEqual([
    [`script://one.json, Grade it=@${file} #1`, 'success', false, 110],
    [`script://one.json, Grade it=@${file} #2`, 'success', false, 110],
    [`script://two.json, Grade it=@${file} #1`, 'success', false, 110],
    [`script://two.json, Grade it=@${file} #2`, 'success', false, 110],
  ]);
  // The prompt is another one in each; the result only with the second model.
  expect(made.rows.map(({ first_difference }) => first_difference)).toMatchObject(
    ['messages', 'messages', 'states', 'states'].map((part) => ({
      seq: 2,
      other_seq: 1,
      node: 'Read',
      differs: expect.arrayContaining([part]),
    })),
  );
  const prompted = await space.run('show', made.rows[0]?.run_id ?? '', '--json');
  expect(prompted.stdout).toContain('forked_from');
  const listed = await space.run('runs', '--json');
  expect(listed.stdout).toContain(`"group":"${made.group}"`);
});

test('a matrix asks before it runs, and prints what the variants may use', async () => {
  const run = await graded();
  const { code, stderr } = await space.run('matrix', run, '--step', '1', '--repeat', '3');
  expect(code).toBe(2);
  expect(stderr).toContain('3 variants, 4 at a time. As many as the run itself would be 3 model calls and 330 tokens.');
  expect(stderr).toContain('Add --yes');
  expect((await space.run('runs', '--json')).stdout.trim().split('\n')).toHaveLength(1);
});

test('variants that write files run in copies of the folder, unless the tool is mocked', async () => {
  const run = await graded(true);
  space.write('grade.txt', 'as it was');
  const { stderr, stdout } = await space.run('matrix', run, '--step', '1', '--model', 'script://two.json', '--yes');
  expect(stderr).toContain('Each runs in a copy of the folder');
  expect(stderr).toContain('because of: write_file.');
  expect(stdout).toMatch(/variant +status +differs at/);
  expect(readFileSync(join(space.folder, 'grade.txt'), 'utf8')).toBe('as it was');

  const mocks = space.write('mocks.json', [{ kind: 'tool', tool: 'write_file', rules: [{ result: { path: 'grade.txt', bytes: 1 } }] }]);
  const mocked = await space.run('matrix', run, '--step', '1', '--model', 'script://two.json', '--mock', mocks, '--yes');
  expect(mocked.code).toBe(0);
  expect(mocked.stderr).not.toContain('copy of the folder');
  expect(readFileSync(join(space.folder, 'grade.txt'), 'utf8')).toBe('as it was');
});

test('a list of variants changes limits, states and the flow, and one that does not fit makes none', async () => {
  const run = await graded();
  const variants: Json = [
    { name: 'other state', states: [{ name: 'Read', value: { text: 'short' } }] },
    { name: 'few turns', limits: { 'Grade it': { turns: 1 }, '*': { steps: 1 } } },
  ];
  const { code, stdout } = await space.run('matrix', run, '--step', '1', '--variants', JSON.stringify(variants), '--yes', '--json');
  const made = matrixSchema.parse(JSON.parse(stdout));
  expect(code).toBe(1);
  expect(made.rows).toMatchObject([
    { name: 'other state', status: 'success', first_difference: { node: '', differs: ['states'] } },
    { name: 'few turns', status: 'error', error: { variant: 'LimitExceeded' } },
  ]);
  const misfit: Json = [{ name: 'fits' }, { name: 'odd', states: [{ name: 'Read', value: 7 }] }];
  const refused = await space.run('matrix', run, '--step', '1', '--variants', JSON.stringify(misfit), '--yes');
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('The variant odd does not fit: at /states/0/value') });
  expect((await space.run('runs', '--json')).stdout.trim().split('\n')).toHaveLength(3);
});

test('a matrix refuses an unknown agent, nothing to vary and too many variants', async () => {
  const run = await graded();
  const tried = async (...words: string[]) => space.run('matrix', run, '--step', '1', '--yes', ...words);
  expect(await tried('--prompt', 'Unknown=x')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('There is no agent Unknown. Agents: Grade it.'),
  });
  expect(await tried()).toMatchObject({ code: 2, stderr: expect.stringContaining('Nothing varies') });
  expect(await tried('--repeat', '33')).toMatchObject({ code: 2, stderr: expect.stringContaining('at most 32') });
  expect(await tried('--model', 'x')).toMatchObject({ code: 2 });
});

test('--resume runs the variants that an interrupted matrix has left, in copies as before', async () => {
  const run = await graded(true);
  space.write('grade.txt', 'as it was');
  // As a command leaves them that was ended before they had begun.
  const journal = Journal.open(join(space.folder, '.pravah', 'runs.db'));
  const variants = ['one', 'two'].map((name) => variantSchema.parse({ name, models: { '*': `script://${name}.json` } }));
  const options = { folder: space.folder, trusted: false, settings: defaultSettings };
  const { run_ids } = makeMatrix(journal, await planMatrix(journal, { run_id: run, seq: 1, variants }, options), 1);
  journal.close();
  const resumed = await matrix(run_ids[0] ?? '', '--resume');
  expect(resumed.rows.map(({ status }) => status)).toEqual(['success', 'success']);
  expect(resumed.original?.status).toBe('success');
  expect(readFileSync(join(space.folder, 'grade.txt'), 'utf8')).toBe('as it was');
  const refused = await space.run('matrix', run, '--resume');
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('is not a variant of a matrix') });
  expect(await space.run('matrix', run)).toMatchObject({ code: 2, stderr: expect.stringContaining('or --resume') });
});

test('--resume refuses variants that would write to the folder without the mocks that they were planned with', async () => {
  const run = await graded(true);
  const journal = Journal.open(join(space.folder, '.pravah', 'runs.db'));
  const mock = { id: 'm', kind: 'tool' as const, tool: 'write_file', rules: [{ result: { path: 'grade.txt', bytes: 1 } }] };
  const options = { folder: space.folder, trusted: false, settings: defaultSettings, supplied: [mock] };
  const variants = [variantSchema.parse({ name: 'two', models: { '*': 'script://two.json' } })];
  const { run_ids } = makeMatrix(journal, await planMatrix(journal, { run_id: run, seq: 1, variants }, options), 1);
  journal.close();
  const words = ['matrix', run_ids[0] ?? '', '--resume'];
  expect(await space.run(...words)).toMatchObject({ code: 2, stderr: expect.stringContaining('Repeat the --mock options') });
  const mocks = space.write('mocks.json', [mock]);
  expect((await space.run(...words, '--mock', mocks)).code).toBe(0);
});
