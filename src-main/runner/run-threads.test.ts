import { afterEach, beforeEach, expect, test } from 'vitest';
import type { RunEvent } from '#shared/run/event.ts';
import { RunThreads } from './run-threads.ts';
import { RunWorkerClient } from './run-worker-client.ts';
import { documentOf, TestWorkspace } from './testing.ts';

let workspace: TestWorkspace;
let threads: RunThreads;
const runs: RunWorkerClient[] = [];

beforeEach(() => {
  workspace = new TestWorkspace();
  threads = new RunThreads();
});
afterEach(async () => {
  await Promise.all(runs.splice(0).map((run) => run.close()));
  await threads.close();
  workspace.remove();
});

/** A run that takes its thread from the others, and the events that it received. */
function newRun() {
  const events: RunEvent[] = [];
  const run = new RunWorkerClient({
    folder: workspace.folder,
    journal_path: workspace.journalPath,
    consented: true,
    allow_commands: [],
    allow_hosts: [],
    threads,
    onEvents: (some) => events.push(...some),
    onChange: () => undefined,
  });
  runs.push(run);
  return { run, events };
}

const start = (run: RunWorkerClient, document: unknown, input: number) =>
  run.start({ flow_path: 'test.flow.json', text: JSON.stringify(document), input });
const addOne = documentOf('A', 'B', [{ kind: 'work', from: 'A', to: 'B', run: '(a) => a + 1' }]);
const endless = documentOf('A', 'B', [{ kind: 'work', from: 'A', to: 'B', run: '() => { for (;;); }' }]);

test('a run gets the thread that another run has left, and nothing of that run', async () => {
  const first = newRun();
  const { run_id: firstId } = await start(first.run, addOne, 1);
  expect(await first.run.call({ type: 'continue' })).toMatchObject({ status: 'success', output: 2 });
  await first.run.letGo();
  expect(threads.idle).toBe(1);

  const second = newRun();
  const { run_id: secondId } = await start(second.run, addOne, 10);
  expect(threads.idle).toBe(0);
  expect(await second.run.call({ type: 'continue' })).toMatchObject({ status: 'success', output: 11 });
  expect(new Set(first.events.map(({ run_id }) => run_id))).toEqual(new Set([firstId]));
  expect(new Set(second.events.map(({ run_id }) => run_id))).toEqual(new Set([secondId]));
  await second.run.letGo();
  expect(threads.idle).toBe(1);
});

test('a run that is called again after its thread was let go continues in another one', async () => {
  const { run } = newRun();
  const { run_id: runId } = await start(run, addOne, 1);
  await run.letGo();
  const other = newRun();
  await start(other.run, addOne, 5);
  expect(await run.call({ type: 'continue' })).toMatchObject({ status: 'success', output: 2 });
  expect(run.runId).toBe(runId);
  await Promise.all([run.letGo(), other.run.letGo()]);
  expect(threads.idle).toBe(2);
});

test('a request that comes while the thread is let go is answered', async () => {
  const { run } = newRun();
  await start(run, addOne, 1);
  const continued = run.call({ type: 'continue' });
  await run.letGo();
  expect(await continued).toMatchObject({ status: 'success', output: 2 });
});

test('a thread is not let go while it answers, and the thread of a cancelled run is ended', async () => {
  const { run, events } = newRun();
  await start(run, endless, 1);
  const running = run.call({ type: 'continue' }).catch((error: unknown) => error);
  await expect.poll(() => events.some(({ type }) => type === 'node_enter')).toBe(true);
  await run.letGo();
  expect(threads.idle).toBe(0);
  await run.stop();
  await running;
  await run.letGo();
  expect(threads.idle).toBe(0);
});
