import { readdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createORPCClient } from '@orpc/client';
import { RPCLink } from '@orpc/client/message-port';
import type { ContractRouterClient } from '@orpc/contract';
import { secretService } from '#scripts/test-parts.mjs';
import type { contract } from '#shared/contract/index.ts';
import { capabilityKey } from '#shared/flow/capabilities/capability.ts';
import { bridgedPort } from './fixtures/bridged-port.ts';
import { startSecretService } from './fixtures/secret-service.ts';
import { expect, type StudioUnderTest, test } from './fixtures/studio.ts';

const key = 'sk-that-a-keychain-seals-0123456789abcdef';
const token = 'token-that-a-keychain-seals-0123456789';

/** A server on this machine that tells what it was sent, and lists one model to who brings the key. */
async function openServer() {
  const seen: string[] = [];
  const server = createServer(({ headers: { authorization = '' } }, response) => {
    seen.push(authorization);
    const models = { object: 'list', data: [{ id: 'small-model', object: 'model', created: 0, owned_by: 'test' }] };
    response.writeHead(authorization ? 200 : 401, { 'content-type': 'application/json' }).end(JSON.stringify(models));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { host, seen, [Symbol.dispose]: () => void server.close() };
}

/** A flow whose only node sends the secret. */
const sends = (host: string) =>
  JSON.stringify({
    pravah: 1,
    name: 'Sends',
    input: 'A',
    output: 'B',
    schemas: { A: {}, B: {} },
    nodes: [
      {
        kind: 'work',
        from: 'A',
        to: 'B',
        tool: 'http_request',
        with: { url: `http://${host}/`, headers: { authorization: '{secret:TOKEN}' }, allow_private: true },
      },
    ],
  });

async function textsOf(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return (await Promise.all(files.map((file) => readFile(join(file.parentPath, file.name), 'latin1')))).join('\n');
}

test('keys are sealed by the system’s keychain, used by runs in their threads, and wait for it when it is gone', async ({ studio }) => {
  const part = secretService();
  test.skip('reason' in part, `No Secret Service here: ${'reason' in part ? part.reason : ''}`);
  test.slow();
  using server = await openServer();
  await using keychain = await startSecretService();
  const flow = sends(server.host);
  await writeFile(join(studio.folder, 'sends.flow.json'), flow);
  await writeFile(join(studio.folder, 'pravah.json'), JSON.stringify({ http: { allow_private: [server.host] } }));
  const endpoint = `http://${server.host}/v1`;
  const vendor = { OPENAI_BASE_URL: endpoint, OPENAI_API_KEY: '' };

  await test.step('what is entered is sealed by the keychain', async () => {
    const client = await start(studio, { ...vendor, ...keychain.env });
    expect(await client.models.setKey({ provider: 'openai', endpoint, key })).toMatchObject({ protection: 'keychain', warning: null });
    await client.secrets.set({ name: 'TOKEN', value: token, hosts: [`http://${server.host}`] });
    const { entries } = JSON.parse(await readFile(join(studio.home, 'keys.json'), 'utf8')) as { entries: { sealed: string }[] };
    // Chromium marks so what it sealed with the keychain's password; `v10` would be its fixed one, which protects nothing.
    expect(entries.map(({ sealed }) => Buffer.from(sealed, 'base64').subarray(0, 3).toString())).toEqual(['v11', 'v11']);
    expect(await readdir(studio.home)).not.toContain('keys.secret');
    await studio.close();
  });

  await test.step('another start can read it, and so can a run', async () => {
    const client = await start(studio, { ...vendor, ...keychain.env });
    expect(await client.models.list({ provider: 'openai' })).toMatchObject([{ name: 'small-model' }]);
    await client.workspace.setTrust({ trusted: true });
    const { capabilities } = await client.consent.ofFlow({ path: 'sends.flow.json', text: flow });
    await client.consent.confirm({ flow_path: 'sends.flow.json', keys: capabilities.map(capabilityKey) });
    const { run_id } = await client.runs.start({ flow_path: 'sends.flow.json', text: flow, input: {} });
    await client.runs.continue({ run_id });
    await expect.poll(async () => (await client.runs.get({ run_id })).status).toBe('success');
    expect(server.seen).toEqual([`Bearer ${key}`, token]);
    await studio.close();
  });

  await test.step('without the keychain it says so, and keeps what the keychain sealed', async () => {
    const sealed = await readFile(join(studio.home, 'keys.json'), 'utf8');
    const client = await start(studio, vendor);
    expect(await client.models.overview()).toMatchObject({
      protection: 'file',
      warning: expect.stringContaining('stored on this machine'),
    });
    await expect(client.models.list({ provider: 'openai' })).rejects.toThrow(/needs a key/);
    await studio.close();
    expect(await readFile(join(studio.home, 'keys.json'), 'utf8')).toBe(sealed);
  });

  const written = (await textsOf(studio.home)) + (await textsOf(studio.folder));
  expect(written).not.toContain(key);
  expect(written).not.toContain(token);
});

async function start(studio: StudioUnderTest, env: Readonly<Record<string, string>>): Promise<ContractRouterClient<typeof contract>> {
  return createORPCClient(new RPCLink({ port: await bridgedPort(await studio.start(env)) }));
}
