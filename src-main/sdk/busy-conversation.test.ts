import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { ModelClient } from '#main/engine/ports/model-client.ts';
import { flowOf } from '#main/engine/testing/flows.ts';
import { messageText } from '#main/models/message-text.ts';
import type { TypedFlowGraph } from '#shared/flow/graph.ts';
import type { Json } from '#shared/json.ts';
import { createContext } from './create-context.ts';
import { openJournal } from './open-journal.ts';

/** Runs of one flow whose agent waits for the conversation, and the order in which their model was asked. */
async function talking(wait_seconds: number) {
  const folder = mkdtempSync(join(tmpdir(), 'pravah-busy-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const journal = await openJournal(join(folder, 'runs.db'));
  onTestFinished(() => journal.close());
  const asked: string[] = [];
  const answers = new Map<string, () => void>();
  const client: ModelClient = {
    complete: async ({ messages }) => {
      const [prompt] = messages.slice(-1);
      const text = prompt ? messageText(prompt) : '';
      asked.push(text);
      if (text.startsWith('slow')) await new Promise<void>((resolve) => answers.set(text, resolve));
      return {
        message: { role: 'assistant', content: [{ type: 'text', text: 'yes' }] },
        finish_reason: 'stop',
        usage: { tokens_in: 1, tokens_out: 1 },
      };
    },
  };
  const context = await createContext({ models: () => client });
  const conversation = { scope: 'workspace', key: 'k', busy: 'wait', wait_seconds } as const;
  const agent = { model: 'test://m', mode: 'chat', prompt: '{text}', conversation } as const;
  const flow = flowOf([{ kind: 'agent', from: ['A'], to: ['Z'], body: { type: 'agent', agent } }]) as TypedFlowGraph<Json, Json>;
  const say = async (text: string) => {
    const run = journal.start(flow, { text });
    try {
      return await run.toEnd(context);
    } finally {
      run.close();
    }
  };
  const wasAsked = async (text: string) => {
    while (!asked.includes(text)) await new Promise((resolve) => setTimeout(resolve, 5));
  };
  return { say, asked, wasAsked, answer: (text: string) => answers.get(text)?.() };
}

test('a run that waits for a conversation gets it before runs that come later, even from a process that talks without pause', async () => {
  const { say, asked, wasAsked, answer } = await talking(60);
  const holder = say('slow one');
  await wasAsked('slow one');
  const waiting = say('waiting');
  await new Promise((resolve) => setTimeout(resolve, 60));
  answer('slow one');
  await holder;
  for (let number = 0; number < 3; number += 1) await say(`later ${number}`);
  await waiting;
  expect(asked).toEqual(['slow one', 'waiting', 'later 0', 'later 1', 'later 2']);
});

test('a run that has given up waiting delays no other run', async () => {
  const { say, asked, wasAsked, answer } = await talking(0.2);
  const holder = say('slow one');
  await wasAsked('slow one');
  await expect(say('impatient')).rejects.toMatchObject({ options: { code: 'ORCHESTRATION_CONVERSATION_BUSY' } });
  answer('slow one');
  await holder;
  await say('later');
  expect(asked).toEqual(['slow one', 'later']);
});
