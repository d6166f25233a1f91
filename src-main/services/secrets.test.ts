import { readdirSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startStudio, temporaryPlaces } from '#main/services/testing/studio-client.ts';
import { TestServer } from '#main/tools/testing/test-server.ts';

test('a secret entered in the studio reaches its host and does not appear in the journal, profile or responses', async () => {
  const secret = 'a-secret-entered-in-the-studio';
  await using server = await TestServer.start((_request, response) => response.end('fine'));
  const { folder, home } = await temporaryPlaces(onTestFinished);
  await writeFile(join(folder, 'pravah.json'), JSON.stringify({ http: { allow_private: ['127.0.0.1'] } }));
  const { client } = startStudio(onTestFinished, folder);
  await client.workspace.setTrust({ trusted: true });
  const stored = await client.secrets.set({ name: 'TOKEN', value: secret, hosts: [`127.0.0.1:${server.port}`] });
  expect(stored).toEqual([{ name: 'TOKEN', hosts: [`127.0.0.1:${server.port}`] }]);
  const call = { url: server.url(), allow_private: true, headers: { authorization: 'Bearer {secret:TOKEN}' } };
  const nodes = [{ kind: 'work', from: 'A', to: 'B', tool: 'http_request', with: call }];
  const text = JSON.stringify({ pravah: 1, name: 'T', input: 'A', output: 'B', schemas: { A: {}, B: {} }, nodes });
  const path = 'a.flow.json';
  const { unconfirmed } = await client.consent.ofFlow({ path, text });
  expect(unconfirmed).toContain('secret TOKEN');
  await client.consent.confirm({ flow_path: path, keys: unconfirmed });
  const { run_id: runId } = await client.runs.start({ flow_path: path, text, input: {} });
  const detail = await client.runs.step({ run_id: runId, mode: 'into' });
  expect(detail).toMatchObject({ status: 'success', output: { status: 200, body: 'fine' } });
  expect(server.requests[0]?.headers.authorization).toBe(`Bearer ${secret}`);
  expect(JSON.stringify([detail, stored, await client.secrets.list()])).not.toContain(secret);
  for (const place of [join(folder, '.pravah'), home])
    for (const file of readdirSync(place, { recursive: true, withFileTypes: true }))
      if (file.isFile()) expect(readFileSync(join(file.parentPath, file.name)).includes(secret), file.name).toBe(false);
  expect(await client.secrets.remove({ name: 'TOKEN' })).toEqual([]);
  await expect(client.secrets.set({ name: 'TOKEN', value: 'short', hosts: ['a.example'] })).rejects.toMatchObject({
    data: { variant: 'Invalid' },
  });
});
