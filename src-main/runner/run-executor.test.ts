import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Tool } from '#main/engine/ports/tool.ts';
import { Journal } from '#main/journal/journal.ts';
import { RunReader } from '#main/journal/run-reader.ts';
import { loadFlowText } from '#main/workspace/flow-loader.ts';
import { defaultSettings } from '#main/workspace/settings.ts';
import type { FlowGraph } from '#shared/flow/graph.ts';
import { ToolError } from '#shared/run/error.ts';
import { RunExecutor } from './run-executor.ts';
import { detailOf, stateAt, timelineOf } from './run-views.ts';
import { documentOf, TestWorkspace } from './testing.ts';

let workspace: TestWorkspace;
beforeEach(() => {
  workspace = new TestWorkspace();
});
afterEach(() => workspace.remove());

const chain = documentOf('A', 'D', [
  { kind: 'work', from: 'A', to: 'B', expr: 'n + 1', into: 'n' },
  { kind: 'work', from: 'B', to: 'C', expr: 'n + 1', into: 'n' },
  { kind: 'work', from: 'C', to: 'D' },
]);
const question = documentOf('A', 'C', [
  { kind: 'suspend', from: 'A', to: 'B' },
  { kind: 'work', from: 'B', to: 'C' },
]);
const toolFlow = documentOf('A', 'B', [{ kind: 'work', from: 'A', to: 'B', tool: 'probe', with: {} }]);

/** A tool that does what the test says. */
const probe = (call: Tool['call']): Tool => ({
  name: 'probe',
  description: 'does what the test says',
  input_schema: { type: 'object', additionalProperties: false },
  effect: 'write',
  approve: 'never',
  call,
});

test('drives a run to its end and writes down every step', async () => {
  const executor = await workspace.start(chain, { n: 1 });
  const stop = await executor.continue();
  expect(stop).toMatchObject({ status: 'success', output: { n: 3 }, states: [{ name: 'D', value: { n: 3 } }] });
  const detail = detailOf(workspace.journal, executor.runId, Date.now());
  expect(detail).toMatchObject({ status: 'success', seq: 3, input: { n: 1 }, output: { n: 3 }, error: null });
  expect(detail.timeline.entries.map(({ node, produced }) => [node, produced])).toEqual([
    ['A', ['B']],
    ['B', ['C']],
    ['C', ['D']],
  ]);
  expect(detail.current.next).toBeNull();
});

test('fills in the values of what a step consumed and produced', async () => {
  const executor = await workspace.start(chain, { n: 1 });
  await executor.step('into');
  expect(workspace.events.map(({ type }) => type)).toEqual(['init_stream', 'node_enter', 'node_exit', 'end_stream']);
  expect(workspace.events[2]).toMatchObject({ consumed: { A: { n: 1 } }, produced: { B: { n: 2 } }, seq: 1 });
});

test('finishes and records a run whose listener throws at every event', async () => {
  const flow_text = JSON.stringify(chain);
  const { graph } = loadFlowText(flow_text, 'test.flow.json', { folder: workspace.folder, trusted: false, settings: defaultSettings });
  const errors: unknown[] = [];
  const failing = (): never => {
    throw new Error('listener');
  };
  const options = { ...(await workspace.options()), onEvent: failing, onListenerError: (error: unknown) => errors.push(error) };
  const executor = RunExecutor.start(options, { graph: graph as FlowGraph, flow_path: 'test.flow.json', flow_text, input: { n: 1 } });
  expect(await executor.continue()).toMatchObject({ status: 'success', output: { n: 3 } });
  expect(detailOf(workspace.journal, executor.runId, Date.now())).toMatchObject({ status: 'success', seq: 3, error: null });
  expect(errors).toHaveLength(8);
});

test('reads the events of a run as they were emitted, including the derived ones', async () => {
  const executor = await workspace.start(question, 'really?');
  await executor.continue();
  const [suspension] = detailOf(workspace.journal, executor.runId, Date.now()).suspensions;
  await executor.resume(suspension?.tool_id ?? '', 'yes', { then_continue: true });
  const reader = new RunReader(workspace.journal, workspace.journal.row(executor.runId));
  const emittedEvents = workspace.events.filter(({ type }) => type !== 'init_stream' && type !== 'end_stream');
  const names = (values: unknown) => (Array.isArray(values) ? values : Object.keys(values as object));
  const asRecorded = emittedEvents.map((event) =>
    event.type === 'node_exit' ? { ...event, consumed: names(event.consumed), produced: names(event.produced) } : event,
  );
  expect([...reader.events()]).toEqual(asRecorded);
  expect([...reader.events(1)]).toEqual(asRecorded.filter(({ seq }) => seq > 1));
});

test('pauses after N transitions and continues later', async () => {
  const executor = await workspace.start(chain, { n: 1 });
  expect((await executor.continue(2)).status).toBe('paused');
  expect((await executor.continue(1)).status).toBe('success');
});

test('shows any step as it was, with who wrote what', async () => {
  const executor = await workspace.start(chain, { n: 1 });
  await executor.continue();
  expect(stateAt(workspace.journal, executor.runId, 1)).toEqual({
    seq: 1,
    node: 'A',
    states: [{ name: 'B', value: { n: 2 }, written_at: 1, written_by: 'A' }],
    consumed: [{ name: 'A', value: { n: 1 }, written_at: 0, written_by: '' }],
    next: 'B',
    tallies: { A: { count: 1, turns: 0, tokens: 0, duration_ms: expect.any(Number) } },
    items: [],
  });
  expect(stateAt(workspace.journal, executor.runId, 0)).toMatchObject({
    node: null,
    states: [{ name: 'A' }],
    consumed: [],
    next: 'A',
    tallies: {},
  });
  expect(timelineOf(workspace.journal, executor.runId, 2, 1)).toMatchObject({ total: 3, from: 2, entries: [{ seq: 2, node: 'B' }] });
  expect(timelineOf(workspace.journal, executor.runId, 4, 10)).toEqual({ total: 3, from: 4, entries: [] });
  expect(() => stateAt(workspace.journal, executor.runId, 4)).toThrow(/has no step 4/);
});

test('reports that a refused call has left the run unchanged', async () => {
  const first = await workspace.start(question, 'really?');
  await first.continue();
  first.close();
  const statuses: string[] = [];
  const status = () => detailOf(workspace.journal, first.runId, Date.now()).status;
  const options = { ...(await workspace.options()), onRefused: () => statuses.push(status()) };
  const executor = RunExecutor.open(options, first.runId);
  await expect(executor.resume('missing::asked', 'yes')).rejects.toMatchObject({ variant: 'ResumeMismatchError' });
  expect(statuses).toEqual(['suspended']);
});

test('waits for an answer across a restart, refuses a wrong one, and takes it once', async () => {
  const first = await workspace.start(question, 'really?');
  expect((await first.continue()).status).toBe('suspended');
  first.close();
  const journal = Journal.open(workspace.journalPath);
  const executor = RunExecutor.open(await workspace.options([], journal), first.runId);
  await expect(executor.continue()).rejects.toMatchObject({ variant: 'ResumeRequired' });
  await expect(executor.resume('A::other', true)).rejects.toMatchObject({ variant: 'ResumeMismatchError' });
  await expect(executor.resume('A::suspend', true, { tool_call_id: 'another' })).rejects.toMatchObject({ variant: 'ResumeMismatchError' });
  const detail = detailOf(journal, executor.runId, Date.now());
  expect(detail).toMatchObject({ status: 'suspended', suspensions: [{ tool_id: 'A::suspend', value: 'really?' }] });
  const call = detail.suspensions[0]?.tool_call_id;
  expect(await executor.resume('A::suspend', 'yes', { tool_call_id: call, then_continue: true })).toMatchObject({
    status: 'success',
    output: 'yes',
  });
  await expect(executor.resume('A::suspend', 'yes', { tool_call_id: call })).rejects.toMatchObject({ variant: 'UnexpectedResumption' });
  expect(detailOf(journal, executor.runId, Date.now()).status).toBe('success');
  journal.close();
});

test('a failed step is on record and can be tried again', async () => {
  let calls = 0;
  const failsOnce = probe(() => {
    calls += 1;
    if (calls === 1) throw new ToolError('Io', 'the disk is asleep');
    return 'awake';
  });
  const executor = await workspace.start(toolFlow, {}, [failsOnce]);
  expect(await executor.continue()).toMatchObject({
    status: 'error',
    error: { variant: 'Io', node: 'A' },
    states: [{ name: 'A', value: {} }],
  });
  expect(detailOf(workspace.journal, executor.runId, Date.now())).toMatchObject({ status: 'error', error: { variant: 'Io' }, seq: 0 });
  expect(workspace.events.map(({ type }) => type)).toContain('error');
  expect(await executor.continue()).toMatchObject({ status: 'success', output: 'awake' });
  expect(calls).toBe(2);
});

test('cancels inside a transition, for good', async () => {
  let begun = () => {};
  const started = new Promise<void>((done) => {
    begun = done;
  });
  const waits = probe((_input, { signal }) => {
    begun();
    return new Promise((_done, fail) => signal.addEventListener('abort', () => fail(signal.reason as Error)));
  });
  const executor = await workspace.start(toolFlow, {}, [waits]);
  const running = executor.continue();
  await started;
  expect((await executor.cancel()).status).toBe('cancelled');
  expect((await running).status).toBe('cancelled');
  expect(detailOf(workspace.journal, executor.runId, Date.now()).status).toBe('cancelled');
  await expect(executor.continue()).rejects.toMatchObject({ variant: 'Cancelled' });
});

test('a finished run cannot be cancelled, and a cancelled run stays cancelled', async () => {
  const through = await workspace.start(chain, { n: 1 });
  await through.continue();
  await expect(through.cancel()).rejects.toMatchObject({ variant: 'Conflict' });
  expect(detailOf(workspace.journal, through.runId, Date.now()).status).toBe('success');
  const executor = await workspace.start(chain, { n: 1 });
  expect((await executor.cancel()).status).toBe('cancelled');
  expect((await executor.cancel()).status).toBe('cancelled');
});

test('refuses a second call while one is in progress', async () => {
  const executor = await workspace.start(chain, { n: 1 });
  const running = executor.continue();
  await expect(executor.step('into')).rejects.toMatchObject({ variant: 'Conflict' });
  expect((await running).status).toBe('success');
});

test('detects that another executor has continued the run, and continues from there', async () => {
  const first = await workspace.start(chain, { n: 1 });
  const second = RunExecutor.open(await workspace.options(), first.runId);
  await first.step('into');
  await second.step('into');
  expect(await first.step('into')).toMatchObject({ status: 'success', output: { n: 3 } });
  expect(detailOf(workspace.journal, first.runId, Date.now()).timeline.entries).toHaveLength(3);
});

test('a run that another process drives is left alone, and cancelled there when asked', async () => {
  const executor = await workspace.start(chain, { n: 1 });
  const row = workspace.journal.row(executor.runId);
  workspace.journal.database
    .prepare('UPDATE runs SET lease_token = ?, lease_owner = ?, lease_expires = ? WHERE run = ?')
    .run('other', 'another host:1', Date.now() + 60_000, row.run);
  await expect(executor.continue()).rejects.toMatchObject({ variant: 'Conflict' });
  expect(workspace.journal.row(executor.runId).lease_token).toBe('other');
  workspace.journal.database.prepare('UPDATE runs SET lease_token = NULL, lease_expires = NULL').run();
  workspace.journal.requestCancel(row);
  expect((await executor.continue()).status).toBe('cancelled');
});

test('an input that misses the entry’s schema starts no run', async () => {
  const document = { ...(chain as object), schemas: { A: { type: 'object' }, B: {}, C: {}, D: {} } };
  await expect(workspace.start(JSON.parse(JSON.stringify(document)), 'text')).rejects.toMatchObject({ variant: 'DeserializeError' });
  expect(workspace.journal.rows({ limit: 10 })).toEqual([]);
});
