import { describe, expect, test } from 'vitest';
import type { Context } from '#main/engine/ports/context.ts';
import { TestWorkspace } from '#main/engine/testing/workspace.ts';
import type { RunEvent } from '#shared/run/event.ts';
import { type AgentCallOptions, callAgent, createContext, type SystemRequest } from './runtime.ts';

const request: SystemRequest = { request_id: 'r', mode: 'chat', messages: [{ role: 'user', content: [{ type: 'text', text: 'Hello?' }] }] };
const throwing = (): never => {
  throw new Error('broken');
};

describe('callAgent', () => {
  test('answers although its listener throws at every event, and reports that', async () => {
    using space = new TestWorkspace();
    const model = space.script({ text: 'Hello.' });
    const errors: unknown[] = [];
    const listener = { onEvent: throwing, onListenerError: (error: unknown) => errors.push(error) };
    const response = await callAgent(request, { model, context: space.context, ...listener });
    expect(response).toMatchObject({ content: 'Hello.', error: null });
    expect(errors.length).toBeGreaterThan(5);
    const told = errors.length;
    const ofContext = await callAgent(request, { model, context: { ...space.context, ...listener } });
    expect(ofContext).toMatchObject({ content: 'Hello.', error: null });
    expect(errors).toHaveLength(2 * told);
  });

  test.each<[string, Partial<Context>]>([
    ['ids', { newId: throwing }],
    ['a clock', { clock: { now: throwing } }],
    ['models', { models: throwing }],
  ])('resolves to an error where the context has %s that throw', async (_, broken) => {
    using space = new TestWorkspace();
    const { request_id: _made, ...anonymous } = request;
    const response = await callAgent(anonymous, { model: 'openai://m', context: { ...space.context, ...broken } });
    expect(response).toMatchObject({ request_id: expect.any(String), content: '', error: { message: expect.stringContaining('broken') } });
  });

  test.each([
    ['no context', request, { model: 'openai://m' }, 'CONFIG_NO_CONTEXT'],
    ['no options', request, undefined, 'CONFIG_NO_CONTEXT'],
    ['no model', request, {}, 'CONFIG_NO_ENGINE'],
    ['no request', null, { model: 'openai://m' }, 'CONFIG_REQUEST_INVALID'],
  ])('resolves to an error for %s', async (what, asked, options, code) => {
    const context = what.includes('context') || what.includes('options') ? {} : { context: await createContext() };
    const given = options && { ...options, ...context };
    const response = await callAgent(asked as SystemRequest, given as unknown as AgentCallOptions);
    expect(response.error).toMatchObject({ code });
  });

  test('resolves to an error where onSuspend throws', async () => {
    using space = new TestWorkspace();
    const model = space.script({ tool_calls: [{ tool: 'ask_user', input: { question: 'Tea?' } }] });
    const response = await callAgent({ ...request, tools: ['ask_user'] }, { model, context: space.context, onSuspend: throwing });
    expect(response.error).toMatchObject({ message: expect.stringContaining('broken') });
  });

  test('asks nothing where it is cancelled already', async () => {
    const asked: string[] = [];
    const models = (url: string) => {
      asked.push(url);
      return undefined;
    };
    const events: string[] = [];
    const onEvent = ({ type }: RunEvent) => events.push(type);
    const context = await createContext({ models, onEvent, signal: AbortSignal.abort() });
    const response = await callAgent(request, { model: 'openai://m', context });
    expect(response.error).toMatchObject({ code: 'CANCELLED_SIGNAL', category: 'cancellation' });
    expect([asked, events]).toEqual([[], ['init_stream', 'error', 'end_stream']]);
  });

  test('does not wait for a tool that ignores the cancellation', { timeout: 30_000 }, async () => {
    const begun = Promise.withResolvers<void>();
    const call = () => {
      begun.resolve();
      return new Promise<never>(() => undefined);
    };
    const deaf = {
      name: 'deaf',
      description: 'Ignores its signal.',
      input_schema: { type: 'object' },
      effect: 'read',
      approve: 'never',
      call,
    } as const;
    const stop = new AbortController();
    using space = new TestWorkspace({ signal: stop.signal }, [deaf]);
    const model = space.script({ tool_calls: [{ tool: 'deaf' }] });
    const response = callAgent({ ...request, tools: ['deaf'] }, { model, context: space.context });
    await begun.promise;
    stop.abort();
    expect((await response).error).toMatchObject({ code: 'CANCELLED_SIGNAL' });
  });
});
