import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { ModelRequest, ModelResponse } from '#main/engine/ports/model-client.ts';
import { RunReader } from '#main/journal/run-reader.ts';
import { makeFork, planFork } from '#main/time-travel/fork.ts';
import { forkAt } from '#main/time-travel/testing.ts';
import { defaultSettings } from '#main/workspace/settings.ts';
import { RunExecutor } from './run-executor.ts';
import { conversation, detailOf } from './run-views.ts';
import { documentOf, TestWorkspace } from './testing.ts';

let space: TestWorkspace;
beforeEach(() => {
  space = new TestWorkspace();
});
afterEach(() => space.remove());

const agent = { kind: 'agent', from: 'A', to: 'Z', agent: { model: 'script://talk.json', prompt: 'Well?', tools: ['list_files'] } };
const cutTurn = { text: 'Let me', error: { code: 'INFERENCE_ENGINE_ERROR' } };
const cut = { role: 'assistant', content: [{ type: 'text', text: 'Let me' }], incomplete: true };
const rolesOf = (runId: string, seq?: number) =>
  conversation(space.journal, runId, 'A', seq).map(({ role, incomplete }) => (incomplete ? 'cut' : role));

it('keeps what was cut off in the conversation, beyond the process, and a try later ends as if nothing had been', async () => {
  space.write('talk.json', { turns: [cutTurn] });
  const executor = await space.start(documentOf('A', 'Z', [agent]), {});
  const { runId } = executor;
  expect(await executor.continue()).toMatchObject({ status: 'error' });
  expect(conversation(space.journal, runId, 'A')).toEqual([cut]);
  expect(detailOf(space.journal, runId, 0).conversations).toEqual([{ node: 'A', since: 0 }]);
  executor.close();

  space.write('talk.json', { turns: [{ tool_calls: [{ tool: 'list_files', input: {} }] }, cutTurn] });
  const second = RunExecutor.open(await space.options(), runId);
  expect(await second.continue()).toMatchObject({ status: 'error' });
  expect(rolesOf(runId)).toEqual(['cut', 'user', 'assistant', 'tool', 'cut']);
  expect(rolesOf(runId, 1)).toEqual(['cut', 'user', 'assistant']);

  const folder = { folder: space.folder, trusted: false, settings: defaultSettings };
  const forked = makeFork(space.journal, await planFork(space.journal, forkAt(runId, 2), folder), randomUUID(), 1);
  space.write('talk.json', { turns: [{ text: 'passed over' }, { expect: { contains: 'talk.json' }, output: 'done' }] });
  for (const id of [runId, forked]) {
    const last = RunExecutor.open(await space.options(), id);
    expect(await last.continue()).toMatchObject({ status: 'success', output: 'done' });
    expect(rolesOf(id)).toEqual(['cut', 'user', 'assistant', 'tool', 'cut', 'assistant', 'tool']);
    last.close();
  }
  second.close();
});

it('stores the partial model response of a cancelled run', async () => {
  const options = await space.options();
  const begun = Promise.withResolvers<void>();
  const models = () => ({
    complete: ({ onDelta, signal }: ModelRequest) =>
      new Promise<ModelResponse>((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason));
        onDelta?.({ type: 'text', text: 'Let me' });
        begun.resolve();
      }),
  });
  const { runId } = await space.start(documentOf('A', 'Z', [agent]), {});
  const executor = RunExecutor.open({ ...options, context: { ...options.context, models } }, runId);
  const ended = executor.continue();
  await begun.promise;
  expect(await executor.cancel()).toMatchObject({ status: 'cancelled' });
  expect(await ended).toMatchObject({ status: 'cancelled', error: { variant: 'Cancelled', details: { run_id: runId } } });
  expect(new RunReader(space.journal, space.journal.row(runId)).history()).toEqual({ A: [cut] });
  executor.close();
});
