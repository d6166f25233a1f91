import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { CommandFolder, endOf } from '#main/hosts/cli/testing/command.ts';
import { Journal } from '#main/journal/journal.ts';

vi.setConfig({ testTimeout: 300_000 });

let space: CommandFolder;
beforeEach(() => {
  space = new CommandFolder();
  space.write('a.flow.json', {
    pravah: 1,
    name: 'Small',
    input: 'A',
    output: 'B',
    schemas: { A: {}, B: {} },
    nodes: [{ kind: 'work', from: 'A', to: 'B', run: '(a) => a' }],
  });
});
afterEach(() => space.remove());

/** `npm run soak` starts more of them. */
const count = process.env.PRAVAH_SOAK ? 60 : 20;

test(`${count} commands at once all succeed in a folder that is new to the user, and all in one journal`, async () => {
  const answers = await Promise.all(Array.from({ length: count }, () => space.run('run', 'a.flow.json', '--json')));
  expect(answers.filter(({ code }) => code !== 0)).toEqual([]);
  const journal = Journal.open(join(space.folder, '.pravah', 'runs.db'));
  const runs = journal.rows({ limit: 100 });
  journal.close();
  expect(new Set(runs.map(({ run_id: runId }) => runId))).toEqual(new Set(answers.map((answer) => endOf(answer).run_id)));
  expect(runs.every(({ status }) => status === 'success')).toBe(true);
});

test('a command that waits for the journal prints a notice and succeeds once it can write', async () => {
  await space.run('run', 'a.flow.json');
  const other = Journal.open(join(space.folder, '.pravah', 'runs.db'));
  other.database.exec('BEGIN IMMEDIATE');
  const { child, answer } = space.start('run', 'a.flow.json', '--json');
  await new Promise<void>((resolve) => child.stderr?.once('data', () => resolve()));
  other.database.exec('ROLLBACK');
  other.close();
  expect(await answer).toMatchObject({ code: 0, stderr: 'Waiting for the journal: another process is writing to it.\n' });
});
