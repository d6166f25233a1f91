import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { askFlow, TestServer } from '#main/hosts/server/testing/test-server.ts';
import { OtlpReceiver } from '#main/testing/otlp-receiver.ts';

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const traceparent = (flags: string) => `00-${traceId}-00f067aa0ba902b7-${flags}`;

let receiver: OtlpReceiver;

beforeEach(async () => {
  receiver = await OtlpReceiver.start();
  vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', receiver.url);
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await receiver[Symbol.asyncDispose]();
});

/** A model server, with the headers of its requests. */
async function modelServer() {
  const requests: IncomingHttpHeaders[] = [];
  const server = createServer((request, response) => {
    requests.push(request.headers);
    request.resume();
    const message = { role: 'assistant', content: '{"text":"Hello"}' };
    response.end(`${JSON.stringify({ model: 'm', message, done: true, done_reason: 'stop', prompt_eval_count: 7, eval_count: 3 })}\n`);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { requests, port, [Symbol.asyncDispose]: async () => void server.close() };
}

const agentFlow = (port: number) => `pravah: 1
name: answer
input: Question
output: Reply
schemas:
  Question: { type: object, properties: { text: { type: string } }, required: [text] }
  Reply: { type: object, properties: { text: { type: string } }, required: [text] }
nodes:
  - { kind: agent, from: Question, to: Reply, agent: { model: "ollama://127.0.0.1:${port}/m", prompt: "{text}" } }
`;

async function startAgent(server: TestServer, headers: Readonly<Record<string, string>> = {}) {
  const caller = await server.caller('read', 'run');
  return caller.post('/v1/runs?wait=60', { flow: 'answer.flow.yaml', input: { text: 'a private question' } }, headers);
}

describe('traces of a server', () => {
  it('continue the trace of the request, through the run to the model', async () => {
    await using models = await modelServer();
    await using server = await TestServer.start({ 'answer.flow.yaml': agentFlow(models.port) }, { telemetry: { content: false } });
    const answer = await startAgent(server, { traceparent: traceparent('01') });
    expect(answer).toMatchObject({ status: 201, body: { status: 'success' } });
    await server.stop();
    const [chat] = receiver.named('chat m');
    if (!chat) throw new Error(`There is no span of the model among ${receiver.spans.map(({ name }) => name).join()}.`);
    expect(receiver.path(chat)).toEqual(['POST /v1/runs', 'invoke_workflow answer', 'invoke_agent Question', 'chat m']);
    expect(receiver.named('POST /v1/runs')).toMatchObject([{ traceId, parentSpanId: '00f067aa0ba902b7' }]);
    expect(new Set(receiver.spans.map((span) => span.traceId))).toEqual(new Set([traceId]));
    expect(models.requests.map((headers) => headers.traceparent)).toEqual([`00-${traceId}-${chat.spanId}-01`]);
    expect(chat.attributes).toMatchObject({ 'gen_ai.usage.input_tokens': { intValue: 7 }, 'gen_ai.usage.output_tokens': { intValue: 3 } });
    expect(JSON.stringify(receiver.spans)).not.toContain('private');
    expect([...receiver.metrics].sort()).toEqual(['gen_ai.client.operation.duration', 'gen_ai.client.token.usage']);
    expect([...receiver.services]).toEqual(['pravah']);
  });

  it('have contents if they are asked for', async () => {
    await using models = await modelServer();
    await using server = await TestServer.start({ 'answer.flow.yaml': agentFlow(models.port) }, { telemetry: { content: true } });
    await startAgent(server);
    await server.stop();
    const [chat] = receiver.named('chat m');
    expect(chat?.attributes['gen_ai.input.messages']?.stringValue).toContain('a private question');
  });

  it('are not exported for a caller whose trace is not sampled', async () => {
    await using models = await modelServer();
    await using server = await TestServer.start({ 'answer.flow.yaml': agentFlow(models.port) }, { telemetry: { content: false } });
    await startAgent(server, { traceparent: traceparent('00') });
    await server.stop();
    expect(receiver.spans).toEqual([]);
    expect(models.requests.map((headers) => headers.traceparent?.slice(-2))).toEqual(['00']);
  });

  it('link an answered run to the trace before', async () => {
    await using server = await TestServer.start({ 'ask.flow.yaml': askFlow }, { telemetry: { content: false } });
    const caller = await server.caller('read', 'run');
    const { body } = await caller.post('/v1/runs?wait=60', { flow: 'ask.flow.yaml', input: { n: 1 } });
    const [{ tool_id, tool_call_id }] = body.suspensions as [{ tool_id: string; tool_call_id: string }];
    await server.restart({ telemetry: { content: false } });
    const again = await server.caller('read', 'run');
    await again.post(`/v1/runs/${body.run_id}/resume`, { tool_id, tool_call_id, payload: { ok: true } });
    await server.stop();
    const [before, after] = receiver.named('invoke_workflow ask');
    expect(before?.attributes['pravah.status']).toEqual({ stringValue: 'suspended' });
    expect(after?.links).toMatchObject([{ traceId: before?.traceId, spanId: before?.spanId }]);
    expect(after && receiver.path(after)).toEqual(['POST /v1/runs/{id}/resume', 'invoke_workflow ask']);
  });

  it('are made of no probes, and of nothing without an endpoint', async () => {
    await using server = await TestServer.start({ 'ask.flow.yaml': askFlow });
    const caller = await server.caller('read', 'run');
    await caller.get('/v1/flows', { traceparent: traceparent('01') });
    await server.restart({ telemetry: { content: false } });
    const again = await server.caller('read', 'run');
    await again.get('/health');
    await again.get('/v1/me');
    await server.stop();
    expect(receiver.spans.map(({ name }) => name)).toEqual(['GET /v1/me']);
  });
});
