import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startStudio, temporaryPlaces } from '#main/services/testing/studio-client.ts';
import { slowness } from '#main/testing/slowness.ts';

// Each test starts threads of its own, which takes seconds on a busy machine.
vi.setConfig({ testTimeout: 120_000 * slowness });

const path = 'workflow.yaml';
const source = `name: margins
agents:
  - name: margin
    type: expr
    expression: '19.5 - 12.25'
    output_key: margin
  - name: rounded
    type: expr
    expression: 'round(margin, 2)'
    input_keys: [margin]
    output_key: rounded
orchestration:
  type: sequential
  agents: [margin, rounded]
`;

async function studio(text = source) {
  const { folder } = await temporaryPlaces(onTestFinished);
  await writeFile(join(folder, path), text);
  await writeFile(join(folder, 'compose.yaml'), 'services: {}\n# agents and orchestration are only mentioned\n');
  return { ...startStudio(onTestFinished, folder), folder };
}

test('a PyFlow workflow is listed among the flows, drawn read-only, and run by its path', async () => {
  const { client, folder } = await studio();
  expect((await client.workspace.current())?.flows).toEqual([{ path, name: 'margins', has_draft: false }]);
  const opened = await client.flows.read({ path });
  expect(opened).toMatchObject({ revision: null, code: { source, file: join(folder, path), report: { valid: true } } });
  expect(opened.code?.origins).toContain('/agents/1');
  expect(JSON.parse(opened.text)).toMatchObject({ name: 'margins', pyflow: { source: './workflow.yaml' } });
  await expect(client.flows.save({ path, window: 'w', text: '', base_hash: opened.hash, layout: null })).rejects.toMatchObject({
    data: { message: 'workflow.yaml is a PyFlow workflow. Change it in a code editor.' },
  });

  const input = {};
  const { run_id } = await client.runs.start({ flow_path: path, text: opened.text, input });
  await client.runs.continue({ run_id });
  await vi.waitFor(async () => expect((await client.runs.get({ run_id })).status).toBe('success'), { timeout: 30_000 * slowness });
});

test('a problem of a PyFlow workflow names its line, and nothing is drawn', async () => {
  const { client } = await studio(source.replace('margin, rounded]', 'margin, missing]'));
  const { text, code } = await client.flows.read({ path });
  expect(text).toBe('');
  expect(code?.report.problems).toMatchObject([{ code: 'pyflow_reference', line: 14, path: '/orchestration/agents/1' }]);
  expect(await client.flows.importWorkflow({ path })).toMatchObject({ flow: null, files: [], problems: [{ line: 14 }] });
});

test('a workflow is imported beside its file, and a file that is not its import is never replaced', async () => {
  const { client, folder } = await studio();
  const flow = 'margins.flow.yaml';
  expect(await client.flows.importWorkflow({ path })).toEqual({ flow, files: [flow], problems: [] });
  expect((await client.workspace.current())?.flows.map((file) => file.path)).toEqual([flow, path]);

  await writeFile(join(folder, path), source.replace('round(margin, 2)', 'round(margin, 1)'));
  await expect(client.flows.importWorkflow({ path })).rejects.toMatchObject({ data: { variant: 'Conflict' } });
  expect(await client.flows.importWorkflow({ path, update: true })).toMatchObject({ flow, problems: [] });
  expect(await readFile(join(folder, flow), 'utf8')).toContain('round(margin, 1)');

  expect(await client.flows.importState({ path: flow })).toEqual({ source: path, changed: false });
  await writeFile(join(folder, path), source);
  expect(await client.flows.importState({ path: flow })).toEqual({ source: path, changed: true });
  expect(await client.flows.updateImport({ path: flow })).toMatchObject({ flow, files: [flow] });
  expect(await readFile(join(folder, flow), 'utf8')).toContain('round(margin, 2)');
  expect(await client.flows.importState({ path })).toBeNull();

  await rm(join(folder, flow));
  await writeFile(join(folder, flow), 'pravah: 1\n');
  await expect(client.flows.importWorkflow({ path, update: true })).rejects.toMatchObject({ data: { variant: 'Conflict' } });
  expect(await readFile(join(folder, flow), 'utf8')).toBe('pravah: 1\n');
});

test('exports of other tools are listed with workflows, and imported with what is left out', async () => {
  const { client, folder } = await studio();
  const node = (name: string, type: string, more: object = {}) => ({ name, type: `n8n-nodes-base.${type}`, parameters: {}, ...more });
  const nodes = [node('Start', 'manualTrigger'), node('Keep', 'noOp', { retryOnFail: true })];
  const connections = { Start: { main: [[{ node: 'Keep', type: 'main', index: 0 }]] } };
  await writeFile(join(folder, 'lead.json'), JSON.stringify({ name: 'Lead', nodes, connections }));
  await writeFile(join(folder, 'package.json'), '{"workflow": 1}');
  expect(await client.flows.importable()).toEqual([
    { path: 'lead.json', tool: 'n8n' },
    { path, tool: 'PyFlow' },
  ]);
  const { flow, problems } = await client.flows.importWorkflow({ path: 'lead.json' });
  expect(flow).toBe('Lead.flow.yaml');
  expect(problems.map(({ code, message }) => `${code} ${message}`)).toContainEqual(
    expect.stringMatching(/^import_ignored “Keep” runs without retries/),
  );
  expect((await client.workspace.current())?.flows.map((file) => file.path)).toContain('Lead.flow.yaml');
  await expect(client.flows.importWorkflow({ path: '../lead.json' })).rejects.toMatchObject({ data: { variant: 'NotFound' } });
});
