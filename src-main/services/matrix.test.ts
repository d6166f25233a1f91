import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startStudio, temporaryPlaces } from '#main/services/testing/studio-client.ts';
import type { Matrix } from '#shared/contract/matrix.ts';

const path = 'grading.flow.yaml';
const flow = (asks: boolean) => `pravah: 1
name: Grading
input: Essay
output: Saved
schemas: { Essay: { type: object }, Graded: { type: object }, Seen: { type: object }, Saved: { type: object } }
nodes:
  - { kind: agent, title: Grade it, from: Essay, to: Graded, agent: { model: "script://one.json", prompt: Grade. } }
  - { kind: ${asks ? 'suspend' : 'work'}, from: Graded, to: Seen }
  - { kind: work, from: Seen, to: Saved, tool: write_file, with: { path: grade.txt, content: "graded" } }
`;
const script = (grade: string) => JSON.stringify({ turns: [{ output: { grade }, usage: { tokens_in: 100, tokens_out: 10 } }] });

async function openFolder(text: string) {
  const { folder } = await temporaryPlaces(onTestFinished);
  await writeFile(join(folder, path), text);
  await writeFile(join(folder, 'one.json'), script('B'));
  await writeFile(join(folder, 'two.json'), script('A'));
  const { client } = startStudio(onTestFinished, folder);
  const { unconfirmed } = await client.consent.ofFlow({ path, text });
  await client.consent.confirm({ flow_path: path, keys: unconfirmed });
  const { run_id } = await client.runs.start({ flow_path: path, text, input: {} });
  return { folder, client, run_id };
}

type Client = Awaited<ReturnType<typeof openFolder>>['client'];

async function atRest({ runs }: Client, group: string): Promise<Matrix> {
  for (;;) {
    const matrix = await runs.matrix({ group });
    if (matrix.rows.every(({ status }) => !['queued', 'running'].includes(status))) return matrix;
  }
}

const variants = ['one', 'two', 'one', 'two', 'one'].map((model, index) => ({
  name: `${model} ${index}`,
  models: { 'Grade it': `script://${model}.json` },
}));

test('a matrix is checked, made, run in copies of the folder, and read with its differences', async () => {
  const { folder, client, run_id } = await openFolder(flow(false));
  const { runs } = client;
  await runs.step({ run_id, mode: 'over' });
  await runs.step({ run_id, mode: 'over' });
  const request = { run_id, seq: 0, variants };
  const check = await runs.matrixCheck(request);
  expect(check).toMatchObject({
    estimate: { calls: 5, tokens: 550, cost: null },
    writes: ['write_file'],
    outside: [],
    copy: { too_large: null },
  });
  const { group } = await runs.makeMatrix(request);
  expect((await runs.matrix({ group })).rows.map(({ status }) => status)).toEqual(Array(5).fill('paused'));
  // A breakpoint is for the run that is debugged.
  await client.debug.put({ breakpoints: [{ id: 'b', kind: 'before', flow: path, node: 'Graded' }] });
  await runs.runMatrix({ group });
  const { rows, original } = await atRest(client, group);
  expect(
    rows.map(({ name, status, copy, tokens, first_difference }) => [name, status, copy, tokens, first_difference?.node ?? null]),
  ).toEqual([
    ['one 0', 'success', true, 110, 'Seen'],
    ['two 1', 'success', true, 110, 'Essay'],
    ['one 2', 'success', true, 110, 'Seen'],
    ['two 3', 'success', true, 110, 'Essay'],
    ['one 4', 'success', true, 110, 'Seen'],
  ]);
  expect(original).toMatchObject({ run_id, status: 'paused' });
  expect(existsSync(join(folder, 'grade.txt'))).toBe(false);
  // What it wrote was in its copy, so there is nothing to restore here.
  expect(await runs.restorePreview({ run_id: rows[0]?.run_id ?? '', seq: 0 })).toMatchObject({ files: [] });
  expect(await runs.get({ run_id: rows[0]?.run_id ?? '' })).toMatchObject({
    forked_from: { run_id, seq: 0, group, variant: 'one 0', copy: true },
  });
});

test('variants that wait keep their copy until they have been answered, and a matrix can be cancelled', async () => {
  const { folder, client, run_id } = await openFolder(flow(true));
  const { runs } = client;
  await writeFile(join(folder, 'grade.txt'), 'mine');
  const { group } = await runs.makeMatrix({ run_id, seq: 0, variants: variants.filter(({ name }) => name.startsWith('one')) });
  await runs.runMatrix({ group });
  const waiting = await atRest(client, group);
  expect(waiting.rows.map(({ status }) => status)).toEqual(['suspended', 'suspended', 'suspended']);
  const [first] = waiting.rows;
  const { suspensions } = await runs.get({ run_id: first?.run_id ?? '' });
  const { tool_id = '', tool_call_id = '' } = suspensions[0] ?? {};
  await runs.resume({ run_id: first?.run_id ?? '', tool_id, tool_call_id, payload: {}, then_continue: false });
  expect(await runs.step({ run_id: first?.run_id ?? '', mode: 'over' })).toMatchObject({ status: 'success' });
  expect(await readFile(join(folder, 'grade.txt'), 'utf8')).toBe('mine');
  await runs.stopMatrix({ group });
  expect((await runs.matrix({ group })).rows.map(({ status }) => status)).toEqual(['success', 'cancelled', 'cancelled']);
});

test('a matrix is there after a restart, and its variants that have not run yet can be run', async () => {
  const { folder, client, run_id } = await openFolder(flow(false));
  const { group } = await client.runs.makeMatrix({ run_id, seq: 0, variants: variants.slice(0, 1) });
  const again = startStudio(onTestFinished, folder);
  expect((await again.client.runs.matrix({ group })).rows).toMatchObject([{ name: 'one 0', status: 'paused' }]);
  await again.client.runs.runMatrix({ group });
  expect((await atRest(again.client, group)).rows).toMatchObject([{ status: 'success', output: expect.anything() }]);
  expect(existsSync(join(folder, 'grade.txt'))).toBe(false);
  await expect(again.client.runs.matrix({ group: 'none' })).rejects.toMatchObject({ data: { variant: 'NotFound' } });
});

test('variants with the current flow need consent to what it can do in addition', async () => {
  const { folder, client, run_id } = await openFolder(flow(false));
  const current = flow(false).replace(/tool: write_file, with: .*? \} \}/, 'tool: http_request, with: { url: "https://example.org/" } }');
  await writeFile(join(folder, path), current);
  const request = { run_id, seq: 0, variants: [{ name: 'current', flow: 'current' as const }] };
  expect(await client.runs.matrixCheck(request)).toMatchObject({ writes: [], outside: ['http_request'], copy: null });
  const { group } = await client.runs.makeMatrix(request);
  const [row] = (await client.runs.matrix({ group })).rows;
  await expect(client.runs.runMatrix({ group })).rejects.toMatchObject({
    data: { code: 'CONFIG_CONSENT_NEEDED', details: { run_id: row?.run_id } },
  });
  expect((await client.runs.matrix({ group })).rows).toMatchObject([{ status: 'paused' }]);
});
