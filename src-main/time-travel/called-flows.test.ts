import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { capsuleText } from '#main/capsule/capsule-text.ts';
import { makeCapsule } from '#main/capsule/make-capsule.ts';
import { openCapsule } from '#main/capsule/open-capsule.ts';
import { RunReader } from '#main/journal/run-reader.ts';
import { RunExecutor } from '#main/runner/run-executor.ts';
import { framesAt } from '#main/runner/run-frames.ts';
import { detailOf, stateAt, timelineOf } from '#main/runner/run-views.ts';
import { documentOf, TestWorkspace } from '#main/runner/testing.ts';
import { defaultSettings } from '#main/workspace/settings.ts';
import type { Json } from '#shared/json.ts';
import { placeText } from '#shared/run/stop.ts';
import { compareRuns } from './compare.ts';
import { makeFork, planFork } from './fork.ts';
import { replayRun } from './replay.ts';
import { forkAt } from './testing.ts';

let space: TestWorkspace;
afterEach(() => space.remove());
beforeEach(() => {
  space = new TestWorkspace();
  space.write('turns.json', {
    turns: [{ tool_calls: [1, 2].map((n) => ({ tool: 'flow:./look-up.flow.json', input: { n } })) }, { text: 'done' }],
  });
  space.write('look-up.flow.json', lookUp());
});

const append = (data: string): Json => ({ path: 'log.txt', action: 'append', data });

/** Appends two lines, the second one made of its input. */
const lookUp = (second = '{n};'): Json => ({
  ...(documentOf('Query', 'Answer', [
    { kind: 'work', from: 'Query', to: 'Kept', title: 'Keep it', expr: '{ n: n, first: true }' },
    { kind: 'work', from: 'Kept', to: 'Found', title: 'Find it', tool: 'storage', with: append(second), into: 'file' },
    { kind: 'work', from: 'Found', to: 'Answer', tool: 'storage', with: append('end;') },
  ]) as object),
  name: 'Look up',
});

const asking = (): Json =>
  documentOf('A', 'Z', [
    { kind: 'work', from: 'A', to: 'B', tool: 'storage', with: append('start;'), into: 'file' },
    {
      kind: 'agent',
      from: 'B',
      to: 'Z',
      title: 'Ask',
      agent: { mode: 'chat', model: 'script://turns.json', tools: ['flow:./look-up.flow.json'] },
    },
  ]);

const log = () => readFileSync(join(space.folder, 'log.txt'), 'utf8');
const options = () => ({ folder: space.folder, trusted: false, settings: defaultSettings });

async function whole(): Promise<string> {
  const executor = await space.start(asking(), { n: 0 });
  expect(await executor.continue()).toMatchObject({ status: 'success' });
  executor.close();
  return executor.runId;
}

async function forkAndDrive(runId: string, seq: number, more: Parameters<typeof forkAt>[2] = {}): Promise<string> {
  const made = makeFork(space.journal, await planFork(space.journal, forkAt(runId, seq, more), options()), randomUUID(), 1);
  const executor = RunExecutor.open({ ...(await space.options()), token: randomUUID() }, made);
  expect(await executor.continue()).toMatchObject({ status: 'success' });
  executor.close();
  return made;
}

test('a run with called flows replays, and opens from its capsule record by record', async () => {
  const runId = await whole();
  const { last_seq } = space.journal.row(runId);
  expect(last_seq).toBe(11);
  expect(await replayRun(space.journal, runId, 'recorded', options())).toMatchObject({ divergence: null, steps: last_seq });
  const opened = await openCapsule(capsuleText(makeCapsule(space.journal, runId, { places: [], texts: [] }, new Map())), 'run.capsule');
  const timelines = [space.journal, opened.journal].map(
    (journal, at) => timelineOf(journal, at === 0 ? runId : opened.runId, 1, 99).entries,
  );
  expect(timelines[1]).toEqual(timelines[0]);
  expect(await replayRun(opened.journal, opened.runId, 'recorded', options())).toMatchObject({ divergence: null, steps: last_seq });
  opened.journal.close();
});

test('a fork inside the second of two calls repeats neither the first call nor anything before it', async () => {
  const runId = await whole();
  expect(log()).toBe('start;1;end;2;end;');
  // Record 8 is the first one of the second call.
  expect(placeText(framesAt(space.journal, runId, 7))).toBe('Ask › look-up › Keep it');
  const fork = await forkAndDrive(runId, 7);
  expect(log()).toBe('start;1;end;2;end;2;end;');
  const comparison = compareRuns({ journal: space.journal, runId }, { journal: space.journal, runId: fork });
  expect(comparison).toMatchObject({ shared: { seq: 7, other_seq: 0 }, differing: 0, total: 5 });
});

describe('a fork with another version of the called flow', () => {
  test('continues in the middle of the call, with what is ahead of it changed', async () => {
    const runId = await whole();
    space.write('test.flow.json', asking());
    space.write('look-up.flow.json', lookUp('edited {n};'));
    await forkAndDrive(runId, 7, { flow: 'current' });
    expect(log()).toBe('start;1;end;2;end;edited 2;end;');
  });

  test('begins the call again where its flow is gone from the agent, and says so', async () => {
    const runId = await whole();
    space.write('test.flow.json', JSON.stringify(asking()).replaceAll('look-up', 'other'));
    space.write('other.flow.json', lookUp());
    const { check } = await planFork(space.journal, forkAt(runId, 7, { flow: 'current' }), options());
    expect(check.misfits).toEqual([]);
    expect(check.notes).toContain('B was in a call of flow:./look-up.flow.json, which the flow no longer has: the call starts again.');
  });
});

test('a run of engine 1 continues, forks and replays with its calls within one step', async () => {
  const executor = await space.start(asking(), { n: 0 });
  space.journal.database.prepare('UPDATE runs SET engine = 1 WHERE run_id = ?').run(executor.runId);
  const reopened = RunExecutor.open({ ...(await space.options()), token: randomUUID() }, executor.runId);
  expect(await reopened.continue()).toMatchObject({ status: 'success' });
  expect(space.journal.row(executor.runId).last_seq).toBe(4);
  expect(await replayRun(space.journal, executor.runId, 'recorded', options())).toMatchObject({ divergence: null, steps: 4 });
  const fork = await forkAndDrive(executor.runId, 2);
  expect(space.journal.row(fork)).toMatchObject({ engine: 1, last_seq: 2 });
});

test('the state at a record inside a call shows the states that wait in it', async () => {
  const runId = await whole();
  const frame = /^B::flow:\.\/look-up\.flow\.json\[call_1_1_0\]$/;
  expect(stateAt(space.journal, runId, 4).items).toMatchObject([
    {
      node: expect.stringMatching(frame),
      call: { tool: 'flow:./look-up.flow.json' },
      states: [{ name: 'Kept' }],
      next: expect.stringMatching(/::Kept$/),
    },
    { index: 0, states: [{ name: 'Query', value: { n: 2 } }] },
  ]);
  const detail = detailOf(space.journal, runId, 0);
  expect(detail.titles['B::flow:./look-up.flow.json[]::Kept']).toBe('Find it');
  expect(detail.timeline.entries.map(({ note }) => note)).toEqual([
    '',
    '2 calls',
    'calls flows',
    'Query → Kept',
    'Kept → Found',
    'Found → Answer',
    'Query → Kept',
    'Kept → Found',
    'Found → Answer',
    'results',
    'text',
  ]);
  // The agent's own figures contain those of the flows that it calls.
  const { B } = new RunReader(space.journal, space.journal.row(runId)).nodeStats(11);
  expect(B).toMatchObject({ count: 1, turns: 2 });
});
