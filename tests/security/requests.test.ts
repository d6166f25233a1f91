import { expect, test } from 'vitest';
import { guardedRequest } from '#main/tools/http/guarded-request.ts';
import { hostRules } from '#main/tools/http/host-rules.ts';
import { TestServer } from '#main/tools/testing/test-server.ts';
import { TestWorkspace } from '#main/tools/testing/test-workspace.ts';
import type { JsonObject } from '#shared/json.ts';
import { abuseClass } from './testing/abuse-class.ts';
import { attack } from './testing/attacked-agent.ts';

/*
 * A model asks a web tool for an address of this machine, the local network or a cloud's own service. A server listens on loopback and must
 * hear nothing. Any public host is allowed, as far as the user goes.
 */

const form = abuseClass('requests to private addresses');

const tools: readonly (readonly [name: string, input: (url: string) => JsonObject])[] = [
  ['http_request', (url) => ({ url, allow_private: true })],
  ['alert', (url) => ({ webhook_url: url, message: 'm' })],
  ['scrape_url', (url) => ({ url })],
];

async function hearsNothing(address: (port: number) => string): Promise<void> {
  await using server = await TestServer.start((_request, response) => response.end('heard'));
  await using workspace = await TestWorkspace.make();
  const calls = tools.map(([tool, input]) => ({ tool, input: input(address(server.port)) }));
  const { answers } = await attack(workspace, calls, {
    allow_hosts: ['*'],
    agent: { tools: tools.map(([name]) => name), trust_content: true },
  });
  expect(answers).toHaveLength(tools.length);
  for (const { value } of answers) expect(JSON.stringify(value)).not.toContain('heard');
  expect(server.requests).toEqual([]);
}

const spelled: readonly (readonly [title: string, host: string])[] = [
  ['as it is', '127.0.0.1'],
  ['decimal', '2130706433'],
  ['octal', '0177.0.0.1'],
  ['octal in one', '017700000001'],
  ['hexadecimal', '0x7f.0x0.0x0.0x1'],
  ['shortened', '127.1'],
  ['mixed', '0x7f.1'],
  ['in full-width digits', '１２７.０.０.１'],
  ['in circled digits', '①②⑦.⓪.⓪.①'],
  ['with an ideographic full stop', '127。0。0。1'],
  ['as this host', '0.0.0.0'],
  ['IPv6', '[::1]'],
  ['IPv6-mapped', '[::ffff:127.0.0.1]'],
  ['IPv6-mapped in hexadecimal', '[::ffff:7f00:1]'],
  ['IPv6-compatible', '[::127.0.0.1]'],
  ['translated (NAT64)', '[64:ff9b::7f00:1]'],
  ['by its name', 'localhost'],
  ['by its name with a dot', 'LOCALHOST.'],
  ['encoded', '%31%32%37.0.0.1'],
  ['as any host, by IPv6', '[::]'],
  ['as nought', '0'],
  ['with a dot of the root', '127.0.0.1.'],
  ['decimal with a dot of the root', '2130706433.'],
  ['hexadecimal in one', '0x7f000001'],
  ['with noughts in front', '127.000.000.001'],
  ['IPv6-mapped, written out', '[0:0:0:0:0:ffff:127.0.0.1]'],
  ['IPv4-translated', '[::ffff:0:7f00:1]'],
  ['translated (local NAT64)', '[64:ff9b:1::7f00:1]'],
  ['by its name in circled letters', 'ⓛⓞⓒⓐⓛⓗⓞⓢⓣ'],
  ['by its name with an invisible sign', 'local\u200bhost'],
  ['by its name with a soft hyphen', 'loc\u00adalhost'],
  ['by its name, encoded', '%6c%6f%63alhost'],
  ['with a name and password', 'user:password@127.0.0.1'],
  ['behind another name in front of an @', 'example.org@127.0.0.1'],
];
for (const [title, host] of spelled) form(`loopback ${title}`, () => hearsNothing((port) => `http://${host}:${port}/`));

form('backslashes that readers of addresses disagree on', () => hearsNothing((port) => `http://127.0.0.1:${port}\\@example.org/`));
for (const slashes of [':', ':/', ':///', ':\\\\']) {
  form(`an address that begins http${slashes}`, () => hearsNothing((port) => `http${slashes}127.0.0.1:${port}/`));
}
form('an end that looks like a host', () => hearsNothing((port) => `http://127.0.0.1:${port}#@example.org/`));
form('tabs and line breaks inside the address', () => hearsNothing((port) => `ht\ttp://127.0\n.0.1:${port}/`));

const others = [
  ['a cloud’s own service', 'http://169.254.169.254/latest/meta-data/'],
  ['the same, decimal', 'http://2852039166/'],
  ['the same, by IPv6', 'http://[fd00:ec2::254]/'],
  ['a private network', 'http://192.168.0.1/'],
  ['a carrier’s network', 'http://100.64.0.1/'],
  ['6to4 to a private address', 'http://[2002:0a00:0001::]/'],
  ['a file', 'file:///etc/passwd'],
  ['another protocol', 'gopher://127.0.0.1:25/_MAIL'],
  ['an address inside of another', 'blob:http://127.0.0.1/x'],
  ['data in the place of an address', 'data:text/html,heard'],
  ['link-local, by IPv6', 'http://[fe80::1]/'],
  ['a socket of this machine', 'http+unix://%2fvar%2frun%2fdocker.sock/'],
] as const;
for (const [title, url] of others) form(title, () => hearsNothing(() => url));

/** A request whose names a resolver of our own answers, with answers that change from one question to the next. */
async function request(url: string, answers: readonly (readonly string[])[], allow: readonly string[] = []) {
  const asked: string[] = [];
  const lookup = async (host: string) => answers[Math.min(asked.push(host), answers.length) - 1] ?? [];
  const rules = hostRules({ allow_hosts: ['*'], allow_private: allow }, true);
  const call = { method: 'GET', url: new URL(url), headers: {}, timeoutMs: 5000, signal: AbortSignal.timeout(10_000), rules, lookup };
  return guardedRequest(call);
}

const denied = expect.objectContaining({ variant: 'Denied' });

form('a name that means a private address', async () => {
  await expect(request('http://harmless.example/', [['10.0.0.7']])).rejects.toEqual(denied);
});
form('a name that means something public and something private', async () => {
  await expect(request('http://harmless.example/', [['93.184.215.14', '127.0.0.1']])).rejects.toEqual(denied);
});
form('a name that means a public address when it is judged and a private one when it is called', async () => {
  await using server = await TestServer.start((_request, response) => response.end('heard'));
  // The judged address is the one that is called: nothing answers there, and the server here receives nothing.
  await request(`http://rebound.example:${server.port}/`, [['192.0.2.1'], ['127.0.0.1']]).then(
    () => expect.unreachable(),
    () => undefined,
  );
  expect(server.requests).toEqual([]);
});
form('an answer that redirects to this machine by another name', async () => {
  await using server = await TestServer.start(({ url }, response) => {
    if (url !== '/') return void response.end('heard');
    response.writeHead(302, { location: `http://inside.example:${server.port}/secret` }).end();
  });
  const start = `http://127.0.0.1:${server.port}/`;
  await expect(
    request(start, [['127.0.0.1']], [`127.0.0.1:${server.port}`]).catch((error: unknown) => Promise.reject(error)),
  ).rejects.toEqual(denied);
  expect(server.requests.map(({ path }) => path)).toEqual(['/']);
});
for (const location of ['http://169.254.169.254/', 'file:///etc/passwd', '//[::1]/', 'http://127.0.0.1@10.0.0.1/', 'gopher://127.0.0.1/']) {
  form(`a redirect to ${location}`, async () => {
    await using server = await TestServer.start((_request, response) => response.writeHead(307, { location }).end());
    await expect(request(server.url(), [], [`127.0.0.1:${server.port}`])).rejects.toEqual(denied);
  });
}
form('a proxy that the environment names', async () => {
  await using proxy = await TestServer.start((_request, response) => response.end('heard'));
  const before = { ...process.env };
  Object.assign(process.env, { http_proxy: proxy.url(), HTTP_PROXY: proxy.url(), ALL_PROXY: proxy.url(), NODE_USE_ENV_PROXY: '1' });
  try {
    await expect(request('http://harmless.example/', [['10.0.0.7']])).rejects.toEqual(denied);
    await request('http://harmless.example:1/', [['127.0.0.1']], ['127.0.0.1/32']).catch(() => null);
  } finally {
    process.env = before;
  }
  expect(proxy.requests).toEqual([]);
});
form('another port of an address that is allowed by one', async () => {
  await using server = await TestServer.start((_request, response) => response.end('heard'));
  await expect(request(server.url(), [], ['127.0.0.1:1'])).rejects.toEqual(denied);
  expect(server.requests).toEqual([]);
});
form('headers that smuggle a second request', async () => {
  await using server = await TestServer.start((_request, response) => response.end('heard'));
  await using workspace = await TestWorkspace.make();
  await workspace.write('pravah.json', JSON.stringify({ http: { allow_private: ['127.0.0.1'] } }));
  const smuggled = { 'x-a': 'b\r\nhost: evil\r\n\r\nGET /second HTTP/1.1' };
  const headersOf: readonly JsonObject[] = [
    smuggled,
    { 'x-a\r\nhost': 'evil' },
    { 'x-a': 'b\nc: d' },
    { host: 'evil' },
    { HOST: 'evil' },
    { 'Transfer-Encoding': 'chunked' },
    { 'content-length': '0' },
    { Upgrade: 'h2c' },
    { 'proxy-authorization': 'Basic eA==' },
  ];
  const calls = headersOf.map((headers) => ({
    tool: 'http_request',
    input: { url: server.url(), allow_private: true, headers },
  }));
  const { answers } = await attack(workspace, calls, { agent: { tools: ['http_request'], trust_content: true } });
  expect(JSON.stringify(answers)).not.toContain('heard');
  expect(server.requests).toEqual([]);
});

test('an address that the settings list is reached, so that the forms above could fail', async () => {
  await using server = await TestServer.start((_request, response) => response.end('heard'));
  expect((await request(server.url(), [], [`127.0.0.1:${server.port}`])).body).toBe('heard');
});
