import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { guardedRequest } from '#main/tools/http/guarded-request.ts';
import { hostRules } from '#main/tools/http/host-rules.ts';
import { TestServer } from '#main/tools/testing/test-server.ts';
import { refusal, TestWorkspace } from '#main/tools/testing/test-workspace.ts';
import type { JsonObject } from '#shared/json.ts';
import { FlowError } from '#shared/run/error.ts';
import { httpRequestTool } from './http-request.ts';

let workspace: TestWorkspace;
let server: TestServer;
beforeEach(async () => {
  workspace = await TestWorkspace.make();
  server = await TestServer.start((request, response) => {
    const url = new URL(request.url ?? '/', 'http://x');
    switch (url.pathname) {
      case '/json':
        return void response.setHeader('content-type', 'application/json').end('{"a":[1]}');
      case '/latin':
        return void response.setHeader('content-type', 'text/plain; charset=iso-8859-1').end(Buffer.from([0x67, 0xf6]));
      case '/gzip':
        return void response.setHeader('content-encoding', 'gzip').end(gzipSync('packed'));
      case '/bomb':
        return void response.setHeader('content-encoding', 'gzip').end(gzipSync(Buffer.alloc(100_000_000)));
      case '/broken':
        return void response.setHeader('content-encoding', 'br').end('no such thing');
      case '/flood':
        return void flood(response);
      case '/missing':
        return void response.writeHead(404).end('not here');
      case '/cut':
        return void response.writeHead(200, { 'content-length': '100' }).write('part', () => response.destroy());
      case '/silent':
        return;
      case '/to':
        return void response.writeHead(Number(url.searchParams.get('status') ?? 302), { location: url.searchParams.get('at') ?? '' }).end();
      default:
        return void response.end('hello');
    }
  });
  await settings(['127.0.0.1', `localhost:${server.port}`]);
});
afterEach(async () => {
  await server[Symbol.asyncDispose]();
  await workspace[Symbol.asyncDispose]();
});

function flood(response: import('node:http').ServerResponse): void {
  const chunk = Buffer.alloc(65_536);
  const more = () => {
    while (!response.destroyed && response.write(chunk));
  };
  response.on('drain', more);
  more();
}

const settings = (allow_private: string[]) => workspace.write('pravah.json', JSON.stringify({ http: { allow_private } }));
const request = (input: JsonObject, allow_hosts: string[] = [], signal?: AbortSignal) =>
  workspace.call(httpRequestTool, { allow_private: true, ...input }, { allow_hosts, signal }) as Promise<JsonObject>;

describe('http_request', () => {
  test('returns status, headers and body, JSON as such', async () => {
    expect(await request({ url: server.url('/json') })).toMatchObject({
      status: 200,
      headers: { 'content-type': 'application/json' },
      body: { a: [1] },
    });
    expect(await request({ url: server.url('/') })).toMatchObject({ status: 200, body: 'hello' });
    expect(await request({ url: server.url('/latin') })).toMatchObject({ body: 'gö' });
    expect(await request({ url: server.url('/gzip') })).toMatchObject({ body: 'packed' });
    expect(await request({ url: server.url('/missing') })).toMatchObject({ status: 404, body: 'not here' });
  });

  test('http_request sends the given headers and body, also when they are JSON text', async () => {
    await request({ url: server.url('/x?y=1'), method: 'POST', headers: '{"X-One":"1"}', body: '{"a":1}' });
    await request({ url: server.url('/x'), method: 'PUT', headers: { 'x-two': '2', 'Content-Type': 'text/csv' }, body: { b: 2 } });
    await request({ url: server.url('/x'), method: 'PATCH', body: 'plain' });
    expect(server.requests).toMatchObject([
      { method: 'POST', path: '/x?y=1', headers: { 'x-one': '1', 'content-type': 'application/json' }, body: '{"a":1}' },
      { method: 'PUT', headers: { 'x-two': '2', 'content-type': 'text/csv' }, body: '{"b":2}' },
      { method: 'PATCH', body: 'plain' },
    ]);
  });

  test.each(['host', 'Content-Length', 'transfer-encoding', 'Connection', 'proxy-authorization'])(
    'does not let %s be set',
    async (name) => {
      expect((await refusal(request({ url: server.url(), headers: { [name]: 'x' } }))).variant).toBe('Deserialize');
      expect(server.requests).toEqual([]);
    },
  );

  test.each([
    ['no address', 'not an address'],
    ['a port without a server', 'http://127.0.0.1:1/'],
  ])('answers with an error where there is %s', async (_name, url) => {
    expect(await request({ url })).toMatchObject({ status: 0, error: expect.any(String) });
  });

  test.each([
    ['/cut', 'aborted'],
    ['/flood', 'larger than'],
    ['/bomb', 'decompressed response is larger'],
    ['/broken', 'cannot be decompressed'],
  ])('answers with an error for %s', async (path, words) => {
    expect(await request({ url: server.url(path) })).toEqual({ status: 0, error: expect.stringContaining(words) });
  });

  test('http_request fails after its timeout', async () => {
    expect(await request({ url: server.url('/silent'), timeout: 1 })).toEqual({ status: 0, error: 'no response within 1 s' });
  });

  test('ends with the run', async () => {
    const controller = new AbortController();
    const answer = request({ url: server.url('/silent') }, [], controller.signal).catch((error: unknown) => error);
    while (server.requests.length === 0) await new Promise((resolve) => setImmediate(resolve));
    controller.abort();
    expect(await answer).toBeInstanceOf(FlowError);
  });
});

describe('a redirect', () => {
  const to = (at: string, status = 302) => server.url(`/to?status=${status}&at=${encodeURIComponent(at)}`);

  test('is followed, as its status says', async () => {
    expect(await request({ url: to('/json'), method: 'POST', body: 'x' })).toMatchObject({ body: { a: [1] } });
    await request({ url: to('/x', 307), method: 'POST', body: 'x' });
    expect(server.requests.map(({ method, path, body }) => [method, path.split('?')[0], body])).toEqual([
      ['POST', '/to', 'x'],
      ['GET', '/json', ''],
      ['POST', '/to', 'x'],
      ['POST', '/x', 'x'],
    ]);
  });

  test('takes no headers of the author to another host', async () => {
    const headers = { authorization: 'Bearer x', 'x-key': 'y', cookie: 'z', accept: 'text/plain' };
    await request({ url: to('/same'), headers });
    await request({ url: to(server.url('/other', 'localhost')), headers });
    const [, same, , other] = server.requests.map((seen) => seen.headers);
    expect(same).toMatchObject(headers);
    expect(other).toMatchObject({ accept: 'text/plain' });
    for (const name of ['authorization', 'x-key', 'cookie']) expect(other).not.toHaveProperty(name);
  });

  test.each(['http://169.254.169.254/latest/meta-data', 'http://[::1]/', 'http://10.0.0.1/', 'http://0x7f000002/', 'file:///etc/passwd'])(
    'to %s is refused',
    async (at) => {
      const error = await refusal(request({ url: to(at) }, ['*']));
      expect(error.variant).toBe('Denied');
    },
  );

  test('an endless redirect chain is abandoned', async () => {
    const loop: string = server.url(`/to?at=${encodeURIComponent('/to?at=/to')}`);
    expect(await request({ url: loop })).toMatchObject({ status: 302 });
    const circle = await TestServer.start((_request, response) => response.writeHead(302, { location: '/' }).end());
    expect(await request({ url: circle.url() })).toEqual({ status: 0, error: 'more than 5 redirects' });
    expect(circle.requests).toHaveLength(6);
    await circle[Symbol.asyncDispose]();
  });
});

describe('a host', () => {
  test.each([
    ['decimal', 'http://2130706433:PORT/'],
    ['octal', 'http://0177.0.0.1:PORT/'],
    ['hexadecimal', 'http://0x7f000001:PORT/'],
    ['short', 'http://127.1:PORT/'],
    ['zero', 'http://0:PORT/'],
    ['full-width', 'http://１２７.０.０.１:PORT/'],
    ['mapped', 'http://[::ffff:127.0.0.1]:PORT/'],
    ['loopback of IPv6', 'http://[::1]:PORT/'],
    ['a name', 'http://localhost:PORT/'],
    ['a name with a dot', 'http://localhost.:PORT/'],
    ['in capitals', 'http://LOCALHOST:PORT/'],
  ])('that is private is refused in %s form, though any public host is allowed', async (_name, url) => {
    await settings([]);
    const error = await refusal(request({ url: url.replace('PORT', String(server.port)) }, ['*']));
    expect(error.variant).toBe('Denied');
    expect(server.requests).toEqual([]);
  });

  test('that pravah.json lists is reached only by a call that says so', async () => {
    expect((await refusal(request({ url: server.url(), allow_private: false }))).message).toContain('allow_private');
    await settings(['127.0.0.0/8']);
    expect(await request({ url: server.url() }, ['127.0.0.1'])).toMatchObject({ status: 200 });
    await settings([`127.0.0.1:${server.port + 1}`]);
    expect((await refusal(request({ url: server.url() }, ['*']))).variant).toBe('Denied');
  });

  test('that was not allowed for the run is refused before its name is looked up', async () => {
    expect((await refusal(request({ url: 'http://example.org/' }))).message).toContain('--allow-host example.org');
  });

  test.each(['ftp://example.org/', 'file:///etc/passwd', 'data:,x', 'gopher://example.org/', 'http://name:word@example.org/'])(
    'in %s is refused',
    async (url) => {
      expect((await refusal(request({ url }, ['*']))).variant).toBe('Denied');
    },
  );

  test('is refused in a program by naming the option that allows it', () => {
    const scope = { allow_hosts: [], allow_private: [], from_program: true };
    expect(() => hostRules(scope, true).checkUrl(new URL('https://api.example'))).toThrow(
      "createContext({ allow_hosts: ['api.example'] })",
    );
    expect(() => hostRules(scope, true).checkAddress(new URL('https://api.example'), '10.0.0.1')).toThrow('allow_private of createContext');
  });

  test('a host name that resolves to both public and private addresses is refused', async () => {
    const rules = hostRules({ allow_hosts: ['*'], allow_private: [] }, false);
    const call = {
      method: 'GET',
      url: new URL('http://two.example/'),
      headers: {},
      timeoutMs: 1000,
      signal: new AbortController().signal,
      rules,
    };
    await expect(guardedRequest({ ...call, lookup: async () => ['93.184.216.34', '127.0.0.1'] })).rejects.toMatchObject({
      variant: 'Denied',
    });
  });

  test('a host without an address is an ordinary failure', async () => {
    const rules = hostRules({ allow_hosts: ['*'], allow_private: [] }, false);
    const call = {
      method: 'GET',
      url: new URL('http://none.example/'),
      headers: {},
      timeoutMs: 1000,
      signal: new AbortController().signal,
      rules,
    };
    await expect(guardedRequest({ ...call, lookup: async () => [] })).rejects.toThrow('none.example has no address');
  });

  test('a host name is resolved once, and the connection uses that address', async () => {
    // The name is private at the second look, as an attacker's server would have it; there must be no second look.
    const looks: string[] = [];
    const lookup = async (host: string) => {
      looks.push(host);
      return [looks.length === 1 ? '127.0.0.1' : '127.0.0.2'];
    };
    const rules = hostRules({ allow_hosts: ['changing.example'], allow_private: [`changing.example:${server.port}`] }, true);
    const url = new URL(`http://changing.example:${server.port}/`);
    const answer = await guardedRequest({
      method: 'GET',
      url,
      headers: {},
      timeoutMs: 5000,
      signal: new AbortController().signal,
      rules,
      lookup,
    });
    expect([answer.body, looks, server.requests[0]?.headers.host]).toEqual(['hello', ['changing.example'], url.host]);
  });
});
