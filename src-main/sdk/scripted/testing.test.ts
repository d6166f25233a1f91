import { expect, test } from 'vitest';
import { z } from 'zod';
import { defineFlow } from '#main/sdk/builder/define-flow.ts';
import { defineTool } from '#main/sdk/builder/define-tool.ts';
import { state } from '#main/sdk/builder/state.ts';
import { createContext } from '#main/sdk/create-context.ts';
import { expectSound, fakeClock, restartEverywhere, scriptedModel, testRun } from '#main/sdk/testing.ts';

const Ticket = state('Ticket', z.object({ mail: z.string() }));
const Draft = state('Draft', z.object({ text: z.string() }));
const Reply = state('Reply', z.object({ sent: z.boolean() }));
const customers = defineTool({
  name: 'customers',
  description: 'The customer who has a mail address.',
  effect: 'read',
  input: z.object({ mail: z.string() }),
  call: ({ mail }) => mail.split('@')[0] ?? '',
});
const flow = defineFlow({ input: Ticket, output: Reply, tools: [customers] })
  .agent(Ticket, Draft, { model: 'openai://m', prompt: 'Answer {mail}.', tools: ['customers'] })
  .suspend(Draft, Reply)
  .build();
const turns = [
  { tool: 'customers', input: { mail: 'ada@example.org' } },
  { expect: /ada/, output: { text: 'Hello ada' }, usage: { tokens_in: 7, tokens_out: 3 } },
];
const contextOf = (model = scriptedModel(turns)) =>
  createContext({ models: () => model, clock: fakeClock('2026-01-01T00:00:00Z'), tools: [customers] });
const input = { mail: 'ada@example.org' };

test('a run with a scripted model gets its answers from a table', async () => {
  const model = scriptedModel(turns);
  const { output, events, run } = await testRun(flow, input, { context: await contextOf(model), answers: { Draft: { sent: true } } });
  expect(output).toEqual({ sent: true });
  expect(model.requests.map(({ messages }) => messages.length)).toEqual([1, 3]);
  expect(events.every(({ timestamp }) => timestamp === Date.UTC(2026, 0, 1))).toBe(true);
  expect(run.usage.tokens).toBe(10);
});

test('a question that the table does not answer fails with its id and value', async () => {
  await expect(testRun(flow, input, { context: await contextOf() })).rejects.toThrow('No answer to Draft');
});

test('a scripted model fails loudly if it runs out of turns, or an expectation does not match', async () => {
  const short = testRun(flow, input, { context: await contextOf(scriptedModel(turns.slice(0, 1))) });
  await expect(short).rejects.toMatchObject({
    code: 'INFERENCE_SCRIPT_FAILED',
    message: expect.stringContaining('it has 1 turn, and call 2'),
  });
  const other = testRun(flow, input, { context: await contextOf(scriptedModel([{ expect: 'bob', text: 'x' }])) });
  await expect(other).rejects.toThrow('does not match bob: "Answer ada@example.org."');
});

test('a scripted model has turns by node, streams chunks and may be a function', async () => {
  const context = await contextOf(scriptedModel({ Ticket: [{ output: { text: 'x' } }] }));
  expect((await testRun(flow, input, { context, answers: { Draft: { sent: false } } })).output).toEqual({ sent: false });
  const chunks: string[] = [];
  const request = { messages: [], tools: [], params: {}, turn: 0, signal: new AbortController().signal };
  const model = scriptedModel(({ turn }) => ({ text: ['a', String(turn)] }));
  await model.complete({ ...request, onDelta: ({ text }) => chunks.push(text) });
  expect(chunks).toEqual(['a', '0']);
});

test('a run that is restored before every transition is the same', async () => {
  const { transitions, output } = await restartEverywhere(flow, input, { context: () => contextOf(), answers: { Draft: { sent: true } } });
  expect([transitions, output]).toEqual([expect.any(Number), { sent: true }]);
  expect(transitions).toBeGreaterThan(3);
});

test('a handler that depends on its process is found by restoring', async () => {
  let calls = 0;
  const impure = defineFlow({ input: Ticket, output: Draft })
    .work(Ticket, Draft, () => ({ text: `${++calls}` }))
    .build();
  await expect(restartEverywhere(impure, input, { context: () => contextOf() })).rejects.toThrow('differs after transition 1');
});

test('an unsound flow is reported with its proof', () => {
  expect(() => expectSound(flow)).not.toThrow();
  const [L, R, Both] = ['L', 'R', 'Both'].map((name) => state(name, z.unknown()));
  if (!L || !R || !Both) throw new Error('no states');
  const stuck = defineFlow({ input: Ticket, output: Both })
    .either(Ticket, [L, R as never], (() => ({})) as never)
    .join([L, R as never], Both, (() => 1) as never)
    .build();
  expect(() => expectSound(stuck)).toThrow('is not proved sound');
});

test('a clock moves only when it is advanced', () => {
  const clock = fakeClock(0);
  clock.advance(1500);
  expect([clock.now(), () => fakeClock('never')]).toEqual([1500, expect.any(Function)]);
  expect(() => fakeClock('never')).toThrow('Invalid date: never.');
});
