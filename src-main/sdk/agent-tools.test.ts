import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { failureFrom } from '#main/engine/testing/run-to-end.ts';
import { TestWorkspace } from '#main/engine/testing/workspace.ts';
import type { Json } from '#shared/json.ts';
import type { Suspension } from '#shared/run/event.ts';
import type { ContextOptions } from './context-options.ts';
import {
  callAgent,
  createContext,
  defineFlow,
  defineTool,
  FlowRuntime,
  type ModelRequest,
  type ModelResponse,
  type SystemRequest,
  state,
} from './runtime.ts';

const messages: SystemRequest['messages'] = [{ role: 'user', content: [{ type: 'text', text: 'Go on.' }] }];
const text = (value: string): ModelResponse => ({
  message: { role: 'assistant', content: [{ type: 'text', text: value }] },
  finish_reason: 'stop',
  usage: { tokens_in: 1, tokens_out: 1 },
});
const calling = (tool: string, input: Json): ModelResponse => ({
  message: { role: 'assistant', content: [{ type: 'tool_call', tool_call_id: '', tool, input }] },
  finish_reason: 'tool',
  usage: { tokens_in: 1, tokens_out: 1 },
});

/** A model that says these things in turn, and what it was asked. */
function scripted(...turns: ModelResponse[]) {
  const requests: ModelRequest[] = [];
  const complete = async (request: ModelRequest) => {
    requests.push(request);
    return turns.shift() ?? text('Done.');
  };
  return { requests, models: () => ({ complete }) };
}

const input = z.object({ text: z.string() });
const note = defineTool({ name: 'note', description: 'Keeps a note.', input, call: () => 'noted' });
const look = defineTool({ name: 'look', description: 'Looks.', input, effect: 'read', call: () => 'seen' });
const free = defineTool({ name: 'free', description: 'Writes, and need not ask.', input, approve: 'never', call: () => 'written' });
const quiz = defineTool({
  name: 'quiz',
  description: 'Asks.',
  input,
  effect: 'read',
  call: (_, ctx) => ctx.suspend('?'),
  resume: (_, answer) => answer,
});

async function ask(tools: string[] | undefined, options: ContextOptions, turns: ModelResponse[] = [], more = {}) {
  const { requests, models } = scripted(...turns);
  const context = await createContext({ models, ...options });
  const request: SystemRequest = { mode: 'chat', messages, ...(tools && { tools }) };
  const response = await callAgent(request, { model: 'openai://m', context, ...more });
  return { response, requests, offered: requests[0]?.tools.map(({ name }) => name) };
}

describe('the tools that a model is offered', () => {
  test('are empty if the request has no list', async () => {
    expect((await ask(undefined, { tools: [look] })).offered).toEqual([]);
  });

  test('are all that the program registered where the list is empty, each once', async () => {
    expect((await ask([], { tools: [look, free] })).offered).toEqual(['look', 'free']);
  });

  test('do not come from a working folder alone', async () => {
    using space = new TestWorkspace();
    expect((await ask([], { working_dir: space.folder })).offered).toEqual([]);
    const { response, requests } = await ask(['read_file'], { working_dir: space.folder });
    expect(response.error).toMatchObject({ code: 'TOOL_NOT_FOUND', message: expect.stringContaining("builtin: ['read_file']") });
    expect(requests).toEqual([]);
    expect((await ask(['read_file'], { working_dir: space.folder, builtin: ['read_file'] })).offered).toEqual(['read_file']);
  });

  test('are each named once, under the name in the registry', async () => {
    expect((await ask(['look', './tools/look.ts', 'look'], { tools: [look] })).offered).toEqual(['look']);
  });
});

describe('a tool that writes', () => {
  const change = calling('write_file', { path: 'a.txt', content: 'changed' });

  test('asks before it overwrites a file, and a refusal leaves the file as it was', async () => {
    using space = new TestWorkspace();
    space.write('a.txt', 'mine');
    const asked: Suspension[] = [];
    const onSuspend = (suspension: Suspension) => {
      asked.push(suspension);
      return { approve: false, reason: 'no' };
    };
    const options: ContextOptions = { working_dir: space.folder, builtin: ['write_file'] };
    const { response } = await ask(['write_file'], { ...options, onSuspend }, [change]);
    expect(asked).toMatchObject([{ reason: 'approval', value: { tool: 'write_file', path: 'a.txt' } }]);
    expect(response).toMatchObject({ error: null, tool_calls_made: [{ tool: 'write_file', is_error: true }] });
    expect(space.read('a.txt')).toBe('mine');
  });

  test('does not ask where the program says never', async () => {
    using space = new TestWorkspace();
    const options: ContextOptions = { working_dir: space.folder, builtin: ['write_file'], approve: { write_file: 'never' } };
    const { response } = await ask(['write_file'], options, [change]);
    expect(response.error).toBeNull();
    expect(space.read('a.txt')).toBe('changed');
  });

  test('does not ask where the tool says never', async () => {
    const { response } = await ask(['free'], { tools: [free] }, [calling('free', { text: 'x' })]);
    expect(response).toMatchObject({ error: null, tool_calls_made: [{ tool: 'free', is_error: false }] });
  });

  test('asks where the program says always', async () => {
    const onSuspend = () => ({ approve: true });
    const asked: unknown[] = [];
    const onEvent = ({ type }: { type: string }) => asked.push(type);
    const options: ContextOptions = { tools: [look], approve: { look: 'always' }, onSuspend, onEvent };
    await ask(['look'], options, [calling('look', { text: 'x' })]);
    expect(asked).toContain('suspended');
  });
});

describe('a tool that may ask without onSuspend', () => {
  test.each<[string, string[], ContextOptions, string]>([
    ['a built-in tool that writes', ['write_file'], { builtin: ['write_file'] }, "approve: { write_file: 'never' }"],
    ['a command', ['run_command'], { builtin: ['run_command'] }, "approve: { run_command: 'never' }"],
    ['a tool of the program that writes', ['note'], { tools: [note] }, "approve: { note: 'never' }"],
    ['a tool that the program has ask', ['look'], { tools: [look], approve: { look: 'always' } }, "approve: { look: 'never' }"],
    ['a question to the user', ['ask_user'], { builtin: ['ask_user'] }, 'remove the tool'],
    ['a tool that suspends', ['quiz'], { tools: [quiz] }, 'remove the tool'],
    ['one among all', [], { tools: [look, note] }, "approve: { note: 'never' }"],
    [
      'a protected file',
      ['write_file'],
      { builtin: ['write_file'], approve: { write_file: 'never' }, writable: ['pravah.json'] },
      'remove the option writable',
    ],
    ['writing after content from outside', ['scrape_url', 'free'], { builtin: ['scrape_url'], tools: [free] }, 'trust_content: true'],
  ])('is refused before the model is called: %s', async (_, tools, options, wayOut) => {
    using space = new TestWorkspace();
    const { response, requests } = await ask(tools, { working_dir: space.folder, ...options });
    const named = tools.at(-1) ?? 'note';
    expect(response.error).toMatchObject({
      code: 'CONFIG_NO_ANSWERER',
      category: 'configuration',
      retryable: false,
      details: { tool: named },
    });
    for (const part of [named, 'onSuspend', wayOut]) expect(response.error?.message).toContain(part);
    expect(requests).toEqual([]);
  });

  test('is accepted where the program answers, or says that outside content may be trusted', async () => {
    const answer = { onSuspend: () => ({ approve: true }) };
    expect((await ask(['note'], { tools: [note] }, [calling('note', { text: 'x' })], answer)).response.error).toBeNull();
    const outside: ContextOptions = { builtin: ['scrape_url'], tools: [free] };
    expect((await ask(['scrape_url', 'free'], outside, [], { trust_content: true })).response.error).toBeNull();
  });
});

describe('a tool of the program that writes, called from a handler', () => {
  const [A, B] = [state('A', z.number()), state('B', z.string())];
  const flowWith = (use: 'note' | { readonly use: 'note'; readonly approve: 'never' }) =>
    defineFlow({ input: A, output: B, tools: ['note'] })
      .work(A, B, async (_, ctx) => (await ctx.tools.note({ text: 'x' })) as string, { tools: [use] })
      .build();

  test('runs where the flow or the program says that it need not ask', async () => {
    const byFlow = FlowRuntime.new(flowWith({ use: 'note', approve: 'never' }), 1);
    expect(await byFlow.next(await createContext({ tools: [note] }))).toEqual({ type: 'done', output: 'noted' });
    const byProgram = FlowRuntime.new(flowWith('note'), 1);
    const context = await createContext({ tools: [note], approve: { note: 'never' } });
    expect(await byProgram.next(context)).toEqual({ type: 'done', output: 'noted' });
  });

  test('is found under the path that it has in a workspace', async () => {
    const flow = defineFlow({ input: A, output: B })
      .work(A, B, async (_, ctx) => (await ctx.tools['./tools/look.ts']?.({ text: 'x' })) as string, { tools: ['./tools/look.ts'] })
      .build();
    expect(await FlowRuntime.new(flow, 1).next(await createContext({ tools: [look] }))).toEqual({ type: 'done', output: 'seen' });
  });

  test('names the option where a flow calls a built-in tool that is not registered', async () => {
    const flow = defineFlow({ input: A, output: B })
      .work(A, B, async (_, ctx) => (await ctx.tools.read_file?.({ path: 'a' })) as string, { tools: ['read_file'] })
      .build();
    const failure = await failureFrom(FlowRuntime.new(flow, 1).next(await createContext({ working_dir: '.' })));
    expect(failure.message).toContain('under builtin');
  });
});
