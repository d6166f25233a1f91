import { mkdir, rename, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type StudioClient, startStudio, temporaryPlaces } from '#main/services/testing/studio-client.ts';
import type { Json } from '#shared/json.ts';

const path = 'a.flow.json';

function flowText(...calls: readonly { readonly tool: string; readonly with: Json }[]): string {
  const states = ['Begin', ...calls.map((_, index) => `S${index}`)];
  return JSON.stringify({
    pravah: 1,
    name: 'Calls',
    input: 'Begin',
    output: states.at(-1),
    schemas: Object.fromEntries(states.map((name) => [name, {}])),
    nodes: calls.map((call, index) => ({ kind: 'work', from: states[index], to: states[index + 1], ...call })),
  });
}

const write = (file: string) => ({ tool: 'write_file', with: { path: file, content: 'x' } });

async function studio(settings?: object): Promise<StudioClient & { readonly folder: string }> {
  const { folder } = await temporaryPlaces(onTestFinished);
  if (settings) await writeFile(join(folder, 'pravah.json'), JSON.stringify(settings));
  const it = { ...startStudio(onTestFinished, folder), folder };
  await it.client.workspace.setTrust({ trusted: true });
  return it;
}

async function allow({ client }: StudioClient, text: string): Promise<void> {
  const { unconfirmed, capabilities } = await client.consent.ofFlow({ path, text });
  expect(unconfirmed.length).toBeGreaterThan(0);
  await client.consent.confirm({ flow_path: path, keys: capabilities.map(({ kind, name }) => `${kind} ${name}`) });
}

const start = ({ client }: StudioClient, text: string) => client.runs.start({ flow_path: path, text, input: {} });
const refused = { data: { code: 'CONFIG_CONSENT_NEEDED' } };

test('a flow with capabilities is refused until the user consents, and again if its capabilities grow', async () => {
  const it = await studio();
  const text = flowText(write('one.md'));
  await expect(start(it, text)).rejects.toMatchObject(refused);
  expect(await it.client.runs.list({})).toEqual([]);
  await allow(it, text);
  const { run_id: runId } = await start(it, text);
  expect(await it.client.runs.step({ run_id: runId, mode: 'into' })).toMatchObject({ status: 'success' });
  const grown = flowText(write('one.md'), write('two.md'));
  await expect(start(it, grown)).rejects.toMatchObject({ data: { details: { unconfirmed: ['write two.md'] } } });
  expect(await it.client.consent.ofFlow({ path, text: grown })).toMatchObject({ known: true, unconfirmed: ['write two.md'] });
});

test('an agreement holds for one flow of one folder, and not for what a shrunk flow lost', async () => {
  const it = await studio();
  const both = flowText(write('one.md'), write('two.md'));
  await allow(it, both);
  expect((await it.client.consent.ofFlow({ path, text: flowText(write('two.md')) })).unconfirmed).toEqual([]);
  expect((await it.client.consent.ofFlow({ path: 'b.flow.json', text: both })).unconfirmed).not.toEqual([]);
  const elsewhere = `${it.folder}-moved`;
  await rename(it.folder, elsewhere);
  await mkdir(it.folder);
  onTestFinished(() => rename(elsewhere, join(it.folder, 'moved')));
  await it.client.workspace.open({ folder: elsewhere });
  expect((await it.client.consent.ofFlow({ path, text: both })).unconfirmed).not.toEqual([]);
});

test('a flow without capabilities needs no consent', async () => {
  const it = await studio();
  const text = flowText({ tool: 'condition', with: { expression: '1 < 2' } });
  expect(await it.client.consent.ofFlow({ path, text })).toMatchObject({ unconfirmed: [], known: false });
  const { run_id: runId } = await start(it, text);
  expect(await it.client.runs.step({ run_id: runId, mode: 'into' })).toMatchObject({ status: 'success' });
});

test('a recorded run continues only with consent to what the current settings allow', async () => {
  const it = await studio({ commands: ['true'] });
  const agentless = flowText({ tool: 'run_command', with: { command: '{program}' } });
  await allow(it, agentless);
  const { run_id: runId } = await it.client.runs.start({ flow_path: path, text: agentless, input: { program: 'true' } });
  await writeFile(join(it.folder, 'pravah.json'), JSON.stringify({ commands: ['true', 'rm'] }));
  // Setting trust again ends idle threads; the next command reads the settings.
  await it.client.workspace.setTrust({ trusted: true });
  for (const drive of [
    () => it.client.runs.step({ run_id: runId, mode: 'into' }),
    () => it.client.runs.continue({ run_id: runId }),
    () => it.client.runs.resume({ run_id: runId, tool_id: 'a', tool_call_id: 'b', payload: {} }),
  ]) {
    await expect(drive()).rejects.toMatchObject({ data: { code: 'CONFIG_CONSENT_NEEDED', details: { unconfirmed: ['command rm'] } } });
  }
  expect(await it.client.consent.ofRun({ run_id: runId })).toMatchObject({ flow_path: path, unconfirmed: ['command rm'], known: true });
  expect(await it.client.runs.get({ run_id: runId })).toMatchObject({ status: 'paused', seq: 0 });
});

test('hosts that were agreed to are reached, and no others', async () => {
  const server = createServer((_request, response) => response.end('hello'));
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const it = await studio({ http: { allow_private: ['127.0.0.0/8'] } });
  const get = (host: string) => ({ tool: 'http_request', with: { url: `http://${host}/`, allow_private: true } });
  const text = flowText(get(`127.0.0.1:${port}`));
  await allow(it, text);
  const { run_id: runId } = await start(it, text);
  expect(await it.client.runs.step({ run_id: runId, mode: 'into' })).toMatchObject({
    status: 'success',
    output: { status: 200, body: 'hello' },
  });
  const templated = flowText({ tool: 'http_request', with: { url: `http://127.0.0.1:${port}/{path}`, allow_private: true } });
  expect((await it.client.consent.ofFlow({ path, text: templated })).unconfirmed).toEqual([]);
  expect((await it.client.consent.ofFlow({ path, text: flowText(get('127.0.0.1:1')) })).unconfirmed).toEqual(['host 127.0.0.1:1']);
});
