import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, onTestFinished, test, vi } from 'vitest';
import { searchRun } from '#main/services/debug/search-run.ts';
import type { Background } from '#main/services/query-worker/background.ts';
import { connectTo, type StudioClient, startStudio, temporaryPlaces } from '#main/services/testing/studio-client.ts';
import { BreakpointFile } from '#main/workspace/breakpoint-file.ts';
import type { Breakpoint } from '#shared/contract/breakpoint.ts';
import type { Found } from '#shared/contract/debug.ts';
import type { RunSummary } from '#shared/contract/runs.ts';
import type { Supplied } from '#shared/contract/supplied.ts';

const flow = 'a.flow.yaml';
const loop = `pravah: 1
name: Loop
input: A
output: Z
schemas: { A: {}, Count: {}, Again: {}, Z: {} }
nodes:
  - { kind: work, from: A, to: Count, expr: "{n: 0}" }
  - { kind: either, from: Count, to: [Again, Z], expr: n < 3, title: Enough? }
  - { kind: work, from: Again, to: Count, expr: "{n: n + 1}", title: Once more }
`;

const typed = `pravah: 1
name: Typed
input: A
output: B
schemas:
  A: {}
  B: { type: object, required: [n], properties: { n: { type: integer } } }
nodes:
  - { kind: work, from: A, to: B, expr: "{n: 1}" }
`;

async function studio(): Promise<StudioClient & { readonly folder: string }> {
  const { folder } = await temporaryPlaces(onTestFinished);
  await writeFile(join(folder, flow), loop);
  return { ...startStudio(onTestFinished, folder), folder };
}

const again: Breakpoint = { id: 'b1', kind: 'before', flow, node: 'Again' };

/** Starts a run and resolves with the summary in which it has stopped. */
async function runToStop({ client }: StudioClient, runId: string, until?: { flow: string; node: string }): Promise<RunSummary> {
  const changes = await client.runs.watch();
  await client.runs.continue({ run_id: runId, ...(until && { until }) });
  for await (const summary of changes) if (summary.run_id === runId && !['running', 'queued'].includes(summary.status)) return summary;
  throw new Error('the run did not stop');
}

test('breakpoints are stored with their anchor, listed, and removed', async () => {
  const it = await studio();
  const state = await it.client.debug.put({ breakpoints: [again, { id: 'b2', kind: 'error' }] });
  const anchored = { ...again, anchor: { kind: 'work', title: 'Once more', to: ['Count'], index: 2 } };
  expect(state).toEqual({
    revision: expect.any(Number),
    breakpoints: [anchored, { id: 'b2', kind: 'error' }],
    unverified: [],
    moved: [],
    watches: [],
    supplied: [],
    supplied_on: true,
    foreign: false,
    notice: null,
  });
  const file = JSON.parse(await readFile(join(it.folder, '.pravah', 'breakpoints.json'), 'utf8'));
  expect(file).toEqual({
    pravah_debug: 1,
    id: expect.any(String),
    breakpoints: [anchored, { id: 'b2', kind: 'error' }],
    watches: [],
    supplied: [],
  });
  await it.client.debug.putWatches({ flow, expressions: ['n', 'states'] });
  expect(await it.client.debug.remove({ ids: ['b1'] })).toMatchObject({
    breakpoints: [{ id: 'b2' }],
    watches: [
      { flow, expression: 'n' },
      { flow, expression: 'states' },
    ],
  });
});

test('a condition that cannot be parsed is refused as bad_expr, and nothing is stored', async () => {
  const { client } = await studio();
  const put = client.debug.put({ breakpoints: [{ ...again, condition: 'n >' }] });
  await expect(put).rejects.toMatchObject({
    data: { variant: 'Invalid', details: { problems: [{ code: 'bad_expr', path: '/condition' }] } },
  });
  expect((await client.debug.list()).breakpoints).toEqual([]);
});

test('a folder has at most 1,000 breakpoints, and what would exceed that changes nothing', async () => {
  const it = await studio();
  const many = (count: number) => Array.from({ length: count }, (_, n) => ({ id: `many${n}`, kind: 'error' }) as const);
  await it.client.debug.put({ breakpoints: many(1000) });
  await expect(it.client.debug.put({ breakpoints: [again] })).rejects.toThrow('1000 breakpoints, and this would be 1001');
  expect((await it.client.debug.list()).breakpoints).toHaveLength(1000);
});

test('a run stops at a breakpoint, says why in its summary, and continues to the next hit', async () => {
  const it = await studio();
  await it.client.debug.put({ breakpoints: [{ ...again, condition: 'n > 0' }] });
  const { run_id } = await it.client.runs.start({ flow_path: flow, text: loop, input: {} });
  const first = await runToStop(it, run_id);
  expect(first).toMatchObject({
    status: 'paused',
    stop: { reason: 'breakpoint', breakpoints: [{ id: 'b1', hits: 1 }], text: 'b1: before Once more' },
  });
  expect(await it.client.runs.get({ run_id })).toMatchObject({ status: 'paused', stop: { breakpoints: [{ id: 'b1' }] } });
  expect(await runToStop(it, run_id)).toMatchObject({ stop: { breakpoints: [{ id: 'b1', hits: 2 }] } });
  await it.client.debug.remove({ ids: ['b1'] });
  const ended = await runToStop(it, run_id);
  expect(ended).toMatchObject({ status: 'success' });
  expect(ended.stop).toBeUndefined();
});

test('a breakpoint with once is removed after its stop', async () => {
  const it = await studio();
  await it.client.debug.put({ breakpoints: [{ ...again, once: true }] });
  const { run_id } = await it.client.runs.start({ flow_path: flow, text: loop, input: {} });
  expect(await runToStop(it, run_id)).toMatchObject({ stop: { breakpoints: [{ id: 'b1' }] } });
  await vi.waitFor(async () => expect((await it.client.debug.list()).breakpoints).toEqual([]), { timeout: 10_000 });
  expect(await runToStop(it, run_id)).toMatchObject({ status: 'success' });
});

test('a run continues to a place, and expressions, the previous stop and frames are read from its record', async () => {
  const it = await studio();
  const { run_id } = await it.client.runs.start({ flow_path: flow, text: loop, input: {} });
  expect(await runToStop(it, run_id, { flow, node: 'Again' })).toMatchObject({ stop: { breakpoints: [{ id: 'here' }] } });
  await runToStop(it, run_id, { flow, node: 'Again' });
  const { seq } = await it.client.runs.get({ run_id });
  expect(await it.client.debug.evaluate({ run_id, seq, expressions: ['n', 'states.Again.n + run.steps', 'missing', 'n +'] })).toEqual([
    { value: 1 },
    { value: 5 },
    { error: expect.stringContaining('no field missing') },
    { error: expect.stringContaining('The expression is invalid') },
  ]);
  expect(await it.client.runs.frames({ run_id })).toEqual([{ flow, node: 'Again', title: 'Once more', kind: 'work' }]);
  expect(await it.client.debug.previousStop({ run_id, seq })).toBeNull();
  await it.client.debug.put({ breakpoints: [again] });
  expect(await it.client.debug.previousStop({ run_id, seq })).toMatchObject({ seq: 2, stop: { breakpoints: [{ id: 'b1', hits: 1 }] } });
});

test('a breakpoint follows a node that is renamed in another program, and waits for one that is gone', async () => {
  const it = await studio();
  await it.client.debug.put({ breakpoints: [again] });
  const stream = await it.client.debug.watch();
  await stream.next();
  await writeFile(join(it.folder, flow), loop.replaceAll('Again', 'Retry'));
  const { value: moved } = await stream.next();
  expect(moved).toMatchObject({ breakpoints: [{ id: 'b1', node: 'Retry' }], unverified: [], moved: [{ id: 'b1', from: 'Again' }] });
  await writeFile(join(it.folder, flow), loop.slice(0, loop.indexOf('  - ')));
  await vi.waitFor(async () => expect(await it.client.debug.list()).toMatchObject({ unverified: ['b1'] }), { timeout: 10_000 });
  await writeFile(join(it.folder, flow), loop.replaceAll('Again', 'Retry'));
  await vi.waitFor(async () => expect(await it.client.debug.list()).toMatchObject({ unverified: [], breakpoints: [{ node: 'Retry' }] }), {
    timeout: 10_000,
  });
});

test('breakpoints follow a git checkout of a branch in which their node is renamed, and back', async () => {
  const it = await studio();
  const git = (...words: string[]) =>
    promisify(execFile)('git', ['-c', 'user.name=Test', '-c', 'user.email=test@example.com', ...words], { cwd: it.folder });
  await git('init', '-q', '-b', 'main');
  await git('add', flow);
  await git('commit', '-q', '-m', 'first');
  await git('checkout', '-q', '-b', 'renamed');
  await writeFile(join(it.folder, flow), loop.replaceAll('Again', 'Retry'));
  await git('commit', '-q', '-a', '-m', 'second');
  await git('checkout', '-q', 'main');
  await it.client.debug.put({ breakpoints: [again] });
  const at = async (node: string) =>
    vi.waitFor(async () => expect(await it.client.debug.list()).toMatchObject({ breakpoints: [{ id: 'b1', node }], unverified: [] }), {
      timeout: 30_000,
    });
  await git('checkout', '-q', 'renamed');
  await at('Retry');
  await git('checkout', '-q', 'main');
  await at('Again');
});

test('two windows and another program see the same breakpoints', async () => {
  const it = await studio();
  const other = connectTo(onTestFinished, it.services);
  const stream = await other.client.debug.watch();
  expect((await stream.next()).value).toMatchObject({ breakpoints: [] });
  await it.client.debug.put({ breakpoints: [again] });
  expect((await stream.next()).value).toMatchObject({ breakpoints: [{ id: 'b1' }] });
  await new BreakpointFile(it.folder).change((file) => ({ ...file, breakpoints: [...file.breakpoints, { id: 'b9', kind: 'error' }] }));
  for await (const state of stream) if (state.breakpoints.some(({ id }) => id === 'b9')) break;
  expect((await it.client.debug.list()).breakpoints.map(({ id }) => id)).toEqual(['b1', 'b9']);
});

test('a command uses the breakpoints that two windows have set', async () => {
  const it = await studio();
  const other = connectTo(onTestFinished, it.services);
  await Promise.all([
    it.client.debug.put({ breakpoints: [{ ...again, condition: 'n > 1' }] }),
    other.client.debug.put({ breakpoints: [{ id: 'b2', kind: 'after', flow, node: 'A' }] }),
  ]);
  const main = fileURLToPath(new URL('../hosts/cli/main.ts', import.meta.url));
  const pravah = async (...words: string[]) => {
    const options = { cwd: it.folder, env: { ...process.env, NO_COLOR: '1' } };
    // The command exits with 4, since the run is paused.
    return await promisify(execFile)(process.execPath, [main, ...words], options).catch((error: { stdout: string }) => error);
  };
  expect((await pravah('run', flow, '--input', '{}', '--breakpoints')).stdout).toContain('stopped  b2: after A');
  const [run] = await it.client.runs.list({});
  expect((await pravah('continue', run?.run_id ?? '', '--breakpoints')).stdout).toContain('stopped  b1: before Once more');
});

test('breakpoints, watches and pins move with a flow that is renamed', async () => {
  const it = await studio();
  await it.client.debug.put({
    breakpoints: [
      { ...again, in: `${flow}#Again` },
      { id: 'b2', kind: 'error' },
    ],
  });
  await it.client.debug.putWatches({ flow, expressions: ['n'] });
  await it.client.flows.rename({ path: flow, new_path: 'b.flow.yaml' });
  expect(await it.client.debug.list()).toMatchObject({
    breakpoints: [{ id: 'b1', flow: 'b.flow.yaml', in: 'b.flow.yaml#Again' }, { id: 'b2' }],
    watches: [{ flow: 'b.flow.yaml', expression: 'n' }],
    unverified: [],
  });
});

test('breakpoints that came with the folder are off until they are taken over', async () => {
  const { folder } = await temporaryPlaces(onTestFinished);
  await writeFile(join(folder, flow), loop);
  await mkdir(join(folder, '.pravah'));
  const path = join(folder, '.pravah', 'breakpoints.json');
  const came = JSON.stringify({ pravah_debug: 1, breakpoints: [again] });
  await writeFile(path, came);
  const it = startStudio(onTestFinished, folder);
  expect(await it.client.debug.list()).toMatchObject({ breakpoints: [], foreign: true, notice: null });
  await expect(it.client.debug.put({ breakpoints: [{ id: 'b2', kind: 'error' }] })).rejects.toMatchObject({
    data: { variant: 'Conflict' },
  });
  const { run_id } = await it.client.runs.start({ flow_path: flow, text: loop, input: {} });
  expect(await runToStop(it, run_id)).toMatchObject({ status: 'success' });
  expect(await readFile(path, 'utf8')).toBe(came);
  expect(await it.client.debug.takeOver()).toMatchObject({ breakpoints: [{ id: 'b1' }], foreign: false });
  const { run_id: second } = await it.client.runs.start({ flow_path: flow, text: loop, input: {} });
  expect(await runToStop(it, second)).toMatchObject({ stop: { breakpoints: [{ id: 'b1' }] } });
});

test('a state is followed to its source, its writes are listed, and a search reports its result', async () => {
  const it = await studio();
  const { run_id } = await it.client.runs.start({ flow_path: flow, text: loop, input: {} });
  expect(await runToStop(it, run_id)).toMatchObject({ status: 'success', seq: 8 });
  const { steps, cut } = await it.client.debug.lineage({ run_id, seq: 8, state: 'Z', path: '/n' });
  expect(steps.map(({ seq, state, how, introduced = false }) => [seq, state, how, introduced])).toEqual([
    [8, 'Z', 'asked', false],
    [7, 'Count', 'copied', true],
  ]);
  expect(cut).toBe(false);
  expect(await it.client.debug.writesAround({ run_id, seq: 5, state: 'Count' })).toEqual({ previous: 3, next: 7 });
  expect(await it.client.debug.writesAround({ run_id, seq: 8, state: 'Count' })).toEqual({ previous: 7, next: null });
  const search = async (expression: string, from: number, direction: 'forth' | 'back') => {
    for await (const event of await it.client.debug.find({ run_id, expression, from, direction })) if (event.type === 'end') return event;
    throw new Error('the search did not end');
  };
  expect(await search('states.Count.n === 2', 0, 'forth')).toEqual({ type: 'end', seq: 5, fault: null });
  expect(await search('n === 0', 8, 'back')).toEqual({ type: 'end', seq: 2, fault: null });
  expect(await search('absent > 1', 0, 'forth')).toMatchObject({ seq: null, fault: expect.stringContaining('no field absent') });
  const plot = await it.client.debug.plot({ run_id, expression: 'states.Count.n' });
  expect(plot.map(({ value }) => value)).toEqual([null, 0, null, 1, null, 2, null, 3, null]);
  expect((await it.client.debug.plot({ run_id, expression: 'run.steps > 4' })).map(({ value }) => value)).toEqual([
    0, 0, 0, 0, 0, 1, 1, 1, 1,
  ]);
  await expect(search('n >', 0, 'forth')).rejects.toMatchObject({ data: { variant: 'Invalid' } });
});

test('a search reports its progress and ends when its reader leaves', async () => {
  const asked: number[] = [];
  const part = { seq: null, evaluated: false, fault: 'none' };
  const background = {
    call: (_task: string, { from }: { from: number }) => {
      asked.push(from);
      return Promise.resolve({ ...part, next: from + 10 });
    },
  } as unknown as Background;
  const leaving = new AbortController();
  const request = { run_id: 'r', expression: 'true', from: 0, direction: 'forth' as const };
  const events: Found[] = [];
  for await (const event of searchRun(background, request, leaving.signal)) {
    events.push(event);
    if (events.length === 3) leaving.abort();
  }
  expect(events).toEqual([10, 20, 30].map((seq) => ({ type: 'progress', seq })));
  expect(asked).toEqual([0, 10, 20]);
});

test('coverage counts the runs of the folder, or some of them, against the flow as it is in the window', async () => {
  const it = await studio();
  const { run_id } = await it.client.runs.start({ flow_path: flow, text: loop, input: {} });
  await runToStop(it, run_id);
  const other = await it.client.runs.start({ flow_path: flow, text: loop, input: {} });
  const all = await it.client.debug.coverage({ flow });
  expect(all).toMatchObject({ runs: 2, covered: 5, total: 5, uncovered: [], left_out: 0 });
  expect(all.nodes.map(({ node, count }) => [node, count])).toEqual([
    ['A', 1],
    ['Count', 4],
    ['Again', 3],
  ]);
  expect(await it.client.debug.coverage({ flow, runs: [other.run_id] })).toMatchObject({ runs: 1, covered: 0, total: 5 });
  const edited = loop.replace('to: [Again, Z]', 'to: [Again, Late]').replace('Z: {} }', 'Late: {}, Z: {} }');
  const text = `${edited}  - { kind: work, from: Late, to: Z, title: Finish }\n`;
  expect((await it.client.debug.coverage({ flow, text })).uncovered).toEqual([
    { node: 'Count', title: 'Enough?', state: 'Late', route: [{ node: 'A' }], marking: ['Count'] },
    { node: 'Late', title: 'Finish', state: null, route: [{ node: 'A' }, { node: 'Count', branch: 'Late' }], marking: ['Late'] },
  ]);
  await expect(it.client.debug.coverage({ flow, text: 'pravah: 1' })).rejects.toMatchObject({ data: { variant: 'Invalid' } });
  await expect(it.client.debug.coverage({ flow, capsules: ['../x.capsule.json'] })).rejects.toMatchObject({
    data: { variant: 'NotFound' },
  });
});

const pinOfAgain: Supplied = { id: 'p1', kind: 'pin', flow, node: 'Again', value: { n: 10 } };

test('a pin is stored with its anchor and supplies a run of the studio, unless pins are switched off', async () => {
  const it = await studio();
  const { supplied } = await it.client.debug.putSupplied({ supplied: [pinOfAgain] });
  expect(supplied).toEqual([{ ...pinOfAgain, anchor: { kind: 'work', title: 'Once more', to: ['Count'], index: 2 } }]);
  const outputOf = async () => {
    const { run_id } = await it.client.runs.start({ flow_path: flow, text: loop, input: {} });
    const { status, supplied } = await runToStop(it, run_id);
    return [status, (await it.client.runs.get({ run_id })).output, supplied];
  };
  expect(await outputOf()).toEqual(['success', { n: 10 }, 1]);
  expect(await it.client.debug.switchSupplied({ on: false })).toMatchObject({ supplied_on: false, supplied: [{ id: 'p1' }] });
  expect(await outputOf()).toEqual(['success', { n: 3 }, undefined]);
  await it.client.debug.switchSupplied({ on: true });
  expect((await it.client.debug.putSupplied({ supplied: [{ ...pinOfAgain, id: 'p2', value: { n: 4 } }] })).supplied).toMatchObject([
    { id: 'p2' },
  ]);
  expect(await outputOf()).toEqual(['success', { n: 4 }, 1]);
  expect((await it.client.debug.removeSupplied({ ids: ['p2'] })).supplied).toEqual([]);
});

test('a pin, a disabled node or a mock that does not fit its schema is refused with the place, and nothing is stored', async () => {
  const it = await studio();
  await writeFile(join(it.folder, 'b.flow.yaml'), typed);
  const put = (supplied: object) => it.client.debug.putSupplied({ supplied: [{ id: 'p', ...supplied } as Supplied] });
  const pin = { kind: 'pin', flow: 'b.flow.yaml', node: 'A' };
  await expect(put({ ...pin, value: { n: 'text' } })).rejects.toMatchObject({ data: { details: { path: '/value/n' } } });
  await expect(put({ ...pin, disabled: true })).rejects.toMatchObject({
    data: { message: "A can't be disabled: its output B has a different schema than its input. Pin a value instead." },
  });
  await expect(put({ kind: 'pin', flow, node: 'Count', value: 1 })).rejects.toMatchObject({ data: { details: { path: '/branch' } } });
  await expect(put({ kind: 'tool', tool: 'http_request', rules: [{ result: {} }] })).rejects.toMatchObject({
    data: { details: { path: '/rules/0/result/status' } },
  });
  await expect(put({ kind: 'tool', tool: 'write_file', rules: [{ when: 'n >', result: {} }] })).rejects.toMatchObject({
    data: { details: { path: '/rules/0/when' } },
  });
  await expect(put({ kind: 'tool', tool: 'write_file', rules: [{ delay_ms: 5 }] })).rejects.toThrow();
  expect((await it.client.debug.list()).supplied).toEqual([]);
  expect((await put({ ...pin, value: { n: 1 } })).supplied).toHaveLength(1);
});

test('a pin follows its node when it is renamed in an editor, and is unverified while the node is gone', async () => {
  const it = await studio();
  await it.client.debug.putSupplied({ supplied: [pinOfAgain] });
  const moved: { id: string; from: string }[] = [];
  const abort = new AbortController();
  onTestFinished(() => abort.abort());
  const states = await it.client.debug.watch(undefined, { signal: abort.signal });
  void (async () => {
    for await (const state of states) moved.push(...state.moved);
  })().catch(() => undefined);
  await writeFile(join(it.folder, flow), loop.replaceAll('Again', 'Later'));
  // The folder's watcher may have seen it first; it is reported once, to those that watch.
  await expect.poll(async () => (await it.client.debug.list()).supplied).toMatchObject([{ node: 'Later' }]);
  await expect.poll(() => moved).toEqual([{ id: 'p1', from: 'Again' }]);
  await writeFile(join(it.folder, flow), `${loop.split('nodes:')[0]}nodes:\n  - { kind: suspend, from: A, to: Z }\n`);
  await expect.poll(async () => (await it.client.debug.list()).unverified).toEqual(['p1']);
});
