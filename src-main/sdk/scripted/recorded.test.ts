import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { TestWorkspace } from '#main/engine/testing/workspace.ts';
import { defineFlow } from '#main/sdk/builder/define-flow.ts';
import { state } from '#main/sdk/builder/state.ts';
import { createContext } from '#main/sdk/create-context.ts';
import { openJournal } from '#main/sdk/open-journal.ts';
import { expectReplays, recordedModel, recordModel, scriptedModel, testCapsule, testRun } from '#main/sdk/testing.ts';

const Ticket = state('Ticket', z.object({ mail: z.string() }));
const Draft = state('Draft', z.object({ text: z.string() }));
const Reply = state('Reply', z.object({ text: z.string() }));
const answering = (ending: string) =>
  defineFlow({ name: 'Answers', input: Ticket, output: Reply })
    .agent(Ticket, Draft, { model: 'openai://m', prompt: 'Answer {mail}.' })
    .work(Draft, Reply, ({ text }) => ({ text: text + ending }), { pure: true })
    .build();
const flow = answering('');
const input = { mail: 'ada@example.org' };

test('a recorded model answers as the model that was recorded, and refuses other requests', async () => {
  using space = new TestWorkspace();
  const file = join(space.folder, 'calls.jsonl');
  const model = scriptedModel([{ text: ['{ "text": ', '"Hello" }'], usage: { tokens_in: 7, tokens_out: 3 } }]);
  const recording = await testRun(flow, input, { context: await createContext({ models: () => recordModel(model, file) }) });
  const context = await createContext({ models: () => recordedModel(file) });
  const replayed = await testRun(flow, input, { context });
  const said = ({ events }: typeof replayed) => events.flatMap((event) => (event.type === 'message' ? [event.content] : []));
  expect([replayed.output, replayed.run.usage.tokens, said(replayed)]).toEqual([recording.output, 10, said(recording)]);
  await expect(testRun(flow, { mail: 'bob@example.org' }, { context })).rejects.toMatchObject({
    code: 'INFERENCE_SCRIPT_FAILED',
    message: expect.stringContaining('Answer bob@example.org.'),
  });
  writeFileSync(file, '{}\n');
  expect(() => recordedModel(file)).toThrow(`Line 1 of ${file} is not a recorded model call.`);
});

test('a recorded model fails as the model that was recorded', async () => {
  using space = new TestWorkspace();
  const file = join(space.folder, 'calls.jsonl');
  const model = scriptedModel(() => ({ error: 'the model is not there' }));
  const options = { models: () => recordModel(model, file) };
  await expect(testRun(flow, input, { context: await createContext(options) })).rejects.toThrow('the model is not there');
  const context = await createContext({ models: () => recordedModel(file) });
  await expect(testRun(flow, input, { context })).rejects.toThrow('the model is not there');
});

test('a run of a journal replays, and a changed flow diverges from its capsule', async () => {
  using space = new TestWorkspace();
  const journal = await openJournal(join(space.folder, 'runs.db'));
  const model = scriptedModel([{ output: { text: 'Hello' } }]);
  const run = journal.start(flow, input, await createContext({ models: () => model }));
  await run.toEnd();
  expect(await expectReplays(run)).toMatchObject({ divergence: null, effects: 1 });
  expect(model.requests).toHaveLength(1);
  const file = join(space.folder, 'hello.capsule.json');
  writeFileSync(file, await journal.exportRun(run.run_id));
  journal.close();
  expect(await testCapsule(file, { flow })).toMatchObject({ divergence: null });
  await expect(testCapsule(file, { flow: answering('!') })).rejects.toThrow('/Reply/text: expected "Hello", found "Hello!".');
});

test('a run in memory has no records to replay', async () => {
  const { run } = await testRun(flow, input, { context: await createContext({ models: () => scriptedModel([{ output: { text: '' } }]) }) });
  await expect(expectReplays(run)).rejects.toThrow('Start it with journal.start.');
});

test('a scripted model has turns for each replica of an agent, and answers after its delay unless it is cancelled', async () => {
  const voting = defineFlow({ input: Ticket, output: Draft })
    .agent(Ticket, Draft, {
      model: 'openai://m',
      prompt: 'Answer {mail}.',
      mode: 'redundant',
      redundant: { replicas: 3 },
    })
    .build();
  const same = { output: { text: 'same' }, delay: 1 };
  const model = scriptedModel((request) => ({ ...same, usage: { tokens_in: request.turn } }));
  await testRun(voting, input, { context: await createContext({ models: () => model }) });
  const nodes = [...new Set(model.requests.map(({ node }) => node ?? ''))].sort();
  expect(nodes).toEqual(['Ticket::replica_1', 'Ticket::replica_2', 'Ticket::replica_3']);
  const byNode = scriptedModel(
    Object.fromEntries(nodes.map((node, index) => [node, [index === 0 ? { output: { text: 'other' } } : same]])),
  );
  const { output } = await testRun(voting, input, { context: await createContext({ models: () => byNode }) });
  expect(output).toEqual({ text: 'same' });
  const slow = scriptedModel([{ text: 'late', delay: 60_000 }]);
  const request = { messages: [], tools: [], params: {}, turn: 0, signal: AbortSignal.abort(new Error('enough')) };
  await expect(slow.complete(request)).rejects.toThrow('enough');
});
