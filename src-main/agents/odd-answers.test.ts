import { describe, expect, it } from 'vitest';
import { FlowRuntime } from '#main/engine/flow-runtime.ts';
import type { ModelResponse } from '#main/engine/ports/model-client.ts';
import { type FlowSketch, flowOf } from '#main/engine/testing/flows.ts';
import { failureFrom, goOn } from '#main/engine/testing/run-to-end.ts';
import { TestWorkspace } from '#main/engine/testing/workspace.ts';
import type { AgentSettings } from '#shared/flow/document.ts';
import { submitTool } from '#shared/flow/tool-use.ts';
import type { Json } from '#shared/json.ts';
import type { MessagePart } from '#shared/run/message.ts';

const good = { answer: 'yes' };
const reply: FlowSketch['schemas'] = { Z: { type: 'object', properties: { answer: { type: 'string' } }, required: ['answer'] } };
const usage = { tokens_in: 1, tokens_out: 1 };
const said = (text: string): MessagePart => ({ type: 'text', text });
const called = (tool: string, input: Json, tool_call_id = ''): MessagePart => ({ type: 'tool_call', tool_call_id, tool, input });
const submitted = called(submitTool, good);

/** A model that gives these answers one after the other, and the last one ever after. */
const model = (...answers: readonly (readonly MessagePart[] | object)[]) => {
  let next = 0;
  const complete = async (): Promise<ModelResponse> => {
    const answer = answers[Math.min(next++, answers.length - 1)] as readonly MessagePart[];
    if (!Array.isArray(answer)) return answer as unknown as ModelResponse;
    return { message: { role: 'assistant', content: answer }, finish_reason: 'stop', usage };
  };
  return () => ({ complete });
};

async function run(space: TestWorkspace, settings: Partial<AgentSettings> = {}, schemas = reply) {
  const agent = { model: 'openai://x', tools: ['read_file', 'list_files'], ...settings };
  const graph = flowOf([{ kind: 'agent', from: ['A'], to: ['Z'], body: { type: 'agent', agent } }], { schemas });
  const runtime = FlowRuntime.new(graph, {});
  return { runtime, ended: goOn(runtime, space.context) };
}

/** What became of calls in one turn, before the agent submits: `[tool, result, failed]`. */
async function callsOf(...content: readonly MessagePart[]) {
  using space = new TestWorkspace({ models: model(content, [submitted]) });
  const { ended, runtime } = await run(space);
  expect(await ended).toEqual({ type: 'done', output: good });
  return { calls: space.calls.slice(0, -1), history: runtime.history().A ?? [] };
}

describe('a tool call of a model', () => {
  const deep = JSON.parse(`${'['.repeat(900)}${']'.repeat(900)}`) as Json;
  it.each<[string, MessagePart, RegExp]>([
    ['of a tool that there is not', called('launch', {}), /UnknownTool/],
    ['of a tool without a name', called('', {}), /UnknownTool/],
    ['with a text for its arguments', called('read_file', '{"path": "a'), /Deserialize: .*must be object/],
    ['with a list for its arguments', called('read_file', [1]), /Deserialize: .*must be object/],
    ['with 5 MB of arguments', called('read_file', { path: 'x'.repeat(5_000_000) }), /\w+: /],
    ['with a deep nest of arguments', called('read_file', { path: deep }), /Deserialize: /],
    [
      'with a name of the prototype',
      called('read_file', JSON.parse('{"path": "a", "__proto__": {"polluted": true}}') as Json),
      /Deserialize: .*__proto__/,
    ],
    ['with half of a surrogate pair', called('read_file', { path: 'a\uD800' }), /Io: .*a\uFFFD/],
  ])('%s gets a result that says what is wrong', async (_what, call, message) => {
    const { calls } = await callsOf(call);
    expect(calls).toEqual([[expect.any(String), expect.stringMatching(message), true]]);
    expect(Object.prototype).not.toHaveProperty('polluted');
  });

  it('with the id of another call, beside text, is kept separate', async () => {
    const { calls, history } = await callsOf(
      said('Both:'),
      called('list_files', {}, 'same'),
      said('and'),
      called('list_files', { limit: 1 }, 'same'),
    );
    expect(calls.map(([, , failed]) => failed)).toEqual([false, false]);
    const ids = history.flatMap(({ content }) => content.flatMap((part) => (part.type === 'tool_result' ? [part.tool_call_id] : [])));
    expect(new Set(ids).size).toBe(3);
  });

  it('is one of 64 at most', async () => {
    using space = new TestWorkspace({ models: model(Array.from({ length: 200 }, () => called('list_files', {}))) });
    const { ended } = await run(space);
    expect(await failureFrom(ended)).toMatchObject({ variant: 'LimitExceeded', details: { limit: 'tool_calls', value: 64 } });
    expect(space.calls).toEqual([]);
  });

  it('that fails for ever ends with the agent’s turns', async () => {
    using space = new TestWorkspace({ models: model([called('read_file', { path: 'absent' })]) });
    const { ended } = await run(space, { limits: { turns: 5 } });
    expect(await failureFrom(ended)).toMatchObject({ code: 'ORCHESTRATION_ITERATION_LIMIT' });
    expect(space.calls).toHaveLength(5);
  });
});

describe('an answer', () => {
  it.each<[string, Partial<AgentSettings>, string]>([
    ['asks a chat again', { mode: 'chat', tools: [] }, 'Your answer was empty'],
    ['asks for the output again', { tools: [] }, 'it is not valid JSON'],
    ['reminds of the tools', {}, 'Your answer contained no tool call'],
  ])('that is empty %s, and is no end', async (_what, settings, told) => {
    using space = new TestWorkspace({
      models: model([], [said(' \n')], [said('{"answer":"yes"}'), ...(settings.tools ? [] : [submitted])]),
    });
    const { ended, runtime } = await run(space, settings, settings.mode === 'chat' ? {} : reply);
    expect(await ended).toMatchObject({ type: 'done' });
    expect(JSON.stringify(runtime.history()).split(told)).toHaveLength(3);
  });

  it('that the model was not allowed to end is no output, however well its half would fit', async () => {
    const half = { message: { role: 'assistant', content: [said('{"answer": "Do not pa')] }, finish_reason: 'length', usage };
    const whole = { message: { role: 'assistant', content: [said('{"answer": "no"} and more th')] }, finish_reason: 'length', usage };
    using space = new TestWorkspace({ models: model(half, whole) });
    const { ended, runtime } = await run(space, { tools: [] });
    expect(await ended).toEqual({ type: 'done', output: { answer: 'no' } });
    expect(JSON.stringify(runtime.history())).toContain('it was truncated because it exceeds max_tokens');
    using other = new TestWorkspace({ models: model(half) });
    expect(await failureFrom((await run(other, { tools: [] })).ended)).toMatchObject({
      code: 'INFERENCE_OUTPUT_TRUNCATED',
      category: 'inference',
      message: expect.stringContaining('max_tokens'),
    });
  });

  it('calls no tool of an agent that has none', async () => {
    using space = new TestWorkspace({ models: model([called('read_file', {})], [said('{"answer":"yes"}')]) });
    expect(await (await run(space, { tools: [] })).ended).toEqual({ type: 'done', output: good });
    expect(space.calls).toEqual([]);
  });

  it.each([
    ['nothing', undefined],
    ['a text', 'yes'],
    ['no message', { finish_reason: 'stop' }],
    ['a message without parts', { message: { role: 'assistant' } }],
    [
      'a value that is too deep',
      { message: { content: [called('read_file', JSON.parse(`${'['.repeat(50_000)}${']'.repeat(50_000)}`) as Json)] } },
    ],
    ['a value that is too large', { message: { content: [said('x'.repeat(65 * 1024 * 1024))] } }],
  ])('that is %s fails the step as malformed', async (_what, answer) => {
    using space = new TestWorkspace({ models: model(answer as object) });
    expect(await failureFrom((await run(space)).ended)).toMatchObject({
      variant: 'AgentError',
      code: 'INFERENCE_MALFORMED_RESPONSE',
      node: 'A',
    });
  });

  it.each([
    ['missing', undefined],
    ['negative', { tokens_in: -5_000, tokens_out: Number.NaN }],
    ['text', { tokens_in: '12', tokens_out: null }],
  ])('counts no tokens where their number is %s', async (_what, wrong) => {
    const message = { role: 'assistant', content: [submitted] };
    using space = new TestWorkspace({ models: model({ message, finish_reason: 'surprise', usage: wrong }) });
    const { ended, runtime } = await run(space);
    expect(await ended).toMatchObject({ type: 'done' });
    expect(runtime.counters).toMatchObject({ tokens: 0, model_calls: 1 });
  });

  it('has garbage of any script in it, and comes through', async () => {
    const garbage = `a\u0000\u202E\uFFFF😀\uDC00 ${String.fromCharCode(...Array.from({ length: 500 }, (_, index) => index * 131))}`;
    using space = new TestWorkspace({ models: model([said(garbage)]) });
    const { ended } = await run(space, { mode: 'chat', tools: [] }, {});
    expect(await ended).toEqual({ type: 'done', output: garbage.toWellFormed() });
  });
});
