import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startStudio, temporaryPlaces } from '#main/services/testing/studio-client.ts';
import { slowness } from '#main/testing/slowness.ts';
import type { WorkspaceEvent } from '#shared/contract/workspace.ts';

// Each test starts threads and processes of its own, which takes seconds on a busy machine.
vi.setConfig({ testTimeout: 120_000 * slowness });

const path = 'count.flow.ts';
const source = `import { defineFlow, state } from 'pravah-studio/runtime';
import { z } from 'zod';
import { step } from './lib/step.ts';
const A = state('A', z.object({ n: z.number() }));
const B = state('B', z.object({ n: z.number() }));
const C = state('C', z.object({ n: z.number() }));
export default defineFlow({ input: A, output: C, name: 'Count' })
  .work(A, B, ({ n }) => ({ n: n + step }), { pure: true })
  .suspend(B, C)
  .build();
`;

async function studio() {
  const { folder } = await temporaryPlaces(onTestFinished);
  await mkdir(join(folder, 'lib'));
  await writeFile(join(folder, 'lib/step.ts'), 'export const step = 2;\n');
  await writeFile(join(folder, path), source);
  return { ...startStudio(onTestFinished, folder), folder };
}

/** Reads events until one reports that the flow may have changed. */
async function changed(news: AsyncIterator<WorkspaceEvent>): Promise<void> {
  for (let item = await news.next(); !item.done; item = await news.next()) {
    if (item.value.type === 'changed' && item.value.flows.includes(path)) return;
  }
  throw new Error('the news ended');
}

test('a flow in code is listed, and drawn and run once its folder is trusted', async () => {
  const { client, folder } = await studio();
  expect((await client.workspace.current())?.flows).toEqual([{ path, name: 'count', has_draft: false }]);
  const closed = await client.flows.read({ path });
  expect(closed).toMatchObject({
    text: '',
    layout: null,
    code: { source, file: join(folder, path), report: { problems: [{ code: 'needs_trust' }] } },
  });
  await expect(client.runs.start({ flow_path: path, text: '', input: { n: 1 } })).rejects.toMatchObject({ data: { variant: 'Invalid' } });

  await client.workspace.setTrust({ trusted: true });
  const opened = await client.flows.read({ path });
  expect(opened.code?.report).toMatchObject({ valid: true, soundness: { status: 'sound' }, nodes: 2 });
  expect(await client.flows.validate({ path, text: 'of no account' })).toEqual(opened.code?.report);
  expect(JSON.parse(opened.text).nodes[0]).toMatchObject({ from: 'A', to: 'B', run: expect.stringContaining('n + step') });
  await expect(client.flows.save({ path, window: 'w', text: '', base_hash: opened.hash, layout: null })).rejects.toMatchObject({
    data: { message: expect.stringContaining('Change it in a code editor') },
  });
  await client.flows.saveLayout({ path, layout: { pravah_layout: 1, nodes: { A: { x: 4, y: 8 } } } });
  expect((await client.flows.read({ path })).layout?.nodes).toEqual({ A: { x: 4, y: 8 } });
  expect(await readFile(join(folder, path), 'utf8')).toBe(source);

  const reach = await client.consent.ofFlow({ path, text: '' });
  expect(reach.unconfirmed).toEqual([`code ${path}`]);
  await client.consent.confirm({ flow_path: path, keys: reach.unconfirmed });
  const { run_id: runId } = await client.runs.start({ flow_path: path, text: opened.text, input: { n: 1 } });
  const stepped = await client.runs.step({ run_id: runId, mode: 'over' });
  expect(stepped).toMatchObject({ status: 'paused', flow_name: 'Count' });
  expect((await client.runs.stateAt({ run_id: runId, seq: 1 })).states).toMatchObject([{ name: 'B', value: { n: 3 } }]);
  const waiting = await client.runs.step({ run_id: runId, mode: 'over' });
  const [asked] = waiting.suspensions;
  const answer = {
    run_id: runId,
    tool_id: asked?.tool_id ?? '',
    tool_call_id: asked?.tool_call_id ?? '',
    payload: { n: 9 },
    then_continue: false,
  };
  expect(await client.runs.resume(answer)).toMatchObject({ status: 'success' });
});

test('reports a change of the file, or of one that it loads, and its errors as problems', async () => {
  const { client, folder } = await studio();
  await client.workspace.setTrust({ trusted: true });
  const before = await client.flows.read({ path });
  const news = await client.workspace.watch();
  await writeFile(join(folder, 'lib/step.ts'), 'export const step = 20;\nthrow new Error("not ready");\n');
  await changed(news);
  const broken = await client.flows.read({ path });
  expect(broken).toMatchObject({
    text: '',
    code: { report: { problems: [{ code: 'bad_code', message: expect.stringContaining('not ready, in lib/step.ts, line 2') }] } },
  });
  expect(broken.hash).not.toBe(before.hash);
  await writeFile(join(folder, 'lib/step.ts'), 'export const step = 20;\n');
  await changed(news);
  expect((await client.flows.read({ path })).hash).toBe(before.hash);
  await writeFile(join(folder, path), source.replace("name: 'Count'", "name: 'Count on'"));
  await changed(news);
  const after = await client.flows.read({ path });
  expect(JSON.parse(after.text).name).toBe('Count on');
});

test('lists tools of a trusted folder, with the reason why a tool is unusable', async () => {
  const { client, folder } = await studio();
  await mkdir(join(folder, 'tools'));
  await writeFile(
    join(folder, 'tools/double.ts'),
    `import { defineTool } from 'pravah-studio/runtime';
    import { z } from 'zod';
    export default defineTool({ name: 'double', description: 'Doubles.', input: z.object({ n: z.number() }), effect: 'none', call: ({ n }) => n * 2 });`,
  );
  await writeFile(join(folder, 'tools/broken.ts'), 'throw new Error("not ready");');
  const own = async () => (await client.tools.list()).filter(({ name }) => name.startsWith('./'));
  expect(await own()).toEqual([]);
  await client.workspace.setTrust({ trusted: true });
  expect(await own()).toEqual([
    expect.objectContaining({ name: './tools/double.ts', description: 'Doubles.', effect: 'none', asks: false }),
    expect.objectContaining({ name: './tools/broken.ts', problem: expect.stringContaining('not ready') }),
  ]);
});

test('a handler that does not come to an end is stopped', async () => {
  const { client, folder } = await studio();
  await writeFile(join(folder, path), source.replace('({ n: n + step })', '{ for (;;); }'));
  await client.workspace.setTrust({ trusted: true });
  const { unconfirmed } = await client.consent.ofFlow({ path, text: '' });
  await client.consent.confirm({ flow_path: path, keys: unconfirmed });
  const { run_id: runId } = await client.runs.start({ flow_path: path, text: '', input: { n: 1 } });
  await client.runs.continue({ run_id: runId });
  expect(await client.runs.stop({ run_id: runId })).toMatchObject({ status: 'cancelled' });
});
