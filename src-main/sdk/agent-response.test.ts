import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { ModelClient, ModelRequest } from '#main/engine/ports/model-client.ts';
import { TestWorkspace } from '#main/engine/testing/workspace.ts';
import { defineFlow } from '#main/sdk/builder/define-flow.ts';
import { defineTool } from '#main/sdk/builder/define-tool.ts';
import { services } from '#main/sdk/builder/flow-types.ts';
import { state } from '#main/sdk/builder/state.ts';
import type { RunEvent } from '#shared/run/event.ts';
import type { Message } from '#shared/run/message.ts';
import type { SystemRequest } from '#shared/run/system-request.ts';
import { callAgent } from './call-agent.ts';
import { createContext } from './create-context.ts';

const ask = (text: string): Message => ({ role: 'user', content: [{ type: 'text', text }] });
const answered = { type: 'object', properties: { answer: { type: 'string' } }, required: ['answer'] };
const say = (text: string) => ({
  message: { role: 'assistant' as const, content: [{ type: 'text' as const, text }] },
  finish_reason: 'stop' as const,
  usage: { tokens_in: 3, tokens_out: 2 },
});
const call = (tool: string, input = {}) => ({
  ...say(''),
  message: { role: 'assistant' as const, content: [{ type: 'tool_call' as const, tool_call_id: '', tool, input }] },
  finish_reason: 'tool' as const,
});
/** A model that gives these answers in turn, and the requests that it got. */
function answering(...answers: ReturnType<typeof say | typeof call>[]) {
  const requests: ModelRequest[] = [];
  const client: ModelClient = {
    complete: async (request) => {
      requests.push(request);
      return answers[requests.length - 1] ?? say('nothing more');
    },
  };
  return { requests, models: () => client };
}
const chat: SystemRequest = { mode: 'chat', messages: [ask('Hello')] };
const model = 'openai://m';

describe('the response of a request', () => {
  test('continues as the next request, with its calls, by its messages', async () => {
    const { models, requests } = answering(call('look'), say('A fox.'), say('Red.'));
    const look = defineTool({ name: 'look', description: 'Looks.', effect: 'read', input: z.object({}), call: async () => 'an animal' });
    const context = await createContext({ models, tools: [look] });
    const first = await callAgent({ ...chat, tools: ['look'] }, { model, context });
    const second = await callAgent({ ...chat, messages: [...first.messages, ask('Which colour?')] }, { model, context });
    expect(second).toMatchObject({ content: 'Red.', error: null });
    expect(requests[2]?.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'assistant', 'user']);
  });

  test('has the messages up to the last whole turn if it failed', async () => {
    const context = await createContext({
      models: () => ({
        complete: async () => {
          throw new Error('no line');
        },
      }),
    });
    expect((await callAgent(chat, { model, context })).messages).toEqual(chat.messages);
  });

  test('has the confidence of a tool that says one, from retrieval', async () => {
    const find = (confidence: number) =>
      defineTool({
        name: 'find',
        description: 'Finds.',
        effect: 'read',
        input: z.object({}),
        call: async () => ({ confidence, text: 'x' }),
      });
    const answer = async (confidence: number) =>
      callAgent(
        { ...chat, tools: ['find'] },
        { model, context: await createContext({ ...answering(call('find'), say('x')), tools: [find(confidence)] }) },
      );
    expect(await answer(0.8)).toMatchObject({ confidence: 0.8, confidence_source: 'retrieval' });
    expect(await answer(80)).toMatchObject({ confidence: null, confidence_source: null });
  });

  test('has the steps of a plan with their results and what each used', async () => {
    using space = new TestWorkspace();
    const plan = {
      rationale: 'r',
      steps: [
        { name: 'look', instruction: 'a' },
        { name: 'tell', instruction: 'b' },
      ],
    };
    const { models } = answering(say(JSON.stringify(plan)), say('seen'), say('told'), say('{"answer":"yes"}'));
    const response = await callAgent(
      { ...chat, mode: 'plan', output: { schema: answered } },
      { model, context: { ...space.context, models } },
    );
    const used = { type: 'task', error: null, tool_calls: 0, tokens: 5, seconds: expect.any(Number) };
    expect(response.steps).toEqual([
      { name: 'look', output: 'seen', ...used },
      { name: 'tell', output: 'told', ...used },
    ]);
    expect(response.messages.at(-1)).toMatchObject({ role: 'assistant', content: [{ text: '{"answer":"yes"}' }] });
  });

  test('has the typed steps of a plan with their types, and the step in every event of one, lifecycle included', async () => {
    using space = new TestWorkspace();
    const Topic = state('Topic', z.object({ topic: z.string() }));
    const Poem = state('Poem', z.object({ lines: z.number() }));
    const poem = defineFlow({ input: Topic, output: Poem })
      .work(Topic, Poem, ({ topic }) => ({ lines: topic.length }))
      .build();
    const { models } = answering(say('seen'), say('{"answer":"yes"}'));
    const heard: RunEvent[] = [];
    const response = await callAgent(
      { ...chat, mode: 'plan', output: { schema: answered } },
      {
        model,
        context: { ...space.context, models },
        onEvent: (event) => heard.push(event),
        plan: {
          steps: { look: { agent: { model } }, rhyme: { flow: poem } },
          planner: (request) => ({
            rationale: JSON.stringify(request).slice(0, 1),
            steps: [
              { name: 'first', type: 'look', input: 'Look.' },
              { name: 'then', type: 'rhyme', input: { topic: 'bees' }, needs: ['first'] },
            ],
          }),
        },
      },
    );
    const rest = { error: null, seconds: expect.any(Number), tool_calls: 0 };
    expect(response.error).toBeNull();
    expect(response.steps).toEqual([
      { name: 'first', type: 'look', output: 'seen', tokens: 5, ...rest },
      { name: 'then', type: 'rhyme', output: { lines: 4 }, tokens: 0, ...rest },
    ]);
    const moves = heard.flatMap((event) => (event.type === 'lifecycle' ? [`${event.from} → ${event.to} ${event.step_name ?? ''}`] : []));
    expect(moves).toEqual([
      ...['INIT → PLAN ', 'PLAN → PREPARE ', 'PREPARE → EXECUTE first', 'EXECUTE → VALIDATE first'],
      ...['VALIDATE → EXECUTE then', 'EXECUTE → VALIDATE then', 'VALIDATE → EXECUTE ', 'EXECUTE → VALIDATE ', 'VALIDATE → COMPLETE '],
    ]);
    expect(heard.filter((event) => 'node' in event && event.node?.includes('[') && event.step_name === undefined)).toEqual([]);
  });

  test('says which step of a plan failed, and which never began', async () => {
    using space = new TestWorkspace();
    const plan = {
      rationale: 'r',
      steps: [
        { name: 'look', instruction: 'a' },
        { name: 'tell', instruction: 'b' },
      ],
    };
    let asked = 0;
    const models = () => ({
      complete: async () => {
        asked += 1;
        if (asked > 1) throw new Error('no line');
        return say(JSON.stringify(plan));
      },
    });
    const response = await callAgent({ ...chat, mode: 'plan' }, { model, context: { ...space.context, models } });
    expect(response.steps).toMatchObject([
      { name: 'look', output: null, error: { message: expect.stringContaining('no line') } },
      { name: 'tell', output: null, error: null, tokens: 0 },
    ]);
  });
});

describe('a request in progress', () => {
  test('says where it is, which tools it has and which answers there are', async () => {
    const seen: string[] = [];
    const context = await createContext({ ...answering(say('{"answer":"a"}'), say('{"answer":"b"}'), say('{"answer":"a"}')) });
    const request: SystemRequest = { mode: 'redundant', messages: [ask('?')], output: { schema: answered } };
    const asked = callAgent(request, { model, context, onEvent: () => seen.push(asked.state().current) });
    expect(asked.state()).toMatchObject({ current: 'INIT', attempt: 1, total_steps: null, last_step: null, last_error: null });
    await asked;
    expect([...new Set(seen)]).toEqual(['INIT', 'PREPARE', 'EXECUTE', 'VALIDATE', 'COMPLETE']);
    expect(asked.state()).toMatchObject({ current: 'COMPLETE', entered_at: expect.any(Number) });
    expect(asked.context()).toMatchObject({ mode: 'redundant', selected_tools: [], metadata: { model } });
    // The replicas work at once: which of them gets which answer is open.
    const candidates = asked.context().candidates.map((candidate) => JSON.stringify(candidate));
    expect(candidates.sort()).toEqual(['a', 'a', 'b'].map((answer) => JSON.stringify({ value: { answer } })));
  });

  test('knows its last failure, and the last step of its plan', async () => {
    const plan = {
      rationale: 'r',
      steps: [
        { name: 'look', instruction: 'a' },
        { name: 'tell', instruction: 'b' },
      ],
    };
    let turn = 0;
    const answers = [say(JSON.stringify(plan)), say('seen')];
    const models = () => ({
      complete: async () => {
        const answer = answers[turn++];
        if (!answer) throw new Error('no line');
        return answer;
      },
    });
    const asked = callAgent({ ...chat, mode: 'plan' }, { model, context: await createContext({ models }) });
    await asked;
    expect(asked.state()).toMatchObject({
      current: 'EXECUTE',
      total_steps: 2,
      last_step: 'look',
      last_error: { message: expect.stringContaining('no line') },
    });
  });

  test('tells each turn of a chat that calls tools, and marks the pairs of inner nodes', async () => {
    const events: RunEvent[] = [];
    const look = defineTool({ name: 'look', description: 'Looks.', effect: 'read', input: z.object({}), call: async () => 'x' });
    const context = await createContext({ ...answering(call('look'), say('done')), tools: [look], onEvent: (event) => events.push(event) });
    await callAgent({ ...chat, tools: ['look'] }, { model, context });
    expect(events.flatMap((event) => (event.type === 'lifecycle' ? [`${event.from} ${event.to}`] : []))).toEqual([
      'INIT PREPARE',
      'PREPARE EXECUTE',
      'EXECUTE VALIDATE',
      'VALIDATE EXECUTE',
      'EXECUTE COMPLETE',
    ]);
    events.length = 0;
    const inner = await createContext({ ...answering(say('no JSON'), say('{}')), onEvent: (event) => events.push(event) });
    await callAgent({ ...chat, mode: 'plan' }, { model, context: inner });
    const pairs = events.filter((event) => event.type === 'lifecycle' && event.node !== undefined);
    expect(pairs.length).toBeGreaterThan(0);
    expect(pairs.every((event) => event.type === 'lifecycle' && event.inner)).toBe(true);
    expect(events.some((event) => event.type === 'lifecycle' && event.node === undefined && event.inner)).toBe(false);
  });

  test('reports a call that was cancelled as an error', async () => {
    const stop = new AbortController();
    const wait = defineTool({
      name: 'wait',
      description: 'Waits.',
      effect: 'read',
      input: z.object({}),
      call: (_input, { signal }) =>
        new Promise<never>((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason));
          stop.abort(new Error('enough'));
        }),
    });
    const events: RunEvent[] = [];
    const context = await createContext({
      ...answering(call('wait')),
      tools: [wait],
      signal: stop.signal,
      onEvent: (event) => events.push(event),
    });
    const response = await callAgent({ ...chat, tools: ['wait'] }, { model, context });
    expect(response.error).toMatchObject({ code: 'CANCELLED_SIGNAL' });
    expect(response.tool_calls_made).toMatchObject([{ tool: 'wait', is_error: true, error_code: 'CANCELLED_SIGNAL' }]);
    expect(events.find(({ type }) => type === 'tool_result')).toMatchObject({ is_error: true, error_code: 'CANCELLED_SIGNAL' });
  });

  test('says that a schema is sent also where the model submits', async () => {
    const events: RunEvent[] = [];
    const look = defineTool({ name: 'look', description: 'Looks.', effect: 'read', input: z.object({}), call: async () => 'x' });
    const context = await createContext({
      ...answering(call('submit', { answer: 'x' })),
      tools: [look],
      onEvent: (event) => events.push(event),
    });
    await callAgent({ ...chat, mode: 'structured', output: { schema: answered }, tools: ['look'] }, { model, context });
    expect(events.find(({ type }) => type === 'inference_start')).toMatchObject({ schema_present: true });
  });
});

test('a context without models fails as a configuration that trying again does not help', async () => {
  const context = { ...(await createContext()) };
  Reflect.deleteProperty(context, 'models');
  expect((await callAgent(chat, { model, context })).error).toMatchObject({
    code: 'CONFIG_NO_ENGINE',
    category: 'configuration',
    retryable: false,
  });
});

test('a service that is missing is reported by its name where it is read', async () => {
  interface Db {
    readonly find: () => string;
  }
  const In = state('In', z.object({}));
  const Out = state('Out', z.string());
  const flow = defineFlow({ input: In, output: Out, services: services<{ db: Db }>() })
    .work(In, Out, (_value, ctx) => ctx.services.db.find())
    .build();
  const whole = await createContext({ services: { db: { find: () => 'x' } } });
  expect(await flow.start({}, whole).toEnd()).toBe('x');
  const { services: none } = await createContext({ services: { other: 1 } });
  const result = await flow.start({}, { ...whole, services: Object.assign(none) }).result();
  expect(result).toMatchObject({
    status: 'error',
    error: {
      cause: {
        type: 'ToolError',
        variant: 'Missing',
        code: 'TOOL_UNAVAILABLE',
        message: expect.stringContaining('no service db. It has other'),
      },
    },
  });
  expect('db' in none).toBe(false);
});
