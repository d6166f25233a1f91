import { join } from 'node:path';
import { SpanStatusCode, trace } from '@opentelemetry/api';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { TestWorkspace } from '#main/engine/testing/workspace.ts';
import { defineFlow } from '#main/sdk/builder/define-flow.ts';
import { defineTool } from '#main/sdk/builder/define-tool.ts';
import { state } from '#main/sdk/builder/state.ts';
import type { ContextOptions } from '#main/sdk/context-options.ts';
import { createContext } from '#main/sdk/create-context.ts';
import { openJournal } from '#main/sdk/open-journal.ts';
import { telemetry } from '#main/sdk/otel.ts';
import { scriptedModel } from '#main/sdk/scripted/scripted-model.ts';
import { CollectedTelemetry } from '#main/telemetry/testing/collected-telemetry.ts';

const Ticket = state('Ticket', z.object({ mail: z.string() }));
const Reply = state('Reply', z.object({ text: z.string() }));
const key = 'sk-very-secret-value';

const customers = defineTool({
  name: 'customers',
  description: 'The customer who has a mail address.',
  effect: 'read',
  input: z.object({ mail: z.string() }),
  output: z.object({ name: z.string(), active: z.string() }),
  call: async ({ mail }) => ({ name: mail, active: trace.getActiveSpan()?.spanContext().spanId ?? '' }),
});

const answering = defineFlow({ input: Ticket, output: Reply, tools: [customers] })
  .agent(Ticket, Reply, { model: 'openai://gpt-x', prompt: `Answer {mail}.`, tools: ['customers'] })
  .build();

const turns = () =>
  scriptedModel([
    { tool: 'customers', input: { mail: 'a@b.c' }, usage: { tokens_in: 10, tokens_out: 2 } },
    { output: { text: 'Hello' }, usage: { tokens_in: 20, tokens_out: 5 } },
  ]);

const Question = state('Question', z.object({ text: z.string() }));
const Answer = state('Answer', z.object({ yes: z.boolean() }));
const asking = defineFlow({ input: Question, output: Answer }).suspend(Question, Answer).build();

let collected: CollectedTelemetry;

beforeEach(() => {
  collected = new CollectedTelemetry();
});
afterEach(() => collected[Symbol.dispose]());

const contextOf = (options: ContextOptions = {}) => {
  const model = turns();
  return createContext({ models: () => model, tools: [customers], telemetry: telemetry(), ...options });
};

describe('telemetry', () => {
  it('traces a run, its visits, model calls and tool calls by the conventions', async () => {
    const run = answering.start({ mail: 'a@b.c' }, await contextOf());
    await run.toEnd();
    expect(collected.tree).toEqual([
      `invoke_workflow ${answering.name}`,
      '  invoke_agent Ticket',
      '    chat gpt-x',
      '    execute_tool customers',
      '    chat gpt-x',
    ]);
    expect(collected.named(`invoke_workflow ${answering.name}`)[0]?.attributes).toMatchObject({
      'gen_ai.operation.name': 'invoke_workflow',
      'gen_ai.workflow.name': answering.name,
      'pravah.run_id': run.run_id,
      'pravah.flow_hash': answering.hash,
      'pravah.status': 'success',
    });
    expect(collected.named('invoke_agent Ticket')[0]?.attributes).toMatchObject({
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.agent.name': 'Ticket',
      'pravah.node': 'Ticket',
    });
    expect(collected.named('chat gpt-x')[0]?.attributes).toEqual({
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'openai',
      'gen_ai.request.model': 'gpt-x',
      'gen_ai.response.finish_reasons': ['tool_call'],
      'gen_ai.usage.input_tokens': 10,
      'gen_ai.usage.output_tokens': 2,
      'pravah.run_id': run.run_id,
      'pravah.node': 'Ticket',
    });
    expect(collected.named('execute_tool customers')[0]?.attributes).toMatchObject({
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': 'customers',
      'gen_ai.tool.call.id': expect.any(String),
    });
  });

  it('measures tokens and durations of model calls', async () => {
    await answering.start({ mail: 'a@b.c' }, await contextOf()).toEnd();
    const measured = await collected.measured('gen_ai.operation.name', 'gen_ai.request.model', 'gen_ai.token.type');
    expect(measured).toMatchObject({
      'gen_ai.client.token.usage chat gpt-x input': { count: 2, sum: 30 },
      'gen_ai.client.token.usage chat gpt-x output': { count: 2, sum: 7 },
      'gen_ai.client.operation.duration chat gpt-x': { count: 2 },
    });
  });

  it('belongs to the span that is active in the caller, and is active in tools', async () => {
    const seen: string[] = [];
    const watching = {
      ...customers,
      call: async () => ({ name: 'a', active: String(seen.push(trace.getActiveSpan()?.spanContext().spanId ?? '')) }),
    };
    const ctx = await contextOf({ tools: [watching] });
    await trace.getTracer('test').startActiveSpan('request', async (span) => {
      await answering.start({ mail: 'a@b.c' }, ctx).toEnd();
      span.end();
    });
    expect(collected.tree.slice(0, 2)).toEqual(['request', `  invoke_workflow ${answering.name}`]);
    expect(new Set(collected.spans.map((span) => span.spanContext().traceId)).size).toBe(1);
    expect(seen).toEqual(collected.named('execute_tool customers').map((span) => span.spanContext().spanId));
  });

  it('has no contents unless they are asked for', async () => {
    const run = async (content: boolean) => {
      const ctx = await contextOf({ telemetry: telemetry({ content }), secrets: { KEY: key } });
      await answering.start({ mail: 'a@b.c' }, ctx).toEnd();
      return JSON.stringify(collected.spans.map(({ attributes }) => attributes));
    };
    expect(await run(false)).not.toContain('a@b.c');
    const told = await run(true);
    expect(told).toContain('Answer a@b.c.');
    const [tool] = collected.named('execute_tool customers').slice(-1);
    expect(JSON.parse(String(tool?.attributes['gen_ai.tool.call.arguments']))).toEqual({ mail: 'a@b.c' });
    expect(JSON.parse(String(tool?.attributes['gen_ai.tool.call.result']))).toMatchObject({ name: 'a@b.c' });
    const last = collected.named('chat gpt-x').at(-1);
    expect(JSON.parse(String(last?.attributes['gen_ai.input.messages']))).toMatchObject([
      { role: 'user', parts: [{ type: 'text', content: 'Answer a@b.c.' }] },
      { role: 'assistant', parts: [{ type: 'tool_call', name: 'customers', arguments: { mail: 'a@b.c' } }] },
      { role: 'tool', parts: [{ type: 'tool_call_response', response: { name: 'a@b.c' } }] },
    ]);
  });

  it('masks secrets in contents', async () => {
    const ctx = await contextOf({ telemetry: telemetry({ content: true }), secrets: { KEY: key } });
    const leaking = defineFlow({ input: Ticket, output: Reply, tools: [customers] })
      .agent(Ticket, Reply, { model: 'openai://gpt-x', mode: 'chat', prompt: `Use ${key} for {mail}.` })
      .build();
    await leaking.start({ mail: 'a@b.c' }, ctx).result();
    const told = JSON.stringify(collected.spans.map(({ attributes }) => attributes));
    expect(told).toContain('Use {secret:KEY} for a@b.c.');
    expect(told).not.toContain(key);
  });

  it('marks what failed with its code, without the message', async () => {
    const ctx = await contextOf({ models: () => ({ complete: () => Promise.reject(new Error('a@b.c is unknown')) }) });
    await answering.start({ mail: 'a@b.c' }, ctx).result();
    for (const name of [`invoke_workflow ${answering.name}`, 'invoke_agent Ticket', 'chat gpt-x'])
      expect(collected.named(name)).toMatchObject([
        { status: { code: SpanStatusCode.ERROR }, attributes: { 'error.type': expect.any(String) } },
      ]);
    expect(JSON.stringify(collected.spans.map(({ status, attributes, events }) => [status, attributes, events]))).not.toContain('a@b.c');
    expect(await collected.measured('error.type')).toMatchObject({
      [`gen_ai.client.operation.duration ${collected.spans[0]?.attributes['error.type']}`]: { count: 1 },
    });
  });

  it('begins a trace that links to the one before when a run is resumed, in this process and in another', async () => {
    using space = new TestWorkspace();
    const path = join(space.folder, 'runs.db');
    const ctx = await createContext({ telemetry: telemetry() });
    const first = await openJournal(path);
    const run = first.start(asking, { text: '?' }, ctx);
    const { run_id } = run;
    expect(await run.result()).toMatchObject({ status: 'suspended' });
    first.close();
    const second = await openJournal(path);
    const reopened = second.open(asking, run_id, ctx);
    const [suspension] = reopened.suspensions;
    if (!suspension) throw new Error('The run does not wait.');
    await reopened.resume(suspension, { yes: true });
    second.close();
    const [before, after] = collected.named(`invoke_workflow ${asking.name}`);
    expect(before?.attributes['pravah.status']).toBe('suspended');
    expect(after?.attributes['pravah.status']).toBe('success');
    expect(after?.links.map(({ context: { traceId, spanId } }) => [traceId, spanId])).toEqual([
      [before?.spanContext().traceId, before?.spanContext().spanId],
    ]);
    expect(after?.spanContext().traceId).not.toBe(before?.spanContext().traceId);
  });

  it('records nothing of a replay, and replays records that have a trace', async () => {
    using space = new TestWorkspace();
    const journal = await openJournal(join(space.folder, 'runs.db'));
    const run = journal.start(answering, { mail: 'a@b.c' }, await contextOf());
    await run.toEnd();
    const { length } = collected.spans;
    expect(await journal.replay(answering, run.run_id)).toMatchObject({ divergence: null });
    expect(collected.spans).toHaveLength(length);
    journal.close();
  });

  it('ends the span of a run that is paused', async () => {
    const run = answering.start({ mail: 'a@b.c' }, await contextOf());
    for await (const event of run.stream()) if (event.type === 'inference_end') break;
    await run[Symbol.asyncDispose]();
    expect(collected.named(`invoke_workflow ${answering.name}`)).toMatchObject([{ attributes: { 'pravah.status': 'paused' } }]);
  });
});
