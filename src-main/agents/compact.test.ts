import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type Answer, Asked, agent, chat, oneAgent } from '#main/agents/testing/asked-model.ts';
import { FlowRuntime } from '#main/engine/flow-runtime.ts';
import { flowOf } from '#main/engine/testing/flows.ts';
import { failureFrom, goOn } from '#main/engine/testing/run-to-end.ts';
import type { AgentSettings } from '#shared/flow/document.ts';
import type { RunEvent } from '#shared/run/event.ts';
import type { ConversationEntry, Message, MessagePart } from '#shared/run/message.ts';
import { contextWindow } from './context-window.ts';

const summarise = { at: 0.5, keep: 2, prompt: 'Shorten.' };

async function talk(asked: Asked, settings: AgentSettings, ...texts: string[]): Promise<void> {
  for (const text of texts) await goOn(FlowRuntime.new(oneAgent(settings), { id: 1, text }), asked.context);
}

async function kept(asked: Asked): Promise<readonly ConversationEntry[]> {
  return (await asked.context.conversations?.load('@workspace/customer/1'))?.entries ?? [];
}

it('summarises the older exchanges in a step of its own before a request that would be too long, and keeps the originals', async () => {
  const events: RunEvent[] = [];
  const asked = new Asked(['one', 'two', 'They said hello twice.', 'three', 'four'], { onEvent: (event) => events.push(event) });
  const settings = chat({ context: { last: 8, summarise } });
  await talk(asked, settings, 'first', 'second');
  const runtime = FlowRuntime.new(oneAgent(settings), { id: 1, text: 'third' });
  expect(await runtime.next(asked.context)).toEqual({ type: 'continue' });
  expect(runtime.snapshot()).toMatchObject({
    control: { agents: { A: { phase: 'reason', turn: 0 } }, counters: { model_calls: 1, tokens: 15 } },
  });
  expect(events.at(-1)).toMatchObject({ type: 'node_exit', phase: 'compact' });
  await goOn(runtime, asked.context);
  expect(asked.said(2)).toEqual(['system: Shorten.', 'user: user: first\n\nassistant: one']);
  expect(asked.requests[2]?.tools).toEqual([]);
  expect(asked.said(3)).toEqual([
    'user: Summary of the conversation so far:\nThey said hello twice.',
    'user: second',
    'assistant: two',
    'user: third',
  ]);
  expect((await kept(asked)).map(({ entry, role }) => [entry.position, entry.kind, role, entry.replaces])).toEqual([
    [1, 'message', 'user', undefined],
    [2, 'message', 'assistant', undefined],
    [3, 'message', 'user', undefined],
    [4, 'message', 'assistant', undefined],
    [5, 'summary', 'assistant', [1, 2]],
    [6, 'message', 'user', undefined],
    [7, 'message', 'assistant', undefined],
  ]);
  expect(runtime.history()['@workspace/customer/1']).toHaveLength(7);
});

it('summarises a summary with what came after it', async () => {
  const asked = new Asked(['one', 'two', 'S1', 'three', 'S2', 'four']);
  await talk(asked, chat({ context: { last: 6, summarise } }), 'first', 'second', 'third', 'fourth');
  expect(asked.said(4)).toEqual(['system: Shorten.', 'user: summary: S1\n\nuser: second\n\nassistant: two']);
  expect(asked.said(5)).toEqual(['user: Summary of the conversation so far:\nS2', 'user: third', 'assistant: three', 'user: fourth']);
});

it('leaves the conversation as it was where the summary fails', async () => {
  const asked = new Asked(['one', 'two', new Error('no summary today')]);
  const settings = chat({ context: { last: 6, summarise } });
  await talk(asked, settings, 'first', 'second');
  const failing = FlowRuntime.new(oneAgent(settings), { id: 1, text: 'third' });
  expect(await failureFrom(goOn(failing, asked.context))).toMatchObject({ message: expect.stringContaining('no summary today') });
  expect(await kept(asked)).toHaveLength(4);
});

it('estimates tokens by what the model reported for the same conversation', async () => {
  const events: RunEvent[] = [];
  const tokens = (request: { messages: readonly Message[] }) => Math.round(JSON.stringify(request.messages).length / 2.5);
  const client = {
    complete: async (request: { messages: readonly Message[] }) => {
      const message: Message = { role: 'assistant', content: [{ type: 'text', text: 'x'.repeat(200) }] };
      return { message, finish_reason: 'stop' as const, usage: { tokens_in: tokens(request), tokens_out: 80 } };
    },
  };
  const asked = new Asked([], { models: () => client, onEvent: (event) => events.push(event) });
  const settings = chat({ context: { tokens: 100_000, count: 'estimate' } });
  await talk(asked, settings, ...Array.from({ length: 6 }, () => 'word '.repeat(60)));
  const estimates = events.flatMap((event) => (event.type === 'inference_start' ? [event.tokens_estimated ?? 0] : []));
  const counts = events.flatMap((event) => (event.type === 'inference_end' ? [event.tokens_in] : []));
  expect(estimates).toHaveLength(6);
  for (const turn of [1, 2, 3, 4, 5]) expect(Math.abs((estimates[turn] ?? 0) / (counts[turn] ?? 1) - 1)).toBeLessThan(0.1);
});

it('keeps a chat of 200 turns within its limit', async () => {
  const answers: Answer[] = Array.from({ length: 500 }, () => 'y'.repeat(400));
  const asked = new Asked(answers);
  const settings = chat({ context: { tokens: 2000, summarise: { at: 0.8, keep: 4 } } });
  await talk(asked, settings, ...Array.from({ length: 200 }, (_, turn) => `${turn} ${'z'.repeat(400)}`));
  const sizes = asked.requests.map(({ messages }) =>
    messages.reduce((sum, message) => sum + JSON.stringify(message.content).length / 4, 0),
  );
  expect(asked.requests.length).toBeGreaterThan(200);
  const talks = sizes.filter((_, index) => asked.requests[index]?.messages[0]?.role !== 'system');
  expect(Math.max(...talks)).toBeLessThan(2300);
});

it('goes on after each of two summaries in a restored run', async () => {
  const asked = new Asked(['one', 'two', 'S1', 'three', 'S2', 'four']);
  const settings = chat({ context: { last: 6, summarise }, conversation: { scope: 'run', key: 'k' } });
  const pass = (from: string, to: string) => agent(from, to, { ...settings, prompt: from });
  const graph = flowOf([pass('A', 'B'), pass('B', 'C'), pass('C', 'D'), pass('D', 'Z')]);
  let runtime = FlowRuntime.new(graph, { id: 1 });
  for (let outcome = await runtime.next(asked.context); outcome.type === 'continue'; outcome = await runtime.next(asked.context)) {
    const [snapshot, history] = [runtime.snapshot(), runtime.history()].map((part) => JSON.parse(JSON.stringify(part))) as never[];
    runtime = FlowRuntime.fromSnapshot(graph, snapshot as never).withHistory(history as never);
  }
  expect(asked.said(5)).toEqual(['user: Summary of the conversation so far:\nS2', 'user: C', 'assistant: three', 'user: D']);
});

const part = fc.oneof(
  fc.record({ type: fc.constant('text' as const), text: fc.string({ maxLength: 40 }) }),
  fc.record({ type: fc.constant('tool_call' as const), tool: fc.constantFrom('a', 'b'), input: fc.constant({}) }),
);
/** A visit: a prompt, and turns whose calls have results. */
const visit = fc.array(fc.array(part, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 5 }).map((turns): Message[] => {
  const said: Message[] = [{ role: 'user', content: [{ type: 'text', text: 'prompt' }] }];
  for (const [number, turn] of turns.entries()) {
    const content = turn.map(
      (each, index): MessagePart => (each.type === 'text' ? each : { ...each, tool_call_id: `c${number}_${index}` }),
    );
    said.push({ role: 'assistant', content });
    const results = content.flatMap((each): MessagePart[] =>
      each.type === 'tool_call'
        ? [{ type: 'tool_result', tool_call_id: each.tool_call_id, tool: each.tool, result: 1, is_error: false }]
        : [],
    );
    if (results.length > 0) said.push({ role: 'tool', content: results });
  }
  return said;
});

it('sends a result for every call, whole exchanges, and the prompt of the visit, however little fits', () => {
  fc.assert(
    fc.property(
      fc.array(visit, { maxLength: 6 }),
      visit,
      fc.integer({ min: 1, max: 300 }),
      fc.boolean(),
      (earlier, own, limit, byTokens) => {
        const sent = contextWindow(own, byTokens ? { tokens: limit } : { last: limit }, earlier);
        const ids = (type: 'tool_call' | 'tool_result') =>
          sent.flatMap(({ content }) => content.flatMap((each) => (each.type === type ? [each] : []))).length;
        expect(ids('tool_call')).toBe(ids('tool_result'));
        expect(sent).toContain(own[0]);
        const shown = earlier.filter((exchange) => exchange.some((message) => sent.includes(message)));
        expect(shown).toEqual(earlier.slice(earlier.length - shown.length));
        expect(shown.every((exchange) => exchange.every((message) => sent.includes(message)))).toBe(true);
      },
    ),
  );
});
