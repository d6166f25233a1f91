import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { ask, openedByPerson, openPage } from '#main/hosts/web/testing/browser.ts';
import { startHost } from '#main/hosts/web/testing/started-host.ts';
import { httpPort } from '#shared/contract/http-port.ts';

const startedHost = () => startHost(onTestFinished);
const openPort = { method: 'POST', path: httpPort.openPath } as const;

describe('the address', () => {
  test('opens the page once, with a token in it and a cookie that scripts and other sites do not get', async () => {
    const host = await startedHost();
    const { pathname, search } = new URL(host.newUrl());
    const first = await ask(host.port, { path: pathname + search, headers: openedByPerson });
    expect(first.status).toBe(200);
    expect(first.headers['set-cookie']?.[0]).toMatch(/^pravah_\d+=[\w-]{43}; HttpOnly; SameSite=Strict; Path=\/$/);
    const second = await ask(host.port, { path: pathname + search, headers: openedByPerson });
    expect([second.status, second.headers['set-cookie']]).toEqual([401, undefined]);
    expect(second.body).not.toContain(httpPort.tokenMeta);
  });

  test('works for 60 seconds', async () => {
    const host = await startedHost();
    const [early, late] = [new URL(host.newUrl()), new URL(host.newUrl())];
    host.pass(59_999);
    expect((await ask(host.port, { path: `/${early.search}`, headers: openedByPerson })).status).toBe(200);
    host.pass(1);
    expect((await ask(host.port, { path: `/${late.search}`, headers: openedByPerson })).status).toBe(401);
  });

  test('is of no use to a page of another site, nor as a call', async () => {
    const host = await startedHost();
    const { search } = new URL(host.newUrl());
    const fromElsewhere = { ...openedByPerson, 'sec-fetch-site': 'cross-site' };
    expect((await ask(host.port, { path: `/${search}`, headers: fromElsewhere })).status).toBe(403);
    const inFrame = { ...openedByPerson, 'sec-fetch-dest': 'iframe' };
    expect((await ask(host.port, { path: `/${search}`, headers: inFrame })).status).toBe(403);
    expect((await ask(host.port, { path: `/${search}`, headers: openedByPerson })).status).toBe(200);
  });
});

describe('the address in a file', () => {
  const fromFile = { ...openedByPerson, 'sec-fetch-site': 'cross-site' };

  test('leads once from the file, another site for a browser, to an address of this site that opens the page', async () => {
    const host = await startedHost();
    const onUsed = vi.fn();
    const { search } = new URL(host.newLink(onUsed));
    const first = await ask(host.port, { path: `/${search}`, headers: fromFile });
    expect([first.status, first.headers['set-cookie'], onUsed.mock.calls.length]).toEqual([200, undefined, 1]);
    const next = /content="0;url=([^"]+)"/.exec(first.body)?.[1] ?? '';
    const page = await ask(host.port, {
      path: `/${new URL(next).search}`,
      headers: { ...openedByPerson, 'sec-fetch-site': 'same-origin' },
    });
    expect([page.status, page.body.includes(httpPort.tokenMeta)]).toEqual([200, true]);
    expect((await ask(host.port, { path: `/${search}`, headers: fromFile })).status).toBe(403);
    expect(onUsed).toHaveBeenCalledTimes(1);
    const fromNowhere = await ask(host.port, { path: `/${new URL(host.newLink(onUsed)).search}`, headers: openedByPerson });
    expect([fromNowhere.status, fromNowhere.body]).toEqual([200, expect.stringContaining('content="0;url=')]);
  });

  test('works for 60 seconds, for a document only, and with its own token only', async () => {
    const host = await startedHost();
    const { search } = new URL(host.newLink(() => undefined));
    const token = search.slice('?link='.length);
    for (const dest of ['iframe', 'script', 'empty']) {
      const headers = { ...fromFile, 'sec-fetch-dest': dest };
      expect((await ask(host.port, { path: `/${search}`, headers })).status).toBe(403);
    }
    expect((await ask(host.port, { path: `/?link=${token.slice(1)}`, headers: fromFile })).status).toBe(403);
    expect((await ask(host.port, { path: `/?link=${new URL(host.newUrl()).searchParams.get('token')}`, headers: fromFile })).status).toBe(
      403,
    );
    expect((await ask(host.port, { path: `/?token=${token}`, headers: openedByPerson })).status).toBe(401);
    expect((await ask(host.port, { path: `/${search}`, headers: { ...fromFile, host: 'evil.example' } })).status).toBe(403);
    host.pass(60_000);
    expect((await ask(host.port, { path: `/${search}`, headers: fromFile })).status).toBe(403);
  });
});

describe('without a token', () => {
  test.each(['/', '/index.html', '/assets/main.js', '/assets/nothing.js', '/port', '/?token=', '/?token=guess'])(
    '%s is a 401 page and nothing else',
    async (path) => {
      const host = await startedHost();
      const answer = await ask(host.port, { path, headers: openedByPerson });
      expect(answer.status).toBe(401);
      expect(answer.body).toContain('A new link is needed');
      expect(answer.headers['set-cookie']).toBeUndefined();
    },
  );

  test('a call is refused, also with the cookie, with a token of another kind and with one in the address', async () => {
    const host = await startedHost();
    const page = await openPage(host.port, host.newUrl());
    const { [httpPort.tokenHeader]: _token, ...withoutToken } = page.callHeaders;
    const oneTime = new URL(host.newUrl()).searchParams.get('token') ?? '';
    const cookieValue = page.cookie.split('=')[1] ?? '';
    const attempts = [
      withoutToken,
      { ...withoutToken, [httpPort.tokenHeader]: oneTime },
      { ...withoutToken, [httpPort.tokenHeader]: cookieValue },
      { ...withoutToken, [httpPort.tokenHeader]: '' },
    ];
    for (const headers of attempts) expect((await ask(host.port, { ...openPort, headers })).status).toBe(401);
    const inAddress = { ...openPort, path: `${httpPort.openPath}?token=${page.token}`, headers: withoutToken };
    expect((await ask(host.port, inAddress)).status).toBe(401);
    expect((await ask(host.port, { ...openPort, headers: page.callHeaders })).status).toBe(200);
  });
});

describe('the cookie', () => {
  test('loads the page again, without any token in it', async () => {
    const host = await startedHost();
    const { cookie } = await openPage(host.port, host.newUrl());
    const again = await ask(host.port, { path: '/', headers: { ...openedByPerson, cookie } });
    expect(again.status).toBe(200);
    expect(again.body).toContain(`<meta name="${httpPort.tokenMeta}" content="">`);
    const script = await ask(host.port, { path: '/assets/main.js', headers: { 'sec-fetch-site': 'same-origin', cookie } });
    expect([script.status, script.body]).toEqual([200, 'export {};']);
  });

  test('of one studio opens nothing at another port of the same host', async () => {
    const [one, other] = [await startedHost(), await startedHost()];
    const { cookie, callHeaders } = await openPage(one.port, one.newUrl());
    expect((await ask(other.port, { path: '/', headers: { ...openedByPerson, cookie } })).status).toBe(401);
    const renamed = cookie.replace(String(one.port), String(other.port));
    expect((await ask(other.port, { path: '/', headers: { ...openedByPerson, cookie: renamed } })).status).toBe(401);
    const origin = `http://127.0.0.1:${other.port}`;
    expect((await ask(other.port, { ...openPort, headers: { ...callHeaders, origin } })).status).toBe(401);
  });
});

describe('a request from elsewhere', () => {
  const foreign: readonly (readonly [string, Readonly<Record<string, string | undefined>>])[] = [
    ['a rebound name', { host: 'attacker.example' }],
    ['a rebound name with the port', { host: 'attacker.example:PORT' }],
    ['localhost, another name of this machine', { host: 'localhost:PORT' }],
    ['the address without its port', { host: '127.0.0.1' }],
    ['another site', { origin: 'https://attacker.example' }],
    ['another port of this host', { origin: 'http://127.0.0.1:1' }],
    ['the same address over https', { origin: 'https://127.0.0.1:PORT' }],
    ['a sandboxed frame', { origin: 'null' }],
    ['nowhere', { origin: undefined }],
    ['a cross-site page', { 'sec-fetch-site': 'cross-site' }],
    ['another port, which is the same site', { 'sec-fetch-site': 'same-site' }],
    ['a program that says nothing', { 'sec-fetch-site': undefined }],
    ['an address bar', { 'sec-fetch-site': 'none' }],
  ];

  test.each(foreign)('%s cannot call, regardless of its cookies and tokens', async (_from, changed) => {
    const host = await startedHost();
    const page = await openPage(host.port, host.newUrl());
    const headers = { ...page.callHeaders, ...withPort(changed, host.port) };
    for (const path of [httpPort.openPath, httpPort.tokenPath, `${httpPort.sendPrefix}x`]) {
      expect((await ask(host.port, { method: 'POST', path, headers })).status).toBe(403);
    }
  });

  test.each(foreign.filter(([, changed]) => !('origin' in changed && changed.origin === undefined)))(
    '%s cannot load files',
    async (from, changed) => {
      const host = await startedHost();
      const { cookie } = await openPage(host.port, host.newUrl());
      const headers = { 'sec-fetch-site': 'same-origin', cookie, ...withPort(changed, host.port) };
      expect((await ask(host.port, { path: '/assets/main.js', headers })).status, from).toBe(403);
    },
  );

  test('a form posted by another site changes nothing', async () => {
    const host = await startedHost();
    const { cookie } = await openPage(host.port, host.newUrl());
    const form = {
      method: 'POST',
      path: httpPort.openPath,
      headers: {
        ...openedByPerson,
        'sec-fetch-site': 'cross-site',
        origin: 'https://attacker.example',
        cookie,
        'content-type': 'text/plain',
      },
      body: `${httpPort.tokenHeader}=x`,
    };
    expect((await ask(host.port, form)).status).toBe(403);
  });
});

test.each(['GET', 'HEAD', 'PUT', 'DELETE', 'OPTIONS', 'PATCH'])('%s calls nothing, with all that a page has', async (method) => {
  const host = await startedHost();
  const page = await openPage(host.port, host.newUrl());
  for (const path of [httpPort.openPath, httpPort.tokenPath, `${httpPort.sendPrefix}x`]) {
    const { status } = await ask(host.port, { method, path, headers: page.callHeaders });
    expect(status).toBe(method === 'GET' ? 404 : 405);
  }
});

test.each([
  '/../package.json',
  '/assets/../../package.json',
  '/%2e%2e/package.json',
  '/assets/..%2f..%2fpackage.json',
  '/assets//main.js',
  '/files.json',
  '/etc/passwd',
  '//etc/passwd',
  '/\\..\\package.json',
  '/assets/main.js%00.png',
  '/__proto__',
  '/constructor',
])('%s is not in the list of files, so it does not exist', async (path) => {
  const host = await startedHost();
  const { cookie } = await openPage(host.port, host.newUrl());
  const answer = await ask(host.port, { path, headers: { 'sec-fetch-site': 'same-origin', cookie } });
  expect(answer.status).toBe(404);
});

test('every answer carries the content security policy', async () => {
  const host = await startedHost();
  const page = await openPage(host.port, host.newUrl());
  const policy =
    "default-src 'none'; script-src 'self'; worker-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
  const answers = await Promise.all([
    ask(host.port, { path: '/', headers: openedByPerson }),
    ask(host.port, { path: '/', headers: { ...openedByPerson, cookie: page.cookie } }),
    ask(host.port, { path: '/nothing', headers: { 'sec-fetch-site': 'same-origin', cookie: page.cookie } }),
    ask(host.port, { ...openPort, headers: page.callHeaders }),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([401, 200, 404, 200]);
  for (const { headers } of answers) expect(headers['content-security-policy']).toBe(policy);
});

describe('a port', () => {
  test('belongs to the page that opened it', async () => {
    const host = await startedHost();
    const [one, other] = [await openPage(host.port, host.newUrl()), await openPage(host.port, host.newUrl())];
    const opened = fetch(`http://127.0.0.1:${host.port}${httpPort.openPath}`, { method: 'POST', headers: one.callHeaders });
    const reader = (await opened).body?.getReader();
    const { port } = JSON.parse(new TextDecoder().decode((await reader?.read())?.value)) as { port: string };
    const send = (headers: Readonly<Record<string, string>>, body: string) =>
      ask(host.port, { method: 'POST', path: httpPort.sendPrefix + port, headers, body });
    expect((await send(other.callHeaders, '[]')).status).toBe(404);
    expect((await send(one.callHeaders, '{"not":"a list"}')).status).toBe(404);
    expect((await send(one.callHeaders, 'not JSON')).status).toBe(404);
    expect((await send(one.callHeaders, '["not a call","{}","{\\"i\\":1}"]')).status).toBe(204);
    expect((await send(one.callHeaders, '[]')).status).toBe(204);
    await reader?.cancel();
    await expect.poll(async () => (await send(one.callHeaders, '[]')).status).toBe(404);
  });

  test('ends when the host ends', async () => {
    const host = await startedHost();
    const page = await openPage(host.port, host.newUrl());
    const response = await fetch(`http://127.0.0.1:${host.port}${httpPort.openPath}`, { method: 'POST', headers: page.callHeaders });
    const reader = response.body?.getReader();
    await reader?.read();
    await host.close();
    expect((await reader?.read())?.done).toBe(true);
  });
});

test('a page vouches for another tab with a token of its own', async () => {
  const host = await startedHost();
  const page = await openPage(host.port, host.newUrl());
  const answer = await ask(host.port, { method: 'POST', path: httpPort.tokenPath, headers: page.callHeaders });
  const { page_token } = JSON.parse(answer.body) as { page_token: string };
  expect(page_token).not.toBe(page.token);
  const headers = { ...page.callHeaders, [httpPort.tokenHeader]: page_token };
  expect((await ask(host.port, { ...openPort, headers })).status).toBe(200);
});

test('a port that is taken is refused', async () => {
  const host = await startedHost();
  await expect(startHost(onTestFinished, host.port)).rejects.toThrow('EADDRINUSE');
});

function withPort(headers: Readonly<Record<string, string | undefined>>, port: number): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, value?.replace('PORT', String(port))]));
}
