import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { CommandFolder, endOf, eventsOf, killGroup } from '#main/hosts/cli/testing/command.ts';
import type { Json } from '#shared/json.ts';

const append = (word: string, more = '') => ({
  tool: 'run_command',
  input: { command: 'sh', args: ['-c', `echo ${word} >> witness${more}`] },
});
const flow: Json = {
  pravah: 1,
  name: 'Acting',
  input: 'A',
  output: 'Z',
  schemas: { A: {}, Z: { type: 'string' } },
  nodes: [
    {
      kind: 'agent',
      from: 'A',
      to: 'Z',
      agent: { model: 'script://talk.json', tools: [{ use: 'run_command', approve: 'never' }, 'ask_user'] },
    },
  ],
};
const ask: Json = { tool: 'ask_user', input: { question: 'Tea?' } };
const hanging = append('second', '; while test -e hold; do sleep 0.05; done');
const turns: Json = { turns: [{ tool_calls: [append('first'), hanging, ask] }, { expect: { contains: 'milk' }, output: 'through' }] };

test('a process killed with one finished, one running and one pending call of a turn repeats none of them', async () => {
  const open = new CommandFolder();
  await using _folder = { [Symbol.asyncDispose]: () => open.remove() };
  const allowed = ['--allow-command', 'sh', '--trust', '--json'];
  const witness = () =>
    existsSync(join(open.folder, 'witness')) ? readFileSync(join(open.folder, 'witness'), 'utf8').split('\n').sort().join(' ').trim() : '';
  open.write('test.flow.json', flow);
  open.write('talk.json', turns);
  open.write('hold', '');
  const { child, answer } = open.start('run', 'test.flow.json', '--input', '{}', ...allowed);
  const ended = Promise.withResolvers<void>();
  child.stdout?.on('data', (text: Buffer) => text.includes('"type":"tool_result"') && ended.resolve());
  await ended.promise;
  await expect.poll(witness).toBe('first second');
  killGroup(child);
  const [first] = eventsOf(await answer);
  const run = first?.run_id ?? '';
  rmSync(join(open.folder, 'hold'));

  const asked = await open.run('continue', run, ...allowed);
  expect([asked.code, witness()]).toEqual([3, 'first second']);
  const questions = (answered: typeof asked) =>
    eventsOf(answered).flatMap((event) => (event.type === 'suspended' ? [[event.reason, event.tool_id]] : []));
  expect(questions(asked)).toEqual([['unknown_outcome', 'A::run_command']]);
  const resumed = await open.run('resume', run, '--tool-id', 'A::run_command', '--payload', '{"result":"it was done"}', ...allowed);
  expect([resumed.code, questions(resumed)]).toEqual([3, [['call', 'A::ask_user']]]);
  const last = await open.run('resume', run, '--tool-id', 'A::ask_user', '--payload', '"milk"', ...allowed);
  expect([last.code, endOf(last).output, witness()]).toEqual([0, 'through', 'first second']);
});
