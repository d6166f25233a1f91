import { describe, expect, it } from 'vitest';
import { FlowRuntime } from '#main/engine/flow-runtime.ts';
import type { ModelRequest, ModelResponse } from '#main/engine/ports/model-client.ts';
import { type FlowSketch, flowOf } from '#main/engine/testing/flows.ts';
import { failureFrom, goOn } from '#main/engine/testing/run-to-end.ts';
import { TestWorkspace } from '#main/engine/testing/workspace.ts';
import type { AgentSettings } from '#shared/flow/document.ts';
import type { Message } from '#shared/run/message.ts';

const text = (role: Message['role'], said: string): Message => ({ role, content: [{ type: 'text', text: said }] });
const cut = (said: string): Message => ({ ...text('assistant', said), incomplete: true });
const reply: FlowSketch['schemas'] = { Z: { type: 'object', properties: { answer: { type: 'string' } }, required: ['answer'] } };

function start(agent: AgentSettings): FlowRuntime {
  return FlowRuntime.new(flowOf([{ kind: 'agent', from: ['A'], to: ['Z'], body: { type: 'agent', agent } }], { schemas: reply }), {});
}

/** Says something, then does not end before it is told to; and, with `deaf`, not even then. */
const endless =
  (said: string, begun: () => void = () => undefined, deaf = false) =>
  () => ({
    complete: ({ onDelta, onCall, signal }: ModelRequest) =>
      new Promise<ModelResponse>((_, reject) => {
        onDelta?.({ type: 'text', text: said });
        onCall?.({ type: 'tool_call', tool_call_id: 'c1', tool: 'read_file', input: {} });
        if (!deaf) signal.addEventListener('abort', () => reject(signal.reason));
        begun();
      }),
  });

describe('an answer that is cut off', () => {
  it('is kept in the conversation as incomplete, and goes to no model when the step is tried again', async () => {
    using space = new TestWorkspace();
    const model = space.script({ output: { wrong: 1 } }, { text: 'I was about to', error: { code: 'INFERENCE_ENGINE_ERROR' } });
    const runtime = start({ model, prompt: 'Well?' });
    await runtime.next(space.context);
    const before = runtime.snapshot();
    expect(await failureFrom(runtime.next(space.context))).toMatchObject({
      code: 'INFERENCE_ENGINE_ERROR',
      node: 'A',
      details: { partial: cut('I was about to') },
    });
    expect(runtime.snapshot()).toEqual(before);
    expect(runtime.history().A?.slice(2)).toEqual([expect.objectContaining({ role: 'user' }), cut('I was about to')]);
    const seen: (readonly Message[])[] = [];
    const models = () => ({
      complete: async ({ messages }: ModelRequest): Promise<ModelResponse> => {
        seen.push(messages);
        return { message: text('assistant', '{"answer":"yes"}'), finish_reason: 'stop', usage: { tokens_in: 1, tokens_out: 1 } };
      },
    });
    expect(await goOn(runtime, { ...space.context, models })).toMatchObject({ type: 'done' });
    expect(seen).toHaveLength(1);
    expect(seen[0]).toHaveLength(3);
    expect(JSON.stringify(seen)).not.toContain('about to');
    expect(runtime.history().A?.map(({ role, incomplete = false }) => `${role} ${incomplete}`)).toEqual([
      ...['user false', 'assistant false', 'user false', 'assistant true', 'assistant false'],
    ]);
  });

  it('in the first turn does not move where a later visit begins, also in a run that is restored', async () => {
    using space = new TestWorkspace();
    const model = space.script({ text: 'Hm', error: { code: 'INFERENCE_ENGINE_ERROR' } });
    const settings = { model, prompt: 'Well?', tools: ['list_files'] };
    const first = start(settings);
    await failureFrom(first.next(space.context));
    expect(first.history()).toEqual({ A: [cut('Hm')] });
    space.script({ tool_calls: [{ tool: 'list_files' }] }, { expect: { contains: 'script.json' }, output: { answer: 'yes' } });
    await first.next(space.context);
    expect(first.snapshot().control.agents.A?.history_start).toBe(0);
    const graph = flowOf([{ kind: 'agent', from: ['A'], to: ['Z'], body: { type: 'agent', agent: settings } }], { schemas: reply });
    const restored = FlowRuntime.fromSnapshot(graph, first.snapshot()).withHistory(first.history());
    expect(await goOn(restored, space.context)).toMatchObject({ type: 'done' });
    expect(restored.history().A?.map(({ role }) => role)).toEqual(['assistant', 'user', 'assistant', 'tool', 'assistant', 'tool']);
  });

  it.each([
    ['a client that gives up', false],
    ['a client that does not listen', true],
  ])('by the run’s end is kept with its calls: %s', async (_what, deaf) => {
    const stop = new AbortController();
    using space = new TestWorkspace({ signal: stop.signal, models: endless('Once upon', () => stop.abort(), deaf) });
    const runtime = start({ model: 'openai://x' });
    expect(await failureFrom(runtime.next(space.context))).toMatchObject({ variant: 'Cancelled', node: 'A' });
    const call = { type: 'tool_call', tool_call_id: 'c1', tool: 'read_file', input: {} };
    expect(runtime.history()).toEqual({
      A: [{ role: 'assistant', content: [{ type: 'text', text: 'Once upon' }, call], incomplete: true }],
    });
  });

  it('by the agent’s time is kept, without a secret that it repeats', async () => {
    using space = new TestWorkspace({
      models: endless('It is hunter2hunter2', undefined, true),
      secrets: new Map([['PASSWORD', 'hunter2hunter2']]),
    });
    const runtime = start({ model: 'openai://x', limits: { seconds: 0.05 } });
    const failure = await failureFrom(runtime.next(space.context));
    expect(failure).toMatchObject({ code: 'CANCELLED_TIMEOUT', details: { partial: { incomplete: true } } });
    expect(JSON.stringify(runtime.history())).toContain('It is {secret:PASSWORD}');
    expect(JSON.stringify([failure, runtime.history(), space.events])).not.toContain('hunter2');
  });

  it('masks a secret that is split across stream chunks', async () => {
    let time = 0;
    const secret = 'hunter2hunter2';
    const pieces = ['The word is ', ...secret, ', or hunter', '3. And ', secret, ' hunter2hunter'];
    const models = () => ({
      complete: async ({ onDelta }: ModelRequest): Promise<ModelResponse> => {
        for (const text of pieces) onDelta?.({ type: 'text', text });
        throw new Error('the line is dead');
      },
    });
    using space = new TestWorkspace({ models, secrets: new Map([['PASSWORD', secret]]), clock: { now: () => (time += 1000) } });
    await failureFrom(start({ model: 'openai://x' }).next(space.context));
    const told = space.events.flatMap((event) => (event.type === 'message' ? [event.content] : []));
    expect(told.length).toBeGreaterThan(3);
    expect(told.join('')).toBe('The word is {secret:PASSWORD}, or hunter3. And {secret:PASSWORD} hunter2hunter');
  });

  it('of a replica stays in its conversation', async () => {
    using space = new TestWorkspace();
    space.write('cut.json', JSON.stringify({ turns: [{ text: 'No', error: { code: 'INFERENCE_ENGINE_ERROR' } }] }));
    const node = {
      kind: 'agent',
      from: ['A'],
      to: ['Z'],
      body: { type: 'agent', agent: { model: space.script({ text: '1' }) }, answers: { name: 'Y', schema: {} } },
    } as const;
    const runtime = FlowRuntime.new(flowOf([node]), {}, { models: { A: 'script://cut.json' } });
    expect(await goOn(runtime, space.context)).toMatchObject({ output: { error: { code: 'INFERENCE_ENGINE_ERROR' } } });
    expect(runtime.history()).toEqual({ A: [cut('No')] });
  });

  it('keeps no timer for longer than a timer can run', async () => {
    using space = new TestWorkspace();
    const runtime = start({ model: space.script({ output: { answer: 'yes' } }), limits: { seconds: 1e9 } });
    expect(await runtime.next(space.context)).toMatchObject({ type: 'done' });
  });
});

it('a rejected output of megabytes is in the failure by its beginning and its length', async () => {
  using space = new TestWorkspace();
  const wrong = { output: { wrong: 'x'.repeat(1_000_000) } };
  const runtime = start({ model: space.script(wrong, wrong, wrong, wrong), prompt: 'Well?' });
  const failure = await failureFrom(goOn(runtime, space.context));
  expect(failure).toMatchObject({
    code: 'CONSTRAINT_SCHEMA_INVALID',
    details: { rejected: expect.stringMatching(/^\{"wrong":"x+… \(1000012 characters\)$/) },
  });
  expect(JSON.stringify(failure).length).toBeLessThan(200_000);
});
