import { cpSync, existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { CommandFolder, endOf, eventsOf, killGroup } from '#main/hosts/cli/testing/command.ts';
import { slowness } from '#main/testing/slowness.ts';

// Each command is a process of its own that starts another, and a machine may be busy.
vi.setConfig({ testTimeout: 120_000 * slowness });

let folder: CommandFolder;
beforeEach(() => {
  folder = new CommandFolder();
});
afterEach(() => folder.remove());

const source = (factor: number) => `import { appendFileSync, existsSync } from 'node:fs';
import { defineFlow, state } from 'pravah-studio/runtime';
import { z } from 'zod';
const [A, B, C, D] = ['A', 'B', 'C', 'D'].map((name) => state(name, z.number()));
export default defineFlow({ input: A, output: D, name: 'Numbers' })
  .work(A, B, (n) => n + 1, { pure: true })
  .suspend(B, C)
  .work(C, D, async (n) => {
    appendFileSync('witness', 'did\\n');
    while (existsSync('hold')) await new Promise(setImmediate);
    return n * ${factor};
  })
  .build();
`;
const witness = () =>
  existsSync(join(folder.folder, 'witness')) ? readFileSync(join(folder.folder, 'witness'), 'utf8').split('\n').length - 1 : 0;

test('a flow in code is validated, run, stepped and answered, each in a process of its own, once the folder is trusted', async () => {
  folder.write('numbers.flow.ts', source(2));
  const refused = await folder.run('run', 'numbers.flow.ts', '--input', '1', '--json');
  expect([refused.code, JSON.parse(refused.stdout)]).toMatchObject([2, { valid: false, problems: [{ code: 'needs_trust' }] }]);
  const validated = await folder.run('validate', 'numbers.flow.ts', '--trust', '--json');
  expect([validated.code, JSON.parse(validated.stdout)]).toMatchObject([0, { valid: true, soundness: { status: 'sound' }, nodes: 3 }]);
  const begun = await folder.run('run', 'numbers.flow.ts', '--input', '1', '--max-steps', '1', '--json');
  expect([begun.code, endOf(begun).states]).toEqual([4, [{ name: 'B', value: 2 }]]);
  const { run_id: runId } = endOf(begun);
  expect((await folder.run('step', runId, '--json')).code).toBe(3);

  folder.write('numbers.flow.ts', source(3));
  const changed = await folder.run('resume', runId, '--tool-id', 'B::suspend', '--payload', '5', '--json');
  expect([changed.code, endOf(changed).error]).toMatchObject([
    1,
    { variant: 'HandlerError', message: expect.stringContaining('was changed') },
  ]);
  const forked = await folder.run('fork', runId, '--step', '1', '--current-flow', '--json');
  const fork = (JSON.parse(forked.stdout) as { readonly run_id: string }).run_id;
  await folder.run('step', fork);
  const ended = await folder.run('resume', fork, '--tool-id', 'B::suspend', '--payload', '5', '--json');
  expect([ended.code, endOf(ended).output, witness()]).toEqual([0, 15, 1]);
});

test('asks for the outcome of a handler that was running when the process was killed', async () => {
  folder.write('numbers.flow.ts', source(2).replace('.suspend(B, C)', '.work(B, C, (n) => n, { pure: true })'));
  folder.write('hold', '');
  const { child, answer } = folder.start('run', 'numbers.flow.ts', '--input', '1', '--trust', '--json');
  await expect.poll(witness).toBe(1);
  killGroup(child);
  const runId = eventsOf(await answer)[0]?.run_id ?? '';
  rmSync(join(folder.folder, 'hold'));
  const asked = await folder.run('continue', runId, '--json');
  expect([asked.code, eventsOf(asked).find(({ type }) => type === 'suspended'), witness()]).toMatchObject([
    3,
    { reason: 'unknown_outcome', tool_id: 'C::handler' },
    1,
  ]);
  const resumed = await folder.run('resume', runId, '--tool-id', 'C::handler', '--payload', '{"retry":true}', '--json');
  expect([resumed.code, endOf(resumed).output, witness()]).toEqual([0, 4, 2]);
});

test('the example runs with its tool', async () => {
  cpSync(join(import.meta.dirname, '../../../resources/examples/code-first'), folder.folder, { recursive: true });
  const input = JSON.stringify({ subject: 'Data lost', mail: 'grace@example.org' });
  const ended = await folder.run('run', 'ticket-replies.flow.ts', '--trust', '--input', input, '--json');
  expect([ended.code, endOf(ended).output]).toEqual([0, { text: 'Dear Grace, about "Data lost": we are on it.', paged: 'on-call' }]);
});

test('a run of a flow in code stops at breakpoints, also in a flow that it nests', async () => {
  folder.write(
    'nested.flow.ts',
    `import { defineFlow, state } from 'pravah-studio/runtime';
import { z } from 'zod';
const [A, B, C, D] = ['A', 'B', 'C', 'D'].map((name) => state(name, z.number()));
const inner = defineFlow({ input: B, output: D }).work(B, C, (n) => n + 1, { pure: true }).work(C, D, (n) => n * 2, { pure: true }).build();
export default defineFlow({ input: A, output: D }).work(A, B, (n) => n, { pure: true }).flow(inner).build();
`,
  );
  const paused = await folder.run('run', 'nested.flow.ts', '--trust', '--input', '1', '--break', 'C if input === 2', '--json');
  const place = [
    { flow: 'nested.flow.ts', node: 'B', kind: 'flow' },
    { flow: 'nested.flow.ts', node: 'C', kind: 'work' },
  ];
  expect([paused.code, endOf(paused).stop]).toMatchObject([4, { breakpoints: [{ id: 'b1' }], place }]);
});

test('a document runs a flow in code that it nests and one that its agent calls, and stops inside both', async () => {
  folder.write(
    'double.flow.ts',
    `import { defineFlow, state } from 'pravah-studio/runtime';
import { z } from 'zod';
const [A, B, C] = ['A', 'B', 'C'].map((name) => state(name, z.object({ n: z.number() })));
export default defineFlow({ input: A, output: C })
  .work(A, B, ({ n }) => ({ n: n * 2 }), { pure: true })
  .work(B, C, (b) => b, { pure: true })
  .build();
`,
  );
  folder.write(
    'turns.json',
    JSON.stringify({ turns: [{ tool_calls: [{ tool: 'flow:./double.flow.ts', input: { n: 5 } }] }, { output: { n: 7 } }] }),
  );
  const number = { type: 'object', properties: { n: { type: 'number' } }, required: ['n'], additionalProperties: false };
  const agent = { model: 'script://turns.json', prompt: 'Go.', tools: ['flow:./double.flow.ts'] };
  const document = {
    pravah: 1,
    name: 'Doubling',
    input: 'A',
    output: 'End',
    schemas: { End: number },
    nodes: [
      { kind: 'flow', title: 'Double', flow: './double.flow.ts' },
      { kind: 'agent', from: 'C', to: 'End', agent },
    ],
  };
  folder.write('doubling.flow.json', JSON.stringify(document));
  const refused = await folder.run('run', 'doubling.flow.json', '--input', '{"n":1}', '--json');
  expect([refused.code, JSON.parse(refused.stdout)]).toMatchObject([2, { problems: [{ code: 'needs_trust' }, { code: 'needs_trust' }] }]);
  const paused = await folder.run(
    'run',
    'doubling.flow.json',
    '--trust',
    '--input',
    '{"n":1}',
    '--break',
    'double.flow.ts#B if n == 2',
    '--break',
    'double.flow.ts#B if n == 10',
    '--json',
  );
  expect([paused.code, endOf(paused).stop]).toMatchObject([
    4,
    {
      breakpoints: [{ id: 'b1' }],
      place: [
        { flow: 'doubling.flow.json', node: 'A' },
        { flow: 'double.flow.ts', node: 'B' },
      ],
    },
  ]);
  const again = await folder.run('continue', endOf(paused).run_id, '--break', 'double.flow.ts#B if n == 10', '--json');
  expect([again.code, endOf(again).stop]).toMatchObject([
    4,
    {
      place: [
        { node: 'C', call: { tool: 'flow:./double.flow.ts' } },
        { flow: 'double.flow.ts', node: 'B' },
      ],
    },
  ]);
  const ended = await folder.run('continue', endOf(paused).run_id, '--json');
  expect([ended.code, endOf(ended).output]).toEqual([0, { n: 7 }]);
  expect((await folder.run('replay', endOf(paused).run_id)).code).toBe(0);
});
