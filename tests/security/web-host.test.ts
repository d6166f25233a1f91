import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ask, type OpenedPage, openedByPerson, openPage } from '#main/hosts/web/testing/browser.ts';
import { type StartedHost, startHost } from '#main/hosts/web/testing/started-host.ts';
import { httpPort } from '#shared/contract/http-port.ts';
import { abuseClass } from './testing/abuse-class.ts';

/*
 * Another site, another program of this machine, or a page that got hold of a part of what ours knows, asks the web host. Single headers are
 * tested with `web-host.test.ts`; here are the ways round them.
 */

const form = abuseClass('requests to the web host');

let host: StartedHost;
let page: OpenedPage;
let ends: (() => PromiseLike<void>)[];
beforeEach(async () => {
  ends = [];
  host = await startHost((end) => ends.unshift(end));
  page = await openPage(host.port, host.newUrl());
});
afterEach(async () => {
  for (const end of ends) await end();
});

const authority = () => `127.0.0.1:${host.port}`;

/** Sends bytes as no browser would, and reads what comes back. */
function raw(text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = '';
    const socket = connect(host.port, '127.0.0.1', () => socket.end(text));
    socket.on('data', (chunk) => {
      answer += chunk;
    });
    socket.on('close', () => resolve(answer));
    socket.on('error', reject);
  });
}

const call = (headers: Readonly<Record<string, string | undefined>>, path = httpPort.openPath) =>
  ask(host.port, { method: 'POST', path, headers: { host: authority(), ...page.callHeaders, ...headers }, body: '' });

const refusals: readonly (readonly [title: string, headers: () => Readonly<Record<string, string | undefined>>])[] = [
  ['a rebound name whose port is right', () => ({ host: `attacker.example:${host.port}` })],
  ['a name that ends like the right one', () => ({ host: `attacker.example#${authority()}` })],
  ['the right address with a user in front', () => ({ host: `attacker@${authority()}` })],
  ['the address in decimal', () => ({ host: `2130706433:${host.port}` })],
  ['the address by IPv6', () => ({ host: `[::ffff:127.0.0.1]:${host.port}` })],
  ['an origin that begins like ours', () => ({ origin: `http://${authority()}.attacker.example` })],
  ['our origin in capitals', () => ({ origin: `HTTP://${authority()}` })],
  ['the cookie in the place of the token', () => ({ [httpPort.tokenHeader]: page.cookie.split('=')[1] })],
  ['a token with spaces round it', () => ({ [httpPort.tokenHeader]: `x${page.token}` })],
  ['no token', () => ({ [httpPort.tokenHeader]: undefined })],
  ['a page of the same site', () => ({ 'sec-fetch-site': 'same-site' })],
];
for (const [title, headers] of refusals) {
  form(title, async () => expect((await call(headers())).status).toBeGreaterThanOrEqual(400));
}

/** What is answered to the head of a request alone, of whose announced body nothing is ever sent; and whether the connection is ended then. */
function answerToHead(path: string, length: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = '';
    const socket = connect(host.port, '127.0.0.1', () =>
      socket.write(
        `POST ${path} HTTP/1.1\r\nHost: ${authority()}\r\nOrigin: http://${authority()}\r\nSec-Fetch-Site: same-origin\r\n` +
          `${httpPort.tokenHeader}: ${page.token}\r\n${length}\r\n\r\n`,
      ),
    );
    socket.on('data', (chunk) => {
      answer += chunk;
    });
    socket.on('close', () => resolve(answer));
    socket.on('error', reject);
  });
}
form('a body of 150 MiB for a port that is not there, refused before it is read', async () => {
  const path = `${httpPort.sendPrefix}${randomUUID()}`;
  expect(await answerToHead(path, `Content-Length: ${150 * 1024 * 1024}`)).toMatch(/^HTTP\/1\.1 404/);
  expect(await answerToHead(path, 'Transfer-Encoding: chunked')).toMatch(/^HTTP\/1\.1 404/);
});
form('a body that is announced as too large for a port that is there', async () => {
  const open = request({ host: '127.0.0.1', port: host.port, path: httpPort.openPath, method: 'POST', headers: page.callHeaders });
  const [answer] = (await once(open.end(), 'response')) as [IncomingMessage];
  const { port } = JSON.parse(String((await once(answer, 'data'))[0])) as { port: string };
  expect(await answerToHead(`${httpPort.sendPrefix}${port}`, `Content-Length: ${200 * 1024 * 1024}`)).toMatch(/^HTTP\/1\.1 413/);
  answer.destroy();
});

form('two tokens in one header', async () => {
  const answer = await raw(
    `POST ${httpPort.openPath} HTTP/1.1\r\nHost: ${authority()}\r\nOrigin: http://${authority()}\r\nSec-Fetch-Site: same-origin\r\n` +
      `${httpPort.tokenHeader}: x\r\n${httpPort.tokenHeader}: ${page.token}\r\nContent-Length: 0\r\n\r\n`,
  );
  expect(answer).toMatch(/^HTTP\/1\.1 4/);
});
form('two names of the host', async () => {
  const answer = await raw(`GET / HTTP/1.1\r\nHost: attacker.example\r\nHost: ${authority()}\r\nCookie: ${page.cookie}\r\n\r\n`);
  expect(answer).toMatch(/^HTTP\/1\.1 4/);
});
form('a whole address in the place of the path', async () => {
  const answer = await raw(`GET http://attacker.example/ HTTP/1.1\r\nHost: attacker.example\r\nCookie: ${page.cookie}\r\n\r\n`);
  expect(answer).toMatch(/^HTTP\/1\.1 403/);
});
form('a second request hidden in the body of the first', async () => {
  const hidden = `POST ${httpPort.openPath} HTTP/1.1\r\nHost: ${authority()}\r\n\r\n`;
  const answer = await raw(
    `POST /x HTTP/1.1\r\nHost: ${authority()}\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${hidden}`,
  );
  expect(answer).not.toMatch(/HTTP\/1\.1 2/);
});

const files = [
  '/../package.json',
  '/%2e%2e/package.json',
  '/..%2fpackage.json',
  '/assets/../../package.json',
  '//etc/passwd',
  '/assets/main.js%00.html',
  '/index.html',
];
for (const path of files) {
  form(`the file ${path}`, async () => {
    const answer = await ask(host.port, { path, headers: { host: authority(), cookie: page.cookie, 'sec-fetch-site': 'same-origin' } });
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.body).not.toContain('"name"');
  });
}

form('a link used a second time', async () => {
  const url = new URL(host.newUrl());
  const open = () => ask(host.port, { path: url.pathname + url.search, headers: { host: authority(), ...openedByPerson } });
  expect((await open()).status).toBe(200);
  expect((await open()).status).toBe(401);
});
form('a link used too late', async () => {
  const url = new URL(host.newUrl());
  host.pass(61_000);
  expect((await ask(host.port, { path: url.pathname + url.search, headers: { host: authority(), ...openedByPerson } })).status).toBe(401);
});
form('a link guessed', async () => {
  for (const token of ['', 'a', '%00', page.token, page.cookie.split('=')[1]]) {
    expect((await ask(host.port, { path: `/?token=${token}`, headers: { host: authority(), ...openedByPerson } })).status).toBe(401);
  }
});
form('the page in a frame of another site', async () => {
  const { headers } = await ask(host.port, { path: '/', headers: { host: authority(), cookie: page.cookie, ...openedByPerson } });
  expect(headers['x-frame-options']).toBe('DENY');
  expect(headers['content-security-policy']).toMatch(/frame-ancestors 'none'/);
  expect(headers['content-security-policy']).toMatch(/form-action 'none'/);
});
form('a port of another page', async () => {
  const opened = JSON.parse((await call({})).body) as { port: string };
  const other = await openPage(host.port, host.newUrl());
  const answer = await ask(host.port, {
    method: 'POST',
    path: `${httpPort.sendPrefix}${opened.port}`,
    headers: { host: authority(), ...other.callHeaders },
    body: '[]',
  });
  expect(answer.status).toBe(404);
});

test('the page itself may call, so that the forms above could fail', async () => {
  expect((await call({})).status).toBe(200);
});
