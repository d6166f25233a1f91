import { afterEach, beforeEach, expect, test } from 'vitest';
import type { RunSummary } from '#shared/contract/runs.ts';
import type { RunEvent } from '#shared/run/event.ts';
import { detailOf } from './run-views.ts';
import { RunWorkerClient } from './run-worker-client.ts';
import { documentOf, TestWorkspace } from './testing.ts';

let workspace: TestWorkspace;
let thread: RunWorkerClient;
let events: RunEvent[];
let changes: RunSummary[];

beforeEach(() => {
  workspace = new TestWorkspace();
  events = [];
  changes = [];
  thread = threadOf(workspace);
});
afterEach(async () => {
  await thread.close();
  workspace.remove();
});

function threadOf({ folder, journalPath }: TestWorkspace): RunWorkerClient {
  return new RunWorkerClient({
    folder,
    journal_path: journalPath,
    consented: true,
    allow_commands: [],
    allow_hosts: [],
    onEvents: (some) => events.push(...some),
    onChange: (summary) => changes.push(summary),
  });
}

const start = (document: unknown, input: number) => thread.start({ flow_path: 'test.flow.json', text: JSON.stringify(document), input });
const counter = documentOf('N', 'Done', [
  { kind: 'either', from: 'N', to: ['N1', 'Done'], run: 'n => n > 0 ? { left: n - 1 } : { right: n }' },
  { kind: 'work', from: 'N1', to: 'N' },
]);
const endless = documentOf('A', 'C', [
  { kind: 'work', from: 'A', to: 'B' },
  { kind: 'work', from: 'B', to: 'C', run: '() => { for (;;); }' },
]);

test('drives a run in its own thread and emits its events', async () => {
  const { run_id: runId } = await start(counter, 3);
  expect(await thread.call({ type: 'step', mode: 'into' })).toMatchObject({ status: 'paused', states: [{ name: 'N1', value: 2 }] });
  expect(await thread.call({ type: 'continue' })).toMatchObject({ status: 'success', output: 0 });
  expect(events.filter(({ type }) => type === 'node_exit')).toHaveLength(7);
  expect(changes.map(({ status, seq }) => [status, seq])).toEqual([
    ['paused', 0],
    ['running', 0],
    ['paused', 1],
    ['running', 1],
    ['success', 7],
  ]);
  expect(detailOf(workspace.journal, runId, Date.now()).timeline.entries).toHaveLength(7);
});

test('refuses a flow with problems, naming them', async () => {
  const failing = start({ pravah: 1 }, 1);
  await expect(failing).rejects.toMatchObject({ variant: 'Invalid' });
});

test('stops a body that computes without end, and the run is cancelled on record', async () => {
  const { run_id: runId } = await start(endless, 1);
  const running = thread.call({ type: 'continue' }).catch((error: unknown) => error);
  await expect.poll(() => events.some((event) => event.type === 'node_enter' && event.node === 'B')).toBe(true);
  expect((await thread.stop()).status).toBe('cancelled');
  await running;
  const detail = detailOf(workspace.journal, runId, Date.now());
  expect(detail).toMatchObject({ status: 'cancelled', seq: 1, current: { states: [{ name: 'B', value: 1 }] } });
});

test('ends a body inside a built-in function, and the run fails as after any body that took too long', async () => {
  const native = documentOf('A', 'D', [
    { kind: 'work', from: 'A', to: 'B' },
    { kind: 'work', from: 'B', to: 'C', run: '(b) => b' },
    { kind: 'work', from: 'C', to: 'D', run: '() => { for (;;) (2n ** 1000000n - 1n).toString(7); }' },
  ]);
  const { run_id: runId } = await start(native, 1);
  const stop = await thread.call({ type: 'continue' });
  const error = { variant: 'HandlerError', node: 'C', message: 'The body of C was ended: it computed for more than 5 s.' };
  expect(stop).toMatchObject({ status: 'error', error, states: [{ name: 'C', value: 1 }] });
  expect(detailOf(workspace.journal, runId, Date.now())).toMatchObject({ status: 'error', seq: 2, error });
  const types = events.filter(({ type }) => type !== 'log').map(({ type, seq }) => `${type} ${seq}`);
  expect(types).toEqual([
    'init_stream 0',
    'node_enter 1',
    'node_exit 1',
    'node_enter 2',
    'node_exit 2',
    'node_enter 3',
    'error 3',
    'end_stream 2',
    expect.stringMatching(/^gap /),
  ]);
  // A try later runs the body again.
  const again = thread.call({ type: 'continue' }).catch(() => null);
  await expect.poll(() => events.filter((event) => event.type === 'node_enter' && event.node === 'C').length).toBe(2);
  expect(await thread.stop()).toMatchObject({ status: 'cancelled' });
  await again;
}, 90_000);

test('pauses and continues a run that never yields', async () => {
  const { run_id: runId } = await start({ ...(counter as object), limits: { steps: 1_000_000 } }, 400_000);
  for (let times = 0; times < 2; times++) {
    const { seq } = detailOf(workspace.journal, runId, Date.now());
    const seen = events.length;
    const running = thread.call({ type: 'continue' });
    await expect.poll(() => events.slice(seen).some((event) => event.type === 'node_exit')).toBe(true);
    await thread.call({ type: 'pause' });
    expect(await running).toMatchObject({ status: 'paused' });
    expect(detailOf(workspace.journal, runId, Date.now()).seq).toBeGreaterThan(seq);
  }
});

test('recreates a dead thread from the journal', async () => {
  const { run_id: runId } = await start(counter, 2);
  await thread.call({ type: 'step', mode: 'into' });
  await thread.close();
  expect(await thread.call({ type: 'continue' })).toMatchObject({ status: 'success', output: 0 });
  expect(detailOf(workspace.journal, runId, Date.now()).timeline.entries).toHaveLength(5);
});
