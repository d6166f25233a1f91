import { expect, it } from 'vitest';
import { Asked, agent, chat, oneAgent } from '#main/agents/testing/asked-model.ts';
import { FlowRuntime } from '#main/engine/flow-runtime.ts';
import type { ModelRequest, ModelResponse } from '#main/engine/ports/model-client.ts';
import { each, flowOf, suspend, work } from '#main/engine/testing/flows.ts';
import { failureFrom, goOn } from '#main/engine/testing/run-to-end.ts';
import { isFinished } from '#shared/run/kept-conversation.ts';
import type { Message, MessagePart } from '#shared/run/message.ts';

it('sends the next run of a folder what was said under the same key, and another key nothing', async () => {
  const asked = new Asked(['Hello.', 'Again.', 'Who are you?']);
  await goOn(FlowRuntime.new(oneAgent(), { id: 1, text: 'Hi' }), asked.context);
  await goOn(FlowRuntime.new(oneAgent(), { id: 1, text: 'Me again' }), asked.context);
  await goOn(FlowRuntime.new(oneAgent(), { id: 2, text: 'Me' }), asked.context);
  expect(asked.said(1)).toEqual(['user: Hi', 'assistant: Hello.', 'user: Me again']);
  expect(asked.said(2)).toEqual(['user: Me']);
});

it('keeps no preamble and no memory: each agent sends its own', async () => {
  const asked = new Asked(['Hello.', 'Again.']);
  await goOn(FlowRuntime.new(oneAgent(chat({ preamble: 'Be kind.', memory: 'Number {id}.' })), { id: 1, text: 'Hi' }), asked.context);
  await goOn(FlowRuntime.new(oneAgent(chat({ preamble: 'Be brief.' })), { id: 1, text: 'Again' }), asked.context);
  expect(asked.said(0)).toEqual(['system: Be kind.\n\nNumber 1.', 'user: Hi']);
  expect(asked.said(1)).toEqual(['system: Be brief.', 'user: Hi', 'assistant: Hello.', 'user: Again']);
});

it('shares a conversation of the run between nodes, items of a list and flows called as tools, and ends it with the run', async () => {
  const inRun = chat({ conversation: { scope: 'run', key: 'k' } });
  const inner = flowOf([agent('I', 'O', inRun)]);
  const toList = work('B', 'L', { type: 'expr', source: '[{"text": "item"}]' });
  const toCaller = work('M', 'C', { type: 'expr', source: '{"text": "call"}' });
  const caller = agent('C', 'Z', { model: 'test://model', prompt: 'go', tools: ['flow:./inner.flow.yaml'] });
  const graph = flowOf([agent('A', 'B', inRun), toList, each('L', 'M', inner), toCaller, caller], {
    tools: { 'flow:./inner.flow.yaml': inner },
  });
  const call: MessagePart = { type: 'tool_call', tool_call_id: 'c1', tool: 'flow:./inner.flow.yaml', input: { text: 'called' } };
  const submit: MessagePart = { type: 'tool_call', tool_call_id: 'c2', tool: 'submit', input: { output: 1 } };
  const asked = new Asked(['one', 'two', [call], 'three', [submit], 'new']);
  const runtime = FlowRuntime.new(graph, { text: 'first' });
  expect(await goOn(runtime, asked.context)).toMatchObject({ type: 'done' });
  const all = ['user: first', 'assistant: one', 'user: item', 'assistant: two', 'user: called'];
  expect(asked.said(3)).toEqual(all);
  expect(runtime.history()['@run/k']?.map(({ entry }) => entry?.position)).toEqual([1, 2, 3, 4, 5, 6]);
  await goOn(FlowRuntime.new(oneAgent(inRun), { text: 'fresh' }), asked.context);
  expect(asked.said(5)).toEqual(['user: fresh']);
});

it('refuses a flow called as a tool the conversation that its caller holds, and tells the caller', async () => {
  const inRun = chat({ conversation: { scope: 'run', key: 'k', busy: 'wait' } });
  const inner = flowOf([agent('I', 'O', inRun)]);
  const caller = agent('A', 'Z', { ...inRun, tools: ['flow:./inner.flow.yaml'] });
  const call: MessagePart = { type: 'tool_call', tool_call_id: 'c1', tool: 'flow:./inner.flow.yaml', input: { text: 'called' } };
  const asked = new Asked([[call], 'done']);
  const graph = flowOf([caller], { tools: { 'flow:./inner.flow.yaml': inner } });
  expect(await failureFrom(goOn(FlowRuntime.new(graph, { text: 'go' }), asked.context))).toMatchObject({
    code: 'ORCHESTRATION_CONVERSATION_BUSY',
    details: { conversation: '@run/k', node: 'A' },
  });
});

it('refuses a conversation that another run holds, before anything is asked, and waits for it where it may', async () => {
  const asked = new Asked([[{ type: 'tool_call', tool_call_id: 'c', tool: 'none', input: {} }], 'first', 'second', 'third']);
  const holder = FlowRuntime.new(oneAgent(), { id: 1, text: 'Hi' });
  await holder.next(asked.context);
  const busy = await failureFrom(FlowRuntime.new(oneAgent(), { id: 1, text: 'Me' }).next(asked.context));
  expect(busy).toMatchObject({ variant: 'Conflict', code: 'ORCHESTRATION_CONVERSATION_BUSY', retryable: true, details: { node: 'A' } });
  expect(asked.requests).toHaveLength(1);
  const patient = oneAgent(chat({ conversation: { scope: 'workspace', key: 'customer/{id}', busy: 'wait', wait_seconds: 60 } }));
  const waiting = goOn(FlowRuntime.new(patient, { id: 1, text: 'Me' }), asked.context);
  await goOn(holder, asked.context);
  await waiting;
  expect(asked.said(2)).toEqual([
    'user: Hi',
    expect.stringContaining('called none({})'),
    expect.stringContaining('none →'),
    'assistant: first',
    'user: Me',
  ]);
});

it('sends calls of tools that the agent does not have as text, and a submitted answer as its JSON', async () => {
  const submit: MessagePart = { type: 'tool_call', tool_call_id: 's', tool: 'submit', input: { sum: 3 } };
  const asked = new Asked([[submit], 'I said 3.'], { tools: new Map() });
  const structured = chat({ mode: 'structured', tools: ['mcp:none/*'] });
  const graph = flowOf([agent('A', 'Z', { ...structured, tools: ['flow:./x'] })], {
    schemas: { Z: { type: 'object', properties: { sum: { type: 'integer' } }, required: ['sum'] } },
    tools: { 'flow:./x': flowOf([work('I', 'O')]) },
  });
  await goOn(FlowRuntime.new(graph, { id: 1, text: 'Add 1 and 2' }), asked.context);
  await goOn(FlowRuntime.new(oneAgent(), { id: 1, text: 'What did you say?' }), asked.context);
  expect(asked.said(1)).toEqual(['user: Add 1 and 2', 'assistant: {"sum":3}', 'user: What did you say?']);
});

it('gives the parts of a vendor only to the model that made them', async () => {
  const answers = ['one', 'two', 'three'];
  const asked = new Asked(answers);
  const signing = {
    complete: async (request: ModelRequest): Promise<ModelResponse> => {
      asked.requests.push(request);
      const message: Message = { role: 'assistant', content: [{ type: 'text', text: 'x' }], vendor: { test: { signature: 's' } } };
      return { message, finish_reason: 'stop', usage: { tokens_in: 1, tokens_out: 1 } };
    },
  };
  const context = { ...asked.context, models: () => signing };
  await goOn(FlowRuntime.new(oneAgent(), { id: 1, text: 'a' }), context);
  await goOn(FlowRuntime.new(oneAgent(), { id: 1, text: 'b' }), context);
  await goOn(FlowRuntime.new(oneAgent(chat({ model: 'test://other' })), { id: 1, text: 'c' }), context);
  const vendors = (index: number) => asked.requests[index]?.messages.map(({ vendor }) => vendor !== undefined);
  expect(vendors(1)).toEqual([false, true, false]);
  expect(vendors(2)).toEqual([false, false, false, false, false]);
});

it('lets go where the run fails, sends the unfinished exchange to no one, and refuses to go on where others have talked since', async () => {
  const call: MessagePart = { type: 'tool_call', tool_call_id: 'c', tool: 'none', input: {} };
  const asked = new Asked([[call], new Error('broken'), 'between', 'late']);
  const failing = FlowRuntime.new(oneAgent(), { id: 1, text: 'Hi' });
  await failureFrom(goOn(failing, asked.context));
  await goOn(FlowRuntime.new(oneAgent(), { id: 1, text: 'Me' }), asked.context);
  expect(asked.said(2)).toEqual(['user: Me']);
  expect(await failureFrom(goOn(failing, asked.context))).toMatchObject({ code: 'ORCHESTRATION_CONVERSATION_MOVED' });
  const stored = await asked.context.conversations?.load('@workspace/customer/1');
  const entries = stored?.entries ?? [];
  expect(entries.map(({ entry }) => entry.position)).toEqual([1, 2, 3, 4, 5]);
  expect(isFinished(entries.slice(0, 3))).toBe(false);
});

it('goes on in a restored run with what it had read', async () => {
  const asked = new Asked(['one', 'two', 'three']);
  const graph = flowOf([agent('A', 'B', chat()), suspend('B', 'C'), agent('C', 'Z', chat())]);
  const runtime = FlowRuntime.new(graph, { id: 1, text: 'first' });
  await goOn(runtime, asked.context);
  const restored = FlowRuntime.fromSnapshot(graph, JSON.parse(JSON.stringify(runtime.snapshot()))).withHistory(
    JSON.parse(JSON.stringify(runtime.history())),
  );
  const { tool_id } = runtime.snapshot().control.suspensions[0] ?? { tool_id: '' };
  await goOn(FlowRuntime.new(oneAgent(), { id: 1, text: 'between' }), asked.context);
  await restored.resume(asked.context, tool_id, { id: 1, text: 'second' });
  await goOn(restored, asked.context);
  expect(asked.said(2)).toEqual(['user: first', 'assistant: one', 'user: between', 'assistant: two', 'user: second']);
});

it('says what is wrong with a key', async () => {
  const asked = new Asked([]);
  const long = flowOf([agent('A', 'Z', chat({ conversation: { scope: 'run', key: '{id}' } }))]);
  expect(await failureFrom(FlowRuntime.new(long, { id: 'x'.repeat(201), text: '' }).next(asked.context))).toMatchObject({
    message: "The key of A's conversation has 201 characters; the maximum is 200. Fix conversation.key, or its input.",
    code: 'CONFIG_CONVERSATION_KEY',
  });
});
