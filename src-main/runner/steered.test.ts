import { afterEach, beforeEach, expect, test } from 'vitest';
import { replayRun } from '#main/time-travel/replay.ts';
import { defaultSettings } from '#main/workspace/settings.ts';
import { RunExecutor } from './run-executor.ts';
import { documentOf, TestWorkspace } from './testing.ts';

let space: TestWorkspace;
beforeEach(() => {
  space = new TestWorkspace();
  space.write('notes.txt', 'known');
  const reads = { tool_calls: [{ tool: 'read_file', input: { path: 'notes.txt' } }] };
  space.write('script.json', { turns: [reads, reads, { output: { answer: 1 } }] });
});
afterEach(() => space.remove());

test('a steered run is recorded with its decisions, and replays without asking', async () => {
  const control = {
    run: "(loop) => loop.point === 'before_tools' && loop.calls.read_file === 1 ? { do: 'redirect', guidance: 'Enough.', state: 1 } : 'continue'",
  };
  const agent = { model: 'script://script.json', tools: ['read_file'], control };
  const run = await space.start(documentOf('A', 'Z', [{ kind: 'agent', from: 'A', to: 'Z', agent }]), {});
  run.close();
  const executor = RunExecutor.open(await space.options(), run.runId);
  expect(await executor.continue()).toMatchObject({ status: 'success' });
  executor.close();
  const loading = { folder: space.folder, trusted: false, settings: defaultSettings };
  expect(await replayRun(space.journal, run.runId, 'recorded', loading)).toMatchObject({ divergence: null });
  const names = space.journal.database.prepare("SELECT count(*) AS n FROM effects WHERE key LIKE 'control %'").get();
  // Before three model calls; before and after the calls of two turns.
  expect(names).toEqual({ n: 7 });
});
