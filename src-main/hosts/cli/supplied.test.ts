import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { CommandFolder, endOf, eventsOf } from '#main/hosts/cli/testing/command.ts';
import { Journal } from '#main/journal/journal.ts';
import { RunReader } from '#main/journal/run-reader.ts';
import { BreakpointFile } from '#main/workspace/breakpoint-file.ts';
import type { Json } from '#shared/json.ts';

const orders: Json = {
  pravah: 1,
  name: 'Orders',
  input: 'Order',
  output: 'Receipt',
  schemas: { Order: {}, Priced: { type: 'object', required: ['total'] }, Saved: {}, Receipt: {} },
  nodes: [
    { kind: 'work', from: 'Order', to: 'Priced', expr: '{total: n * 2}' },
    { kind: 'work', from: 'Priced', to: 'Saved', tool: 'write_file', with: { path: 'order.txt', content: 'total' }, into: 'file' },
    { kind: 'work', from: 'Saved', to: 'Receipt', expr: '{text: "Total " + total}' },
  ],
};
const mocks: Json = [
  { kind: 'pin', node: 'Order', value: { total: 40 } },
  {
    kind: 'tool',
    tool: 'write_file',
    rules: [{ when: 'call.input.path === "order.txt" && total === 40', result: { path: 'nowhere', bytes: 1 } }],
  },
];

let folder: CommandFolder;
let flow: string;
beforeEach(() => {
  folder = new CommandFolder();
  flow = folder.write('orders.flow.json', orders);
});
afterEach(() => folder.remove());

test('run --mock takes pins and mocks from a file, says so, and test refuses the capsule unless --allow-supplied', async () => {
  const file = folder.write('mocks.json', mocks);
  const ran = await folder.run('run', flow, '--input', '{"n": 1}', '--mock', file);
  expect([ran.code, existsSync(join(folder.folder, 'order.txt'))]).toEqual([0, false]);
  expect(ran.stdout).toMatch(/Order +work +→ Priced {2}supplied by pin pin1/);
  expect(ran.stdout).toContain('supplied by mock mock2');
  expect(ran.stdout).toContain('"text": "Total 40"');
  const listed = await folder.run('runs');
  expect(listed.stdout).toContain('2 outputs supplied');
  const runId = listed.stdout.split(/\s/)[0] ?? '';
  const shown = await folder.run('show', runId);
  expect(shown.stdout).toMatch(/Order +work +→ Priced +supplied by pin pin1\n.*Priced +work +→ Saved .*1 call mocked/);
  const replayed = await folder.run('replay', runId);
  expect([replayed.code, replayed.stderr]).toEqual([0, expect.stringContaining('Order was supplied by the pin pin1')]);
  await folder.run('export-run', runId, '--out', 'a.capsule.json');
  const refused = await folder.run('test', 'a.capsule.json');
  expect([refused.code, refused.stdout]).toEqual([1, expect.stringContaining('pins or mocks supplied 2 outputs of its run')]);
  const allowed = await folder.run('test', 'a.capsule.json', '--allow-supplied');
  expect([allowed.code, allowed.stdout]).toEqual([0, expect.stringContaining('1 same, 0 different, 0 broken')]);
  const plain = await folder.run('run', flow, '--input', '{"n": 1}', '--json');
  const compared = await folder.run('diff', endOf(plain).run_id, runId);
  expect(compared.stdout).toMatch(/1 +1 +Order work.* supplied in the second/);
  const updated = await folder.run('replay', 'a.capsule.json');
  expect(updated.code).toBe(0);
});

test('pins and mocks of the folder count with --supplied only', async () => {
  const supplied = [{ id: 'p', kind: 'pin', flow: 'orders.flow.json', node: 'Saved', value: 'pinned' }];
  const paused = await folder.run('run', flow, '--input', '{"n": 1}', '--max-steps', '1', '--json');
  folder.write('.pravah/breakpoints.json', { pravah_debug: 1, supplied });
  vi.stubEnv('PRAVAH_HOME', join(folder.root, 'home'));
  await new BreakpointFile(folder.folder).takeOver();
  vi.unstubAllEnvs();
  const { run_id: runId } = endOf(paused);
  expect(endOf(await folder.run('step', runId, '--json')).stop).toMatchObject({ reason: 'step' });
  expect(endOf(await folder.run('continue', runId, '--supplied', '--json'))).toMatchObject({ status: 'success', output: 'pinned' });
  expect(endOf(await folder.run('run', flow, '--input', '{"n": 1}', '--json'))).toMatchObject({ output: { text: 'Total 2' } });
});

test('a file of mocks that is invalid, fits no node or breaks a schema is refused before anything runs', async () => {
  const refused = async (content: Json) => {
    const { code, stderr } = await folder.run('run', flow, '--input', '{"n": 1}', '--mock', folder.write('mocks.json', content));
    expect(code).toBe(2);
    return stderr;
  };
  expect(await refused({ other: [] })).toContain('contains no mocks: expected a list, or an object with the list "supplied"');
  expect(await refused([{ kind: 'tool', tool: 'write_file', rules: [{}] }])).toContain(
    'a rule needs either a result or an error (at rules/0)',
  );
  expect(await refused([{ kind: 'pin', node: 'Missing', value: 1 }])).toContain('the flow has no node Missing in orders.flow.json');
  expect(await refused([{ kind: 'pin', node: 'Order', value: {} }])).toContain("The pin of Order doesn't fit Priced");
  expect(await refused([{ kind: 'tool', tool: 'write_file', rules: [{ when: 'n >', result: 1 }] }])).toContain('The expression is invalid');
  expect((await folder.run('runs')).stdout).toContain('No runs yet');
});

test('a process that is killed in a mocked call leaves nothing in doubt: the call is mocked again', async () => {
  const slow = [{ kind: 'tool', tool: 'write_file', rules: [{ result: { path: 'nowhere', bytes: 1 }, delay_ms: 600_000 }] }];
  const { child, answer } = folder.start('run', flow, '--input', '{"n": 1}', '--mock', folder.write('slow.json', slow), '--json');
  const path = join(folder.folder, '.pravah', 'runs.db');
  const claimed = () => {
    if (!existsSync(path)) return [];
    const journal = Journal.open(path, { in_use: true });
    try {
      return journal.rows({ limit: 1 }).flatMap((row) => new RunReader(journal, row).effects(2));
    } finally {
      journal.close();
    }
  };
  await expect.poll(claimed, { timeout: 60_000 }).toMatchObject([{ name: 'write_file', outcome: null }]);
  child.kill('SIGKILL');
  await answer;
  const runId = (await folder.run('runs')).stdout.split(/\s/)[0] ?? '';
  const continued = await folder.run(
    'continue',
    runId,
    '--mock',
    folder.write('mocks.json', [{ ...slow[0], rules: [{ result: { path: 'again', bytes: 1 } }] }]),
    '--json',
  );
  expect(endOf(continued)).toMatchObject({ status: 'success' });
  expect(eventsOf(continued).filter(({ type }) => type === 'tool_result')).toMatchObject([
    { result: { path: 'again', bytes: 1 }, supplied: { by: 'mock' } },
  ]);
  expect((await folder.run('replay', runId)).code).toBe(0);
}, 120_000);
