import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addFlow, askFlow, type Caller, countFlow, TestServer, writeFlow } from '#main/hosts/server/testing/test-server.ts';
import { confirm } from '#main/workspace/capabilities/consent.ts';
import type { Scope } from '#shared/contract/server/common.ts';
import type { JsonObject } from '#shared/json.ts';

let server: TestServer;
beforeAll(async () => {
  server = await TestServer.start({
    'add.flow.yaml': addFlow,
    'ask.flow.yaml': askFlow,
    'count.flow.yaml': countFlow,
    'write.flow.yaml': writeFlow,
  });
});
afterAll(() => server[Symbol.asyncDispose]());

/** A client as programs have it. `answer` answers its questions. */
class McpClient {
  readonly client: Client;
  readonly transport: StreamableHTTPClientTransport;

  private constructor({ url, token }: Pick<Caller, 'url' | 'token'>, answers: boolean) {
    this.client = new Client({ name: 'test', version: '1' }, { capabilities: answers ? { elicitation: { form: {} } } : {} });
    this.transport = new StreamableHTTPClientTransport(new URL('/mcp', url), {
      requestInit: { headers: { authorization: `Bearer ${token}` } },
    });
  }

  static async connect(caller: Pick<Caller, 'url' | 'token'>, answer?: JsonObject): Promise<McpClient> {
    const one = new McpClient(caller, answer !== undefined);
    if (answer) one.client.setRequestHandler(ElicitRequestSchema, () => ({ action: 'accept', content: answer as Record<string, string> }));
    await one.client.connect(one.transport);
    return one;
  }

  async call(name: string, input: JsonObject): Promise<JsonObject> {
    return (await this.client.callTool({ name, arguments: input })) as JsonObject;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.client.close();
  }
}

const client = async (answer: JsonObject | undefined, ...scopes: Scope[]) => McpClient.connect(await server.caller(...scopes), answer);
const firstText = (result: JsonObject) => (result.content as { text: string }[])[0]?.text ?? '';

describe('/mcp', () => {
  it('offers the flows as tools, and runs them with progress', async () => {
    await using mcp = await client(undefined, 'read', 'run');
    const { tools } = await mcp.client.listTools();
    expect(tools.map(({ name }) => name).sort()).toEqual(['add', 'ask', 'count', 'pravah_resume', 'write']);
    expect(await mcp.call('add', { n: 1 })).toMatchObject({ structuredContent: { n: 2 } });
    const steps: number[] = [];
    const onprogress = ({ progress }: { progress: number }) => void steps.push(progress);
    expect(await mcp.client.callTool({ name: 'count', arguments: { n: 0, to: 5 } }, undefined, { onprogress })).toMatchObject({
      structuredContent: { n: 5 },
    });
    expect(steps.length).toBeGreaterThan(0);
  });

  it('asks the user by elicitation what a run asks', async () => {
    await using mcp = await client({ ok: true }, 'read', 'run');
    expect(await mcp.call('ask', { n: 1 })).toMatchObject({ structuredContent: { ok: true } });
  });

  it('offers runs as resources: the timeline and the capsule', async () => {
    await using mcp = await client(undefined, 'read', 'run');
    const { _meta } = await mcp.call('add', { n: 1 });
    const uri = `pravah://runs/${String((_meta as JsonObject).run_id)}`;
    const { resources } = await mcp.client.listResources();
    expect(resources.map((each) => each.uri)).toContain(uri);
    const { contents } = await mcp.client.readResource({ uri });
    expect(contents).toMatchObject([{ mimeType: 'text/markdown', text: expect.stringContaining('| 1 | A | B |') }]);
    const capsule = await mcp.client.readResource({ uri: `${uri}/capsule` });
    expect(JSON.parse((capsule.contents[0] as { text: string }).text)).toBeTypeOf('object');
    await expect(mcp.client.readResource({ uri: 'pravah://runs/none' })).rejects.toThrow('There is no resource');
  });

  it('leaves approvals to tokens that may approve', async () => {
    const { body: flow } = await (await server.caller('read')).get('/v1/flows/write.flow.yaml');
    await confirm(server.folder, 'write.flow.yaml', flow.unconfirmed as string[]);
    await using running = await client({ approve: true }, 'read', 'run');
    const waiting = await running.call('write', { text: 'hello' });
    expect(waiting).toMatchObject({ isError: true });
    const { run_id, tool_call_id } = JSON.parse(firstText(waiting)) as { run_id: string; tool_call_id: string };
    const answer = { run_id, tool_call_id, payload: { approve: true } };
    expect(firstText(await running.call('pravah_resume', answer))).toContain('does not have the scope “approve”');
    await using approving = await client(undefined, 'read', 'run', 'approve');
    expect(await approving.call('pravah_resume', answer)).not.toMatchObject({ isError: true });
  });

  it('refuses calls of a token that may only read', async () => {
    await using mcp = await client(undefined, 'read');
    expect(firstText(await mcp.call('add', { n: 1 }))).toContain('does not have the scope “run”');
  });

  it('needs a token, and shows a session to no other token', async () => {
    const post = (caller: Pick<Caller, 'url' | 'token'>, headers: Record<string, string> = {}) =>
      fetch(new URL('/mcp', caller.url), {
        method: 'POST',
        headers: {
          authorization: `Bearer ${caller.token}`,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          ...headers,
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
      });
    await using mcp = await client(undefined, 'read', 'run');
    const other = await server.caller('read', 'run');
    const session = { 'mcp-session-id': mcp.transport.sessionId ?? '' };
    expect((await post({ url: other.url, token: 'none' })).status).toBe(401);
    expect((await post(other, session)).status).toBe(404);
    expect((await post(other)).status).toBe(400);
    expect((await fetch(new URL('/mcp', other.url), { method: 'PUT', headers: { authorization: `Bearer ${other.token}` } })).status).toBe(
      405,
    );
  });

  it('ends the sessions of a token that is revoked', async () => {
    const { text, row } = await server.running.tokens.create({ name: 'short', scopes: ['read', 'run'], expires_at: null });
    await using mcp = await McpClient.connect({ url: server.running.url, token: text });
    await server.running.tokens.revoke(row.id);
    await expect(mcp.client.listTools()).rejects.toThrow();
  });
});
