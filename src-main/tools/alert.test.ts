import { expect, test } from 'vitest';
import { TestServer } from '#main/tools/testing/test-server.ts';
import { refusal, TestWorkspace } from '#main/tools/testing/test-workspace.ts';
import { alertTool } from './alert.ts';

test('alert posts the message and returns whether it was accepted', async () => {
  await using workspace = await TestWorkspace.make();
  await using server = await TestServer.start((request, response) => response.writeHead(request.url === '/full' ? 507 : 204).end());
  await workspace.write('pravah.json', '{"http":{"allow_private":["127.0.0.1"]}}');
  const send = (webhook_url: string) => workspace.call(alertTool, { webhook_url, message: 'größer' });

  expect(await send(server.url('/hook'))).toEqual({ status: 204, sent: true, error: null });
  expect(server.requests).toMatchObject([
    { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"message":"größer"}' },
  ]);
  expect(await send(server.url('/full'))).toEqual({ status: 507, sent: false, error: 'the webhook answered 507' });
  expect(await send('http://127.0.0.1:1/')).toMatchObject({ status: 0, sent: false, error: expect.any(String) });
  expect(await send('nowhere')).toMatchObject({ status: 0, sent: false });
  expect((await refusal(send('http://10.0.0.1/'))).variant).toBe('Denied');
  expect((await refusal(send('file:///etc/passwd'))).variant).toBe('Denied');
});
