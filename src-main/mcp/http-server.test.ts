import { afterEach, beforeEach, expect, test } from 'vitest';
import { ServerUnderTest } from '#main/mcp/testing/engine-call.ts';
import { TestServer } from '#main/tools/testing/test-server.ts';
import { temporaryProfile } from '#main/workspace/testing/profile.ts';
import { ToolError } from '#shared/run/error.ts';

let profile: Awaited<ReturnType<typeof temporaryProfile>>;
beforeEach(async () => {
  profile = await temporaryProfile();
});
afterEach(() => profile[Symbol.asyncDispose]());

const headers = { authorization: 'Bearer {secret:KEY}' };
const offer = async (url: string) => {
  await using it = new ServerUnderTest(profile.root, { url, headers }, { readSecrets: async () => ({ KEY: 'k3y' }) });
  return await it.servers.offer('it').then(
    () => null,
    (error: unknown) => error,
  );
};

test('a remote MCP server receives the headers of its settings, and a redirect to another origin receives none', async () => {
  await using thief = await TestServer.start((_request, response) => response.writeHead(200).end('{}'));
  await using server = await TestServer.start((_request, response) => response.writeHead(307, { location: thief.url('/mcp') }).end());
  const error = await offer(server.url('/mcp'));
  expect(error).toBeInstanceOf(ToolError);
  expect(error).toMatchObject({ variant: 'Missing', message: expect.stringContaining('redirect') });
  expect(server.requests[0]).toMatchObject({ method: 'POST', headers: { authorization: 'Bearer k3y' } });
  expect(thief.requests).toEqual([]);
});

test.each(['application/json', 'text/event-stream'])('a message without end in %s is given up', async (type) => {
  let sent = 0;
  await using server = await TestServer.start((_request, response) => {
    response.writeHead(200, { 'content-type': type });
    const more = () => {
      while (!response.destroyed && response.write('x'.repeat(1024 * 1024))) sent += 1;
      if (!response.destroyed) response.once('drain', more);
    };
    more();
  });
  expect(await offer(server.url('/mcp'))).toMatchObject({ variant: 'Missing' });
  expect(sent).toBeLessThan(40);
});

test('reports that an MCP server rejected the request’s key', async () => {
  await using server = await TestServer.start((_request, response) => response.writeHead(401).end('no such key'));
  expect(await offer(server.url('/mcp'))).toMatchObject({ message: expect.stringMatching(/401|Unauthorized|no such key/i) });
});
