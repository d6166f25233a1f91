import { mkdir, realpath, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { approveTools } from '#main/mcp/approvals.ts';
import { type StudioClient, startStudio, temporaryPlaces } from '#main/services/testing/studio-client.ts';

const server = { command: 'true', args: [], env: {} };
const flow_path = 'rounds.flow.json';

/** Writes a file in every round, and the rounds do not end. */
const rounds = JSON.stringify({
  pravah: 1,
  name: 'Rounds',
  input: 'A',
  output: 'Z',
  schemas: { A: {}, B: {}, Z: {} },
  nodes: [
    { kind: 'work', from: 'A', to: 'B', tool: 'write_file', with: { path: 'one.md', content: 'x' } },
    { kind: 'either', from: 'B', to: ['A', 'Z'], expr: 'true' },
  ],
});

async function opened(): Promise<StudioClient & { readonly folder: string }> {
  const { folder } = await temporaryPlaces(onTestFinished);
  const studio = startStudio(onTestFinished, folder);
  const { client } = studio;
  await client.workspace.setTrust({ trusted: true });
  await allow(studio);
  return { ...studio, folder };
}

async function allow({ client }: StudioClient): Promise<void> {
  const { capabilities } = await client.consent.ofFlow({ path: flow_path, text: rounds });
  await client.consent.confirm({ flow_path, keys: capabilities.map(({ kind, name }) => `${kind} ${name}`) });
}

test('all that was allowed is listed, and each of it can be taken back', async () => {
  const { client, folder } = await opened();
  await approveTools(folder, 'it', server, [{ name: 'look', description: 'Looks.', input_schema: {}, annotations: {} }]);
  const all = { folder, exists: true, trusted: true, flows: [{ flow_path, keys: ['write one.md', 'tool write_file'] }] };
  expect(await client.consent.given()).toEqual([{ ...all, servers: [{ name: 'it', tools: ['look'] }] }]);

  const take = (permission: Parameters<typeof client.consent.withdraw>[0]['permission']) => client.consent.withdraw({ folder, permission });
  expect(await take({ type: 'server', name: 'it' })).toEqual([{ ...all, servers: [] }]);
  expect((await client.consent.ofFlow({ path: flow_path, text: rounds })).unconfirmed).toEqual([]);
  expect(await take({ type: 'flow', flow_path })).toEqual([{ ...all, flows: [], servers: [] }]);
  expect(await client.consent.ofFlow({ path: flow_path, text: rounds })).toMatchObject({
    known: false,
    unconfirmed: ['tool write_file', 'write one.md'],
  });
  expect(await take({ type: 'trust' })).toEqual([]);
  expect(await client.workspace.current()).toMatchObject({ trusted: false });
  expect(await take({ type: 'trust' })).toEqual([]);
});

test('what was allowed in a folder that has gone can be taken back, all at once', async () => {
  const { client, folder } = await opened();
  const other = join(await realpath(join(folder, '..')), `${folder.split('/').at(-1)}-gone`);
  await mkdir(other);
  await writeFile(join(other, 'pravah.json'), JSON.stringify({ mcp_servers: { it: server } }));
  await client.workspace.open({ folder: other });
  await client.workspace.setTrust({ trusted: true });
  await approveTools(other, 'it', server, [{ name: 'look', description: 'Looks.', input_schema: {}, annotations: {} }]);
  await client.workspace.open({ folder });
  await rm(other, { recursive: true });
  const [own, gone] = await client.consent.given();
  expect([own?.folder, gone]).toMatchObject([folder, { folder: other, exists: false, trusted: true, servers: [{ name: 'it' }] }]);
  expect(await client.consent.withdraw({ folder: other, permission: { type: 'all' } })).toEqual([own]);
});

test('an active run pauses when a permission that it needs is revoked, and continues once it is granted again', async () => {
  const studio = await opened();
  const { client, folder } = studio;
  const { run_id: runId } = await client.runs.start({ flow_path, text: rounds, input: {} });
  await client.runs.continue({ run_id: runId });
  expect((await client.runs.get({ run_id: runId })).status).toBe('running');
  await client.consent.withdraw({ folder, permission: { type: 'flow', flow_path } });
  await expect.poll(async () => (await client.runs.get({ run_id: runId })).status).toBe('paused');
  const needed = { data: { code: 'CONFIG_CONSENT_NEEDED' } };
  await expect(client.runs.step({ run_id: runId, mode: 'into' })).rejects.toMatchObject(needed);
  await expect(client.runs.continue({ run_id: runId })).rejects.toMatchObject(needed);
  await allow(studio);
  expect((await client.runs.step({ run_id: runId, mode: 'into' })).status).toBe('paused');
});
