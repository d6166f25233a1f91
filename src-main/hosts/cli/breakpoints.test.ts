import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { CommandFolder, endOf, eventsOf } from '#main/hosts/cli/testing/command.ts';
import { BreakpointFile } from '#main/workspace/breakpoint-file.ts';
import type { Json } from '#shared/json.ts';

const list = { type: 'array', items: {} };
const items: Json = {
  pravah: 1,
  name: 'Orders',
  input: 'A',
  output: 'Results',
  schemas: { A: {}, Items: list, Results: list },
  nodes: [
    { kind: 'work', from: 'A', to: 'Items', expr: '[{n: 1}, {n: 2}, {n: 3}]' },
    { kind: 'each', from: 'Items', to: 'Results', title: 'Price all', flow: './item.flow.json' },
  ],
};
const item: Json = {
  pravah: 1,
  name: 'Item',
  input: 'Item',
  output: 'Out',
  schemas: { Item: {}, Out: {} },
  nodes: [{ kind: 'work', from: 'Item', to: 'Out', title: 'Halve it', expr: '{n: n / 2}' }],
};

let folder: CommandFolder;
let path: string;
beforeEach(() => {
  folder = new CommandFolder();
  folder.write('item.flow.json', item);
  path = folder.write('orders.flow.json', items);
});
afterEach(() => folder.remove());

test('run pauses at --break with exit code 4 and says why, and continue runs to the next hit', async () => {
  const spec = 'item.flow.json#Item:after if result.n > 0.5';
  const paused = await folder.run(
    'run',
    path,
    '--input',
    '{}',
    '--break',
    spec,
    '--log',
    'item.flow.json#Item => item {item.index}',
    '--json',
  );
  expect(paused.code).toBe(4);
  const end = endOf(paused);
  expect(end).toMatchObject({
    status: 'paused',
    stop: { reason: 'breakpoint', breakpoints: [{ id: 'b1', hits: 1 }], text: 'b1: after Price all › item 2 of 3 › Halve it' },
  });
  const logs = eventsOf(paused).filter((event) => event.type === 'log');
  expect(logs).toMatchObject([
    { breakpoint: 'log1', values: ['item 0'] },
    { breakpoint: 'log1', values: ['item 1'] },
    // The next item begins where this one has stopped the run.
    { breakpoint: 'log1', values: ['item 2'] },
  ]);
  const more = await folder.run('continue', end.run_id, '--break', spec);
  expect([more.code, more.stdout]).toEqual([4, expect.stringContaining('stopped  b1: after Price all › item 3 of 3 › Halve it')]);
  expect((await folder.run('continue', end.run_id, '--break', spec)).code).toBe(0);
  // Nodes inside are called by their place, not by their ids.
  expect(more.stdout).toContain('Price all › item 3 › Halve it');
  expect((await folder.run('show', end.run_id)).stdout).toContain('Price all › item 1 › Halve it');
});

test.each([
  ['Missing', 'nothing in the flow matches it'],
  ['Items->Other', 'nothing in the flow matches it'],
  ['A if n >', 'The expression is invalid'],
  ['A hits many', 'a number of hits'],
  ['tool:write_file', 'nothing in the flow matches it'],
])('refuses --break %s with exit code 2 and starts no run', async (spec, why) => {
  const { code, stderr } = await folder.run('run', path, '--input', '{}', '--break', spec);
  expect([code, stderr]).toEqual([2, expect.stringContaining(why)]);
  expect((await folder.run('runs')).stdout).toContain('No runs yet');
});

test('refuses a break before a tool that only code calls, and names the alternative', async () => {
  const calling = { kind: 'work', from: 'A', to: 'B', run: '(a, ctx) => ctx.tools.read_file({path: "x"})', tools: ['read_file'] };
  const code = folder.write('code.flow.json', {
    pravah: 1,
    name: 'C',
    input: 'A',
    output: 'B',
    schemas: { A: {}, B: {} },
    nodes: [calling],
  });
  const answer = await folder.run('run', code, '--input', '{}', '--break', 'tool:read_file');
  expect([answer.code, answer.stderr]).toEqual([2, expect.stringContaining('Use pravah debug, or add --hold SECONDS.')]);
});

test("the folder's breakpoints count with --breakpoints only", async () => {
  mkdirSync(join(folder.folder, '.pravah'), { mode: 0o700 });
  const breakpoints = [{ id: 'kept', kind: 'before', flow: 'orders.flow.json', node: 'Items' }];
  writeFileSync(join(folder.folder, '.pravah', 'breakpoints.json'), JSON.stringify({ pravah_debug: 1, breakpoints }));
  expect((await folder.run('run', path, '--input', '{}')).code).toBe(0);
  const foreign = await folder.run('run', path, '--input', '{}', '--breakpoints');
  expect([foreign.code, foreign.stderr]).toEqual([0, expect.stringContaining('came with the folder')]);
  vi.stubEnv('PRAVAH_HOME', join(folder.root, 'home'));
  await new BreakpointFile(folder.folder).takeOver();
  vi.unstubAllEnvs();
  const paused = await folder.run('run', path, '--input', '{}', '--breakpoints', '--json');
  expect(endOf(paused)).toMatchObject({ status: 'paused', stop: { breakpoints: [{ id: 'kept' }] } });
});
