import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import type { ModelRequest } from '#main/engine/ports/model-client.ts';
import { messageText } from '#main/models/message-text.ts';
import { defineFlow } from '#main/sdk/builder/define-flow.ts';
import type { SummaryFunction } from '#main/sdk/builder/flow-tool.ts';
import { state } from '#main/sdk/builder/state.ts';
import type { SummaryRequest } from '#shared/run/summary-request.ts';
import { createChat } from './create-chat.ts';
import { createContext } from './create-context.ts';
import { openJournal } from './open-journal.ts';

/** A model that answers with the number of its call, and what each request said. */
function counting() {
  const said: string[][] = [];
  const complete = async ({ messages }: ModelRequest) => {
    said.push(messages.map((message) => messageText(message)));
    return {
      message: { role: 'assistant' as const, content: [{ type: 'text' as const, text: `answer ${said.length}` }] },
      finish_reason: 'stop' as const,
      usage: { tokens_in: 1, tokens_out: 1 },
    };
  };
  return { said, models: () => ({ complete }) };
}
const model = 'openai://m';
const summarise = (run: SummaryFunction) => ({ last: 4, summarise: { at: 0.5, keep: 2, run } });

test('a function summarises a chat in place of a model, from whole exchanges and the summary before', async () => {
  const { said, models } = counting();
  const asked: SummaryRequest[] = [];
  const history = summarise((request) => {
    asked.push(request);
    return { summary: `S${asked.length}` };
  });
  const chat = await createChat({ model, history, context: await createContext({ models }) });
  for (const text of ['first', 'second', 'third']) expect(await chat.send(text)).toMatchObject({ error: null });
  expect(asked).toEqual([
    {
      entries: [
        { position: 1, role: 'user', text: 'first', ends: false },
        { position: 2, role: 'assistant', text: 'answer 1', ends: true },
      ],
      summary: null,
    },
  ]);
  expect(said).toHaveLength(3);
  expect(said[2]).toEqual([expect.stringContaining('S1'), 'second', 'answer 2', 'third']);
  await chat.send('fourth');
  expect(asked[1]).toMatchObject({ summary: 'S1', entries: [{ text: 'second' }, { text: 'answer 2' }] });
});

test.each([
  ['a position within an exchange', () => ({ summary: 'S', upTo: 1 }), 'returns upTo 1; exchanges end at 2'],
  ['no text', () => ({ summary: 1 }), 'has to return { summary, upTo }'],
  ['an error', () => Promise.reject(new RangeError('no paper left')), 'no paper left'],
])('a function that gives %s fails the step and changes no conversation', async (_what, run, message) => {
  const { models } = counting();
  const chat = await createChat({ model, history: summarise(run as SummaryFunction), context: await createContext({ models }) });
  for (const text of ['first', 'second']) await chat.send(text);
  expect((await chat.send('third')).error).toMatchObject({ variant: 'HandlerError', message: expect.stringContaining(message) });
  expect((await chat.messages()).filter(({ entry }) => entry.kind === 'summary')).toEqual([]);
});

test('a replay of a run with a summary calls neither the function nor a model', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'pravah-summary-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const { said, models } = counting();
  let calls = 0;
  const Question = state('Question', z.object({ text: z.string() }));
  const Answer = state('Answer', z.object({ text: z.string() }));
  const flow = defineFlow({ input: Question, output: Answer })
    .agent(Question, Answer, {
      model,
      mode: 'chat',
      prompt: '{text}',
      conversation: { key: 'one', scope: 'workspace' },
      context: summarise(async () => {
        calls += 1;
        return { summary: 'S' };
      }),
    })
    .build();
  const journal = await openJournal(join(folder, 'runs.db'));
  onTestFinished(() => journal.close());
  const ctx = await createContext({ models });
  let last = '';
  for (const text of ['first', 'second', 'third']) {
    const run = journal.start(flow, { text }, ctx);
    await run.toEnd();
    last = run.run_id;
  }
  expect([calls, said.length]).toEqual([1, 3]);
  expect(await journal.replay(flow, last)).toMatchObject({ divergence: null });
  expect([calls, said.length]).toEqual([1, 3]);
});
