import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { Asked, chat, oneAgent } from '#main/agents/testing/asked-model.ts';
import { FlowRuntime } from '#main/engine/flow-runtime.ts';
import type { ModelClient, ModelRequest } from '#main/engine/ports/model-client.ts';
import { failureFrom, goOn } from '#main/engine/testing/run-to-end.ts';
import { messageText } from '#main/models/message-text.ts';
import { createContext } from '#main/sdk/create-context.ts';
import { openJournal } from '#main/sdk/open-journal.ts';
import type { AgentSettings } from '#shared/flow/document.ts';
import type { TypedFlowGraph } from '#shared/flow/graph.ts';
import type { Json } from '#shared/json.ts';
import type { RunEvent } from '#shared/run/event.ts';

/** A model whose provider counts ten tokens a word, which no estimate would guess. */
function counting() {
  const events: RunEvent[] = [];
  const counts: ModelRequest[] = [];
  const asked = new Asked(['one', 'two', 'three', 'four'], { onEvent: (event) => events.push(event) });
  const words = ({ messages }: ModelRequest) => messages.map(messageText).join(' ').split(/\s+/).length;
  const client: ModelClient = {
    complete: async (request) => (await asked.context.models('test://model')).complete(request),
    countTokens: async (request) => {
      counts.push(request);
      return 10 * words(request);
    },
  };
  return { asked, counts, events, client, context: { ...asked.context, models: () => client } };
}

const counted = (tokens: number, more: Partial<AgentSettings> = {}) => oneAgent(chat({ context: { tokens, count: 'provider' }, ...more }));

it('leaves out of a request what the provider counts as too much', async () => {
  const { asked, counts, events, context } = counting();
  const say = (text: string) => goOn(FlowRuntime.new(counted(80), { id: 1, text }), context);
  await say('first question here');
  await say('second question here');
  await say('third question here');
  expect(asked.said(1)).toEqual(['user: first question here', 'assistant: one', 'user: second question here']);
  // Eleven words are 110 tokens: the first exchange does not fit.
  expect(asked.said(2)).not.toContain('user: first question here');
  expect(asked.said(2).at(-1)).toBe('user: third question here');
  expect(counts).toHaveLength(3);
  const estimated = events.flatMap((event) => (event.type === 'inference_start' ? [event.tokens_estimated] : []));
  expect(estimated.slice(0, 2)).toEqual([30, 70]);
});

it('fails before anything is asked where the provider cannot count', async () => {
  const asked = new Asked(['one']);
  expect(await failureFrom(goOn(FlowRuntime.new(counted(60), { id: 1, text: 'Hi' }), asked.context))).toMatchObject({
    code: 'CONFIG_COUNT_UNSUPPORTED',
    category: 'configuration',
    retryable: false,
  });
  expect(asked.requests).toEqual([]);
});

it('counts nothing again when a run is replayed', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'pravah-count-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const journal = await openJournal(join(folder, 'runs.db'));
  onTestFinished(() => journal.close());
  const { counts, client } = counting();
  const graph = counted(80, { context: { tokens: 80, count: 'provider', summarise: { at: 1 } } }) as TypedFlowGraph<Json, Json>;
  const run = journal.start(graph, { id: 1, text: 'first question' });
  await run.toEnd(await createContext({ models: () => client }));
  run.close();
  // Before the turn, whether it needs a summary, and for the turn itself.
  expect(counts).toHaveLength(2);
  expect(await journal.replay(graph, run.run_id)).toMatchObject({ divergence: null });
  expect(counts).toHaveLength(2);
});
