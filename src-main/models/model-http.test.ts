import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { slowness } from '#main/testing/slowness.ts';
import { ModelHttp } from './model-http.ts';
import { requestedDelay, retryDelay } from './retry.ts';

/** Only ends a test that hangs. */
const patient = { timeout: 20_000 * slowness };

const mebibyte = Buffer.alloc(1024 * 1024, 'x');
const seen: IncomingHttpHeaders[] = [];
let server: Server;
let url: string;

beforeAll(async () => {
  server = createServer((request, response) => {
    seen.push(request.headers);
    if (request.url === '/elsewhere') response.writeHead(307, { location: '/here' }).end('moved');
    else if (request.url === '/endless') {
      const again = (): void => void (response.writable && response.write(mebibyte, again));
      again();
    } else response.end('here');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
beforeEach(() => {
  seen.length = 0;
});
afterAll(() => {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(resolve));
});

const key = 'a-key-of-the-user';
const never = new AbortController().signal;
const timing = { sleep: async () => undefined, random: () => 0, now: () => 0 };
const headers = { authorization: `Bearer ${key}`, 'x-company-secret': 's', 'openai-organization': 'o', 'content-type': 'application/json' };
const http = (more: { key?: string | null; from_workspace?: boolean } = {}) =>
  new ModelHttp({ base_url: url, key, from_workspace: false, ...more }, never, timing);

describe('a model’s requests', () => {
  it('model requests follow no redirect, so that a key is not sent to another server', async () => {
    const requests = http();
    const response = await requests.fetch(`${url}/elsewhere`, { method: 'POST', headers, body: '{}' });
    expect(response.status).toBe(307);
    expect(requests.refused).toMatchObject({ status: 307, message: 'moved' });
    expect(seen).toHaveLength(1);
  });

  it('model requests to an endpoint of the workspace contain no settings of this machine', async () => {
    await http({ from_workspace: true }).fetch(url, { headers });
    expect(seen[0]).toMatchObject({ authorization: headers.authorization });
    expect(seen[0]).not.toHaveProperty('x-company-secret');
    expect(seen[0]).not.toHaveProperty('openai-organization');
    await http().fetch(url, { headers });
    expect(seen[1]).toHaveProperty('x-company-secret');
  });

  it('model requests without a key carry no authorization', async () => {
    await http({ key: null }).fetch(url, { headers });
    expect(seen[0]).not.toHaveProperty('authorization');
  });

  it('model requests abort an answer that exceeds the size limit', async () => {
    const requests = http();
    const { body } = await requests.fetch(`${url}/endless`);
    let size = 0;
    const read = async () => {
      for await (const chunk of body ?? []) size += chunk.byteLength;
    };
    await expect(read()).rejects.toThrow('more than 128 MiB came');
    expect(requests.flooded).toBe('more than 128 MiB came');
    expect(size / mebibyte.length).toBeCloseTo(128, 0);
  });

  it('model requests read an answer no faster than its reader has room', async () => {
    const room = Promise.withResolvers<void>();
    let full = false;
    const requests = new ModelHttp({ base_url: url, key, from_workspace: false }, never, timing, undefined, {
      room: () => (full ? room.promise : undefined),
    });
    const { body } = await requests.fetch(`${url}/endless`);
    const chunks = body?.getReader();
    await chunks?.read();
    full = true;
    // At most what was on its way before comes through.
    let later = 0;
    const reading = (async () => {
      while (chunks && !(await chunks.read()).done) later += 1;
    })().catch(() => {});
    for (let turn = 0; turn < 100; turn += 1) await new Promise(setImmediate);
    const held = later;
    expect(held).toBeLessThan(4);
    full = false;
    room.resolve();
    await vi.waitFor(() => expect(later).toBeGreaterThan(held + 10), patient);
    await chunks?.cancel();
    await reading;
  });

  it('model requests report a refused connection after four attempts', async () => {
    const pauses: number[] = [];
    const requests = new ModelHttp({ base_url: url, key, from_workspace: false }, never, {
      ...timing,
      sleep: async (milliseconds) => pauses.push(milliseconds),
    });
    await expect(requests.fetch('http://127.0.0.1:1/')).rejects.toThrow();
    expect(requests.unreachable).toBeTruthy();
    expect(pauses).toEqual([250, 500, 1000]);
  });
});

describe('the pause before another attempt', () => {
  it('the pause before a retry follows the vendor’s header in seconds, milliseconds or as a date', () => {
    expect(requestedDelay(new Headers({ 'retry-after': '3' }), 0)).toBe(3000);
    expect(requestedDelay(new Headers({ 'retry-after': '3', 'retry-after-ms': '40' }), 0)).toBe(40);
    expect(requestedDelay(new Headers({ 'retry-after': 'Thu, 01 Jan 1970 00:00:09 GMT' }), 2000)).toBe(7000);
    expect(requestedDelay(new Headers({ 'retry-after': 'soon' }), 0)).toBeUndefined();
    expect(requestedDelay(new Headers(), 0)).toBeUndefined();
  });

  it('the pause before a retry doubles with jitter and ends after three retries', () => {
    expect([1, 2, 3, 4].map((attempt) => retryDelay(attempt, undefined, () => 0.999))).toEqual([499.75, 999.5, 1999, null]);
  });

  it('a retry is skipped when the vendor asks for more than a minute', () => {
    expect(retryDelay(1, 60_000, () => 0)).toBe(60_000);
    expect(retryDelay(1, 60_001, () => 0)).toBeNull();
  });
});
