import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addFlow, askFlow, type Caller, TestServer, testDatabases, writeFlow } from '#main/hosts/server/testing/test-server.ts';
import { confirm } from '#main/workspace/capabilities/consent.ts';
import { consentNeeded } from '#shared/contract/consent.ts';

describe.each(testDatabases('requests to the server'))('requests to the server, with a store in %s,', (database) => {
  let server: TestServer;
  let caller: Caller;
  beforeAll(async () => {
    server = await TestServer.start({ 'add.flow.yaml': addFlow, 'ask.flow.yaml': askFlow, 'write.flow.yaml': writeFlow }, { database });
    caller = await server.caller('read', 'run');
  });
  afterAll(async () => {
    await server[Symbol.asyncDispose]();
  });

  const problemOf = async (answer: Promise<Response>) => {
    const response = await answer;
    expect(response.headers.get('content-type')).toBe('application/problem+json');
    const problem = (await response.json()) as { status: number; type: string; instance: string; error: { code: string; message: string } };
    expect(problem.status).toBe(response.status);
    expect(problem.instance).toBe(response.headers.get('x-request-id'));
    return problem;
  };
  const send = (path: string, options: RequestInit = {}) =>
    fetch(server.running.url + path, {
      ...options,
      headers: { authorization: `Bearer ${caller.token}`, 'content-type': 'application/json', ...options.headers },
    });

  it('need a valid token of the right scope', async () => {
    const none = await problemOf(fetch(`${server.running.url}/v1/runs`));
    expect(none).toMatchObject({ status: 401, error: { code: 'TOKEN_INVALID' } });
    const wrong = caller.token.slice(0, -1) + (caller.token.endsWith('a') ? 'b' : 'a');
    expect(await problemOf(send('/v1/runs', { headers: { authorization: `Bearer ${wrong}` } }))).toMatchObject({ status: 401 });
    const reader = await server.caller('read');
    expect((await reader.get('/v1/runs')).status).toBe(200);
    expect((await reader.post('/v1/runs', { flow: 'add.flow.yaml', input: { n: 1 } })).status).toBe(403);
    expect((await caller.get('/v1/tokens')).status).toBe(403);
    // Some clients send the bare token.
    expect((await send('/v1/me', { headers: { authorization: caller.token } })).status).toBe(200);
  });

  it('need the scope approve to answer an approval', async () => {
    const runner = await server.caller('read', 'run');
    const request = { flow: 'write.flow.yaml', input: { text: 'hello' } };
    expect((await runner.post('/v1/runs', request)).body).toMatchObject({ status: 422, error: { code: consentNeeded } });
    const { body: flow } = await runner.get('/v1/flows/write.flow.yaml');
    await confirm(server.folder, 'write.flow.yaml', flow.unconfirmed as string[]);
    const { body: run } = await runner.post('/v1/runs?wait=30', request);
    expect(run).toMatchObject({ status: 'suspended', suspensions: [{ reason: 'approval' }] });
    const [{ tool_id, tool_call_id } = {}] = run.suspensions as { tool_id?: string; tool_call_id?: string }[];
    const answer = { tool_id: tool_id ?? '', tool_call_id: tool_call_id ?? '', payload: { approve: true } };
    const refused = await runner.post(`/v1/runs/${run.run_id}/resume`, answer);
    expect(refused).toMatchObject({ status: 403, body: { error: { code: 'SCOPE_MISSING' } } });
    expect(existsSync(join(server.folder, 'note.txt'))).toBe(false);
    const approver = await server.caller('read', 'run', 'approve');
    expect((await approver.post(`/v1/runs/${run.run_id}/resume`, answer)).status).toBe(200);
    await expect.poll(() => existsSync(join(server.folder, 'note.txt'))).toBe(true);
  });

  it('need the scope admin for tokens, which are revoked at once', async () => {
    const admin = await server.caller('read', 'admin');
    const made = await admin.post('/v1/tokens', { name: 'ci', scopes: ['read'] });
    expect(made).toMatchObject({ status: 201, body: { name: 'ci', scopes: ['read'], expires_at: null } });
    const ci = { headers: { authorization: `Bearer ${made.body.token}` } };
    expect((await send('/v1/me', ci)).status).toBe(200);
    const { body } = await admin.get('/v1/tokens');
    expect(JSON.stringify(body)).not.toContain(String(made.body.token).split('_')[2]);
    expect((await admin.call('DELETE', `/v1/tokens/${made.body.id}`)).status).toBe(204);
    expect((await send('/v1/me', ci)).status).toBe(401);
    expect((await admin.call('DELETE', `/v1/tokens/${made.body.id}`)).status).toBe(404);
  });

  it('are refused with a problem that says what is wrong', async () => {
    expect(await problemOf(send('/v1/runs?colour=red'))).toMatchObject({ status: 400 });
    expect(await problemOf(send('/v1/runs', { method: 'POST', body: '{"flow":' }))).toMatchObject({ status: 400 });
    const unknown = await problemOf(send('/v1/runs', { method: 'POST', body: '{"flow":"add.flow.yaml","input":{"n":1},"speed":2}' }));
    expect(unknown).toMatchObject({ status: 422, error: { message: expect.stringContaining('speed') } });
    const input = await problemOf(send('/v1/runs', { method: 'POST', body: '{"flow":"add.flow.yaml","input":{"n":"one"}}' }));
    expect(input).toMatchObject({ status: 422, error: { variant: 'DeserializeError' } });
    expect(await problemOf(send('/v1/runs', { method: 'POST', body: '{"flow":"no.flow.yaml","input":1}' }))).toMatchObject({ status: 404 });
    expect(await problemOf(send('/v1/runs/nonsense'))).toMatchObject({ status: 404 });
    expect(await problemOf(send('/v1/nothing'))).toMatchObject({ status: 404 });
    const put = send('/v1/runs', { method: 'PUT' });
    expect((await put).headers.get('allow')).toBe('GET, POST');
    expect(await problemOf(put)).toMatchObject({ status: 405 });
    const text = send('/v1/runs', { method: 'POST', body: 'x', headers: { 'content-type': 'text/plain' } });
    expect(await problemOf(text)).toMatchObject({ status: 415 });
    expect(await problemOf(send('/v1/runs', { headers: { accept: 'text/html' } }))).toMatchObject({ status: 406 });
    const deep = `${'['.repeat(200)}${']'.repeat(200)}`;
    expect(await problemOf(send('/v1/runs', { method: 'POST', body: deep }))).toMatchObject({ status: 422 });
    const large = send('/v1/runs', { method: 'POST', body: JSON.stringify({ text: 'x'.repeat(1_100_000) }) });
    expect(await problemOf(large)).toMatchObject({ status: 413 });
    expect(await problemOf(send('/v1/runs?page_token=abc'))).toMatchObject({ status: 400 });
  });

  it('with one Idempotency-Key are performed once, also when they are sent at once', async () => {
    const body = { flow: 'add.flow.yaml', input: { n: 1 }, paused: true };
    const key = { 'idempotency-key': 'order-17' };
    const answers = await Promise.all(Array.from({ length: 8 }, () => caller.post('/v1/runs', body, key)));
    expect(new Set(answers.map(({ body: { run_id } }) => run_id)).size).toBe(1);
    expect(answers.filter(({ headers }) => headers.get('idempotent-replay') === 'true')).toHaveLength(7);
    expect((await caller.post('/v1/runs', { ...body, input: { n: 2 } }, key)).status).toBe(422);
    const other = await caller.post('/v1/runs', body, { 'idempotency-key': 'order-18' });
    expect(other.body.run_id).not.toBe(answers[0]?.body.run_id);
    expect((await caller.post('/v1/runs', body, { 'idempotency-key': 'two words' })).status).toBe(400);
  });

  it('for what the caller has already are answered without a body', async () => {
    const first = await caller.get('/v1/flows/ask.flow.yaml');
    expect(first).toMatchObject({ status: 200, body: { soundness: 'sound', input_schema: { required: ['n'] } } });
    const again = await caller.get('/v1/flows/ask.flow.yaml', { 'if-none-match': first.headers.get('etag') ?? '' });
    expect(again).toMatchObject({ status: 304, body: {} });
  });

  it('under a foreign name of the server are refused, and pages of other origins are not allowed', async () => {
    const { request } = await import('node:http');
    const status = await new Promise<number>((done, fail) => {
      const foreign = request(`${server.running.url}/health`, { headers: { host: 'attacker.example' } }, (response) => {
        response.resume();
        done(response.statusCode ?? 0);
      });
      foreign.on('error', fail).end();
    });
    expect(status).toBe(421);
    const other = await send('/v1/me', { headers: { origin: 'https://other.example' } });
    expect(other.headers.get('access-control-allow-origin')).toBeNull();
    const allowed = await send('/v1/me', { headers: { origin: 'https://app.example' } });
    expect(allowed.headers.get('access-control-allow-origin')).toBe('https://app.example');
  });

  it('with an address that is not valid are refused, and the server goes on', async () => {
    const { request } = await import('node:http');
    const { hostname, port } = new URL(server.running.url);
    const statusOf = (path: string) =>
      new Promise<number>((done, fail) => {
        const options = { hostname, port, path, headers: { authorization: `Bearer ${caller.token}` } };
        const sent = request(options, (response) => {
          response.resume();
          done(response.statusCode ?? 0);
        });
        sent.on('error', fail).end();
      });
    expect(await statusOf('//')).toBe(400);
    expect(await statusOf('http://[')).toBe(400);
    expect(await statusOf('/v1/flows/%E0%A4%A')).toBeLessThan(500);
    expect(await statusOf('/v1/me')).toBe(200);
  });

  it('above the rate of a token are put off', async () => {
    await using slow = await TestServer.start({}, { rate: 1 });
    const one = await slow.caller('read');
    const statuses = await Promise.all(Array.from({ length: 5 }, async () => (await one.get('/v1/me')).status));
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThanOrEqual(2);
    expect(statuses).toContain(200);
  });

  it('for health, the API’s description and its page need no token', async () => {
    const get = (path: string) => fetch(server.running.url + path);
    expect(await (await get('/health')).json()).toMatchObject({ status: 'ok' });
    expect(await (await get('/ready')).json()).toEqual({ status: 'ready' });
    const document = (await (await get('/openapi.json')).json()) as { openapi: string; paths: Record<string, unknown> };
    expect(document.openapi).toBe('3.1.1');
    expect(Object.keys(document.paths)).toContain('/v1/runs/{run_id}/step');
    const page = await get('/swagger-ui/');
    expect(page.headers.get('content-security-policy')).toContain("script-src 'self'");
    expect((await get('/swagger-ui/swagger-ui-bundle.js')).status).toBe(200);
    expect((await get('/swagger-ui/..%2f..%2fpackage.json')).status).toBe(404);
    expect((await get('/metrics')).status).toBe(401);
    const metrics = await (await send('/metrics')).text();
    expect(metrics).toContain('pravah_http_request_duration_seconds');
    expect(metrics).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}-7/);
  });
});
