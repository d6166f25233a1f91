import { describe, expect, test } from 'vitest';
import type { ModelClient, ModelRequest } from '#main/engine/ports/model-client.ts';
import { TestWorkspace } from '#main/engine/testing/workspace.ts';
import type { Json } from '#shared/json.ts';
import type { RunEvent } from '#shared/run/event.ts';
import type { Message } from '#shared/run/message.ts';
import type { SystemRequest } from '#shared/run/system-request.ts';
import { callAgent } from './call-agent.ts';

const ask = (text: string): Message => ({ role: 'user', content: [{ type: 'text', text }] });
const answered = { type: 'object', properties: { answer: { type: 'string' } }, required: ['answer'] };
const request: SystemRequest = {
  request_id: 'r1',
  session_id: 's1',
  messages: [ask('why?')],
  mode: 'structured',
  output: { schema: answered },
  tools: ['read_file'],
};

const ranAsAsked = {
  ran_with: { path: 'facts.txt' },
  edited: false,
  result: 'because',
  is_error: false,
  duration_ms: expect.any(Number),
};

const movesOf = (events: readonly RunEvent[]) =>
  events.flatMap((event) => (event.type === 'lifecycle' && event.node === undefined ? [`${event.from} → ${event.to}`] : []));
const lifecycle = ({ events }: TestWorkspace) => movesOf(events);

/** What happened, in its order: moves of the lifecycle, and the types of what happened between them. */
const course = ({ events }: TestWorkspace) =>
  events.map((event) =>
    event.type === 'lifecycle' ? `${event.from} → ${event.to}${event.attempt > 1 ? ` (${event.attempt})` : ''}` : event.type,
  );

describe('a single agent', () => {
  test('answers by a schema, with its tool calls, its tokens and its lifecycle', async () => {
    using space = new TestWorkspace();
    space.write('facts.txt', 'because');
    const model = space.script(
      { expect: { contains: 'why?' }, tool_calls: [{ tool: 'read_file', input: { path: 'facts.txt' } }] },
      { expect: { contains: 'because' }, output: { answer: 'because' } },
    );
    const response = await callAgent({ ...request, trace_id: 't1' }, { model, context: space.context });
    expect(response).toEqual({
      request_id: 'r1',
      session_id: 's1',
      content: '{"answer":"because"}',
      structured_output: { answer: 'because' },
      tool_calls_made: [{ tool_call_id: expect.any(String), tool: 'read_file', input: { path: 'facts.txt' }, ...ranAsAsked }],
      confidence: null,
      confidence_source: null,
      token_usage: { tokens_in: expect.any(Number), tokens_out: expect.any(Number) },
      usage: { prompt_tokens: expect.any(Number), completion_tokens: expect.any(Number) },
      trace_id: 't1',
      validation: { valid: true, repaired: false, attempts: 1, schema_errors: [], checks: [] },
      steps: null,
      messages: [
        ...request.messages,
        { role: 'assistant', content: [expect.objectContaining({ tool: 'read_file' })] },
        { role: 'tool', content: [expect.objectContaining({ result: 'because' })] },
        { role: 'assistant', content: [{ type: 'text', text: '{"answer":"because"}' }] },
      ],
      error: null,
    });
    expect(lifecycle(space)).toEqual(['INIT → PREPARE', 'PREPARE → EXECUTE', 'EXECUTE → VALIDATE', 'VALIDATE → COMPLETE']);
    expect(new Set(space.events.map(({ run_id: runId, trace_id }) => `${runId} ${trace_id}`))).toEqual(new Set(['r1 t1']));
  });

  test('reports what a person made of its calls: the input that ran, and what was refused', async () => {
    using space = new TestWorkspace({ approve: { write_file: 'always' } });
    const call = (path: string) => ({ tool: 'write_file', input: { path, content: 'one' } });
    const model = space.script(
      { tool_calls: [call('a.txt'), call('b.txt')] },
      { tool_calls: [call('../c.txt')] },
      { output: { answer: 'x' } },
    );
    const answers: Json[] = [
      { approve: true, input: { path: 'a.txt', content: 'two' } },
      { approve: false, reason: 'not that one' },
    ];
    const onSuspend = async () => answers.shift() ?? null;
    const response = await callAgent({ ...request, tools: ['write_file'] }, { model, context: space.context, onSuspend });
    expect(response.tool_calls_made).toMatchObject([
      { input: { content: 'one' }, ran_with: { path: 'a.txt', content: 'two' }, edited: true, is_error: false },
      { ran_with: null, edited: false, result: expect.stringContaining('not that one'), is_error: true, error_code: 'TOOL_DENIED' },
      { ran_with: null, edited: false, is_error: true, error_code: 'TOOL_PATH_ESCAPE' },
    ]);
    expect(space.read('a.txt')).toBe('two');
  });

  test('chats in the conversation that it is given', async () => {
    using space = new TestWorkspace();
    const messages = [ask('hello'), { role: 'assistant', content: [{ type: 'text', text: 'hi' }] } satisfies Message, ask('{braces}')];
    const model = space.script({ expect: { contains: '{braces}' }, text: 'indeed' });
    const response = await callAgent({ messages, mode: 'chat' }, { model, context: space.context });
    expect(response).toMatchObject({ content: 'indeed', structured_output: null, error: null });
    expect(lifecycle(space)).toEqual(['INIT → PREPARE', 'PREPARE → EXECUTE', 'EXECUTE → COMPLETE']);
  });

  test('continues a conversation that has images, calls and a truncated answer', async () => {
    using space = new TestWorkspace();
    const seen: (readonly Message[])[] = [];
    const models = () => ({
      complete: async ({ messages }: ModelRequest) => {
        seen.push(messages);
        return {
          message: { role: 'assistant' as const, content: [{ type: 'text' as const, text: 'A fox.' }] },
          finish_reason: 'stop' as const,
          usage: { tokens_in: 1, tokens_out: 1 },
        };
      },
    });
    const image = { type: 'image', media_type: 'image/png', data: 'aGk=' } as const;
    const call = { type: 'tool_call', tool_call_id: 'c', tool: 'look', input: {} } as const;
    const result = { type: 'tool_result', tool_call_id: 'c', tool: 'look', result: 'red', is_error: false } as const;
    const whole: Message[] = [
      { role: 'user', content: [{ type: 'text', text: 'What is it?' }, image] },
      { role: 'assistant', content: [call] },
      { role: 'tool', content: [result] },
    ];
    const cut: Message = { role: 'assistant', content: [call], incomplete: true };
    const response = await callAgent(
      { messages: [...whole, cut], mode: 'chat' },
      { model: 'openai://m', context: { ...space.context, models } },
    );
    expect(response).toMatchObject({ content: 'A fox.', error: null });
    expect(seen).toEqual([whole]);
  });

  test('votes, and says how sure it is', async () => {
    using space = new TestWorkspace();
    const model = space.script({ output: { answer: 'yes' } });
    const response = await callAgent(
      { ...request, mode: 'redundant', tools: [] },
      { model, context: { ...space.context, tools: new Map() } },
    );
    expect(response).toMatchObject({ structured_output: { answer: 'yes' }, confidence: 1, confidence_source: 'voting', error: null });
    expect(lifecycle(space)).toEqual(['INIT → PREPARE', 'PREPARE → EXECUTE', 'EXECUTE → VALIDATE', 'VALIDATE → COMPLETE']);
    const voting = space.events.findIndex((event) => event.type === 'lifecycle' && event.to === 'VALIDATE');
    expect(space.events.slice(0, voting).filter(({ type }) => type === 'inference_end')).toHaveLength(3);
  });

  test('emits lifecycle events as they happen, with the ids that connect them', async () => {
    using space = new TestWorkspace();
    const model = space.script(
      { tool_calls: [{ tool: 'read_file', input: { path: 'absent.txt' } }] },
      { text: 'Nothing there.' },
      { output: { reply: 1 } },
      { output: { answer: 'none' } },
    );
    await callAgent({ ...request, trace_id: 't1' }, { model, context: space.context });
    const reason = ['node_enter', 'inference_start', 'inference_end', 'node_exit'];
    const act = (...within: string[]) => ['node_enter', 'tool_call', ...within];
    expect(course(space)).toEqual([
      'init_stream',
      ...['INIT → PREPARE', 'PREPARE → EXECUTE', ...reason, ...act('tool_result', 'node_exit')],
      ...['node_enter', 'inference_start', 'message', 'inference_end', 'EXECUTE → VALIDATE', 'VALIDATE → EXECUTE (2)', 'node_exit'],
      ...[...reason, ...act('EXECUTE → VALIDATE (2)', 'tool_result', 'VALIDATE → EXECUTE (3)', 'node_exit')],
      ...[...reason, ...act('EXECUTE → VALIDATE (3)', 'tool_result', 'node_exit', 'VALIDATE → COMPLETE (3)')],
      'end_stream',
    ]);
    for (const event of space.events) expect(event).toMatchObject({ request_id: 'r1', session_id: 's1', trace_id: 't1' });
    const call = space.events.find((event) => event.type === 'tool_call');
    const id = (call as { tool_call_id: string }).tool_call_id;
    expect(call).toMatchObject({ span_id: id, parent_span_id: 'r1/2', caused_by: 'r1/1' });
    expect(space.events.find(({ type }) => type === 'inference_start')).toMatchObject({ span_id: 'r1/1', parent_span_id: 'r1' });
  });

  test('plans before it prepares, and goes round for each step', async () => {
    using space = new TestWorkspace();
    const steps = [
      { name: 'look', instruction: 'Look.' },
      { name: 'tell', instruction: 'Tell.' },
    ];
    const model = space.script(
      { when: { contains: 'Break it into' }, output: { rationale: 'short', steps } },
      { when: { contains: 'The step to do now' }, text: 'done' },
      { when: { contains: 'The step to do now' }, text: 'done' },
      { when: { contains: 'Give the final result' }, output: { answer: 'yes' } },
    );
    const context = { ...space.context, tools: new Map() };
    const plan: SystemRequest = { ...request, mode: 'plan', tools: [] };
    expect(await callAgent(plan, { model, context })).toMatchObject({ structured_output: { answer: 'yes' }, error: null });
    const round = ['EXECUTE → VALIDATE', 'VALIDATE → EXECUTE'];
    expect(lifecycle(space)).toEqual([
      'INIT → PLAN',
      'PLAN → PREPARE',
      'PREPARE → EXECUTE',
      ...round,
      ...round,
      'EXECUTE → VALIDATE',
      'VALIDATE → COMPLETE',
    ]);
    const begun = space.events.flatMap((event) => (event.type === 'inference_start' ? [event.step_name] : []));
    expect(begun).toEqual([undefined, 'look', 'tell', undefined]);
  });

  test('streams text while the model is responding, and emits a failure as an event', async () => {
    using space = new TestWorkspace();
    const heard: RunEvent[] = [];
    const said = Promise.withResolvers<void>();
    const models = () => ({
      complete: async ({ onDelta }: ModelRequest) => {
        onDelta?.({ type: 'text', text: 'Let me think' });
        await said.promise;
        throw new Error('the line is dead');
      },
    });
    const onEvent = (event: RunEvent) => {
      heard.push(event);
      if (event.type === 'message') said.resolve();
    };
    const response = await callAgent(
      { ...request, tools: ['read_file'] },
      { model: 'openai://m', context: { ...space.context, models }, onEvent },
    );
    expect(response.error).toMatchObject({ code: 'INFERENCE_ENGINE_ERROR' });
    expect(heard.map(({ type }) => type)).toEqual([
      ...['init_stream', 'lifecycle', 'lifecycle', 'node_enter', 'inference_start', 'message', 'inference_end', 'error', 'end_stream'],
    ]);
    expect(movesOf(heard)).toEqual(['INIT → PREPARE', 'PREPARE → EXECUTE']);
    expect(space.events).toEqual([]);
  });

  test('gives its last answer beside the error where validation is not strict', async () => {
    using space = new TestWorkspace();
    const model = space.script({ output: { reply: 1 } }, { output: { reply: 2 } }, { output: { reply: 3 } });
    const context = { ...space.context, tools: new Map() };
    const strict = await callAgent(request.tools ? { ...request, tools: [] } : request, { model, context });
    expect(strict).toMatchObject({ structured_output: null, error: { code: 'CONSTRAINT_SCHEMA_INVALID', category: 'constraint' } });
    const output = { schema: answered, strict_validation: false };
    const lenient = await callAgent({ ...request, tools: [], output }, { model, context });
    expect(lenient).toMatchObject({ structured_output: { reply: 3 }, error: { code: 'CONSTRAINT_SCHEMA_INVALID' } });
  });

  test('says how the output was validated, what was cached, and what had been said before an answer was cut off', async () => {
    using space = new TestWorkspace();
    const context = { ...space.context, tools: new Map() };
    const plain = { ...request, trace_id: 't1', tools: [] };
    const model = space.script({ output: { reply: 1 } }, { text: '```json\n{"answer": "yes",}\n```' });
    const guards = { output: [{ name: 'short', expr: 'len(answer) < 10' }] };
    expect(await callAgent(plain, { model, context, guards })).toMatchObject({
      trace_id: 't1',
      validation: { valid: true, repaired: true, attempts: 2, schema_errors: [], checks: [{ name: 'short', kind: 'rule', pass: true }] },
    });
    const wrong = space.script({ output: { reply: 1 } }, { output: { reply: 2 } }, { output: { reply: 3 } });
    expect((await callAgent(plain, { model: wrong, context })).validation).toMatchObject({
      valid: false,
      attempts: 3,
      schema_errors: [{ path: '/answer', keyword: 'required', message: '/answer is missing' }],
    });
    const client: ModelClient = {
      complete: async ({ onDelta }) => {
        onDelta?.({ type: 'text', text: 'Hello wor' });
        throw new Error('the stream broke');
      },
    };
    const cut = await callAgent(plain, { model: 'openai://m', context: { ...context, models: () => client } });
    expect(cut).toMatchObject({ content: 'Hello wor', structured_output: null, validation: null });
    const usage = { tokens_in: 9, tokens_out: 4, tokens_cached: 7, tokens_reasoning: 1 };
    const frugal: ModelClient = {
      complete: async () => ({
        message: { role: 'assistant', content: [{ type: 'text', text: '{"answer":"a"}' }] },
        finish_reason: 'stop',
        usage,
      }),
    };
    expect(await callAgent(plain, { model: 'openai://m', context: { ...context, models: () => frugal } })).toMatchObject({
      usage: { prompt_tokens: 9, completion_tokens: 4, cached_tokens: 7, reasoning_tokens: 1 },
      token_usage: usage,
    });
  });

  test('has tools that ask answered by onSuspend, and fails without one', async () => {
    using space = new TestWorkspace();
    const question = { tool_calls: [{ tool: 'ask_user', input: { question: 'Tea?' } }] };
    const tools = ['ask_user'];
    const model = space.script(question, { expect: { contains: 'yes please' }, output: { answer: 'tea' } });
    const asked: unknown[] = [];
    const onSuspend = async ({ value }: { value: unknown }) => {
      asked.push(value);
      return 'yes please';
    };
    expect(await callAgent({ ...request, tools }, { model, context: space.context, onSuspend })).toMatchObject({
      structured_output: { answer: 'tea' },
    });
    expect(asked).toEqual([expect.objectContaining({ question: 'Tea?' })]);
    const alone = await callAgent({ ...request, tools }, { model, context: space.context });
    expect(alone.error).toMatchObject({ code: 'CONFIG_NO_ANSWERER', category: 'configuration' });
  });

  test.each([
    ['without a schema for its structure', { messages: [ask('x')], mode: 'structured' }, 'CONFIG_SCHEMA_REQUIRED'],
    ['of a mode that there is not', { messages: [ask('x')], mode: 'dream' }, 'CONFIG_REQUEST_INVALID'],
    [
      'that calls a tool in the user’s name',
      { messages: [{ role: 'user', content: [{ type: 'tool_call', tool_call_id: 'c', tool: 't', input: {} }] }], mode: 'chat' },
      'CONFIG_REQUEST_INVALID',
    ],
    [
      'with a call that has no result',
      {
        messages: [ask('x'), { role: 'assistant', content: [{ type: 'tool_call', tool_call_id: 'c', tool: 't', input: {} }] }, ask('y')],
        mode: 'chat',
      },
      'CONFIG_REQUEST_INVALID',
    ],
    [
      'with a result of no call',
      {
        messages: [{ role: 'tool', content: [{ type: 'tool_result', tool_call_id: 'c', tool: 't', result: 1, is_error: false }] }],
        mode: 'chat',
      },
      'CONFIG_REQUEST_INVALID',
    ],
    [
      'with an image that no model takes',
      { messages: [{ role: 'user', content: [{ type: 'image', media_type: 'image/tiff', data: 'aGk=' }] }], mode: 'chat' },
      'CONFIG_REQUEST_INVALID',
    ],
    [
      'whose schema is invalid',
      { messages: [ask('x')], mode: 'structured', output: { schema: { type: 'nonsense' } } },
      'CONFIG_REQUEST_INVALID',
    ],
    ['that says nothing', { messages: [], mode: 'chat' }, 'CONFIG_REQUEST_INVALID'],
  ])('refuses a request %s', async (_, bad, code) => {
    using space = new TestWorkspace();
    const response = await callAgent(bad as unknown as SystemRequest, { model: 'script://none.json', context: space.context });
    expect(response.error).toMatchObject({ code, category: 'configuration', retryable: false });
    expect(space.events).toMatchObject([
      { type: 'init_stream' },
      { type: 'error', error: { code }, error_code: code, message: response.error?.message, node_id: null, request_id: expect.any(String) },
      { type: 'end_stream', status: 'error' },
    ]);
  });

  test('refuses a model and a tool that there are not, before anything is asked', async () => {
    using space = new TestWorkspace();
    const chat: SystemRequest = { messages: [ask('x')], mode: 'chat', tools: ['telepathy'] };
    const { context } = space;
    expect((await callAgent(chat, { model: 'script://s.json', context })).error).toMatchObject({
      code: 'TOOL_NOT_FOUND',
      message: expect.stringContaining('telepathy'),
    });
    expect((await callAgent({ ...chat, tools: [] }, { model: 'crystal-ball', context })).error).toMatchObject({
      code: 'CONFIG_NO_ENGINE',
      category: 'configuration',
    });
    expect(space.count('inference_start')).toBe(0);
  });

  test('is cancelled by the signal of its context, and by its own time', async () => {
    using space = new TestWorkspace();
    const never = () => ({
      complete: ({ signal }: ModelRequest) =>
        new Promise<never>((_, reject) => {
          if (signal.aborted) reject(signal.reason);
          signal.addEventListener('abort', () => reject(signal.reason));
        }),
    });
    const stop = new AbortController();
    const cancelled = callAgent(
      { ...request, tools: ['read_file'] },
      { model: 'openai://m', context: { ...space.context, models: never, signal: stop.signal } },
    );
    stop.abort();
    expect((await cancelled).error).toMatchObject({ code: 'CANCELLED_SIGNAL', category: 'cancellation' });
    const hints = { timeout_seconds: 0.01 };
    const late = await callAgent({ ...request, hints }, { model: 'openai://m', context: { ...space.context, models: never } });
    expect(late.error).toMatchObject({ code: 'CANCELLED_TIMEOUT', category: 'cancellation' });
    // Over all of a plan's steps, and over the wait for the user.
    const slow = () => ({
      complete: ({ signal }: ModelRequest) =>
        new Promise<never>((_, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason));
        }),
    });
    const planned = { ...request, mode: 'plan' as const, hints: { timeout_seconds: 0.02 } };
    const plan = { seconds_per_step: 60 };
    expect((await callAgent(planned, { model: 'openai://m', plan, context: { ...space.context, models: slow } })).error).toMatchObject({
      code: 'CANCELLED_TIMEOUT',
    });
    const model = space.script({ tool_calls: [{ tool: 'ask_user', input: { question: 'Tea?' } }] });
    const waiting = { ...request, tools: ['ask_user'], hints: { timeout_seconds: 0.5 } };
    const asked = await callAgent(waiting, { model, context: space.context, onSuspend: () => new Promise(() => undefined) });
    expect(asked.error).toMatchObject({ code: 'CANCELLED_TIMEOUT', message: expect.stringContaining('0.5 s') });
  });
});
