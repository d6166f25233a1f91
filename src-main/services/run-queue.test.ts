import { expect, onTestFinished, test, vi } from 'vitest';
import { Background } from '#main/services/query-worker/background.ts';
import { RunRegistry } from '#main/services/runs/run-registry.ts';
import { type StudioClient, startStudio, temporaryPlaces } from '#main/services/testing/studio-client.ts';
import type { RunSummary } from '#shared/contract/runs.ts';
import type { Json } from '#shared/json.ts';

// Runs have threads of their own, which takes seconds on a busy machine.
vi.setConfig({ testTimeout: 120_000 });
const patience = { timeout: 100_000, interval: 100 };

const documentOf = (run: string, kind = 'work'): string =>
  JSON.stringify({
    pravah: 1,
    name: 'Queued',
    input: 'A',
    output: 'C',
    schemas: { A: {}, B: {}, C: {} },
    nodes: [
      { kind: 'work', from: 'A', to: 'B', run },
      { kind, from: 'B', to: 'C' },
    ],
  });
const quick = documentOf('(a) => a');
const endless = documentOf('() => { for (;;) {} }');
const asking = documentOf('(a) => a', 'suspend');

async function studio(slots: number, onRunChange?: (run: RunSummary) => void): Promise<StudioClient> {
  const { folder } = await temporaryPlaces(onTestFinished);
  return startStudio(onTestFinished, folder, { onRunChange }, slots);
}

async function begin({ client }: StudioClient, text: string, input: Json = {}): Promise<string> {
  const { run_id: runId } = await client.runs.start({ flow_path: 'a.flow.json', text, input });
  await client.runs.continue({ run_id: runId });
  return runId;
}

const statuses = async ({ client }: StudioClient) => (await client.runs.list({})).map(({ status }) => status);

test('of 40 runs at once, only as many as there are slots are driven; the others are queued, and all succeed', async () => {
  let most = 0;
  const running = new Set<string>();
  const it = await studio(2, ({ run_id: runId, status }) => {
    if (status === 'running') running.add(runId);
    else running.delete(runId);
    most = Math.max(most, running.size);
  });
  await Promise.all(Array.from({ length: 40 }, () => begin(it, quick)));
  await expect.poll(async () => (await statuses(it)).filter((status) => status === 'success').length, patience).toBe(40);
  expect(most).toBeGreaterThan(0);
  expect(most).toBeLessThanOrEqual(2);
});

test('a queued run is shown as queued, can be paused and cancelled, and starts when a slot is free', async () => {
  const seen: string[] = [];
  const it = await studio(1, ({ run_id: runId, status }) => seen.push(`${runId} ${status}`));
  const first = await begin(it, endless);
  const [second, third, fourth] = [await begin(it, quick), await begin(it, quick), await begin(it, quick)] as const;
  await expect.poll(async () => (await it.client.runs.get({ run_id: second })).status).toBe('queued');
  expect(await statuses(it)).toEqual(['queued', 'queued', 'queued', 'running']);
  expect(await it.client.runs.stop({ run_id: third })).toMatchObject({ status: 'cancelled' });
  expect(await it.client.runs.pause({ run_id: fourth })).toMatchObject({ status: 'paused' });
  await it.client.runs.stop({ run_id: first });
  await expect.poll(async () => (await it.client.runs.get({ run_id: second })).status, patience).toBe('success');
  expect(seen).toContain(`${second} queued`);
  expect((await it.client.runs.get({ run_id: fourth })).status).toBe('paused');
  expect((await it.client.runs.continue({ run_id: fourth })).status).toMatch(/running|success/);
});

test('a run that waits for a person gives its slot back', async () => {
  const it = await studio(1);
  const waiting = await begin(it, asking);
  await expect.poll(async () => (await it.client.runs.get({ run_id: waiting })).status, patience).toBe('suspended');
  const other = await begin(it, quick);
  await expect.poll(async () => (await it.client.runs.get({ run_id: other })).status, patience).toBe('success');
});

test('runs that have ended are forgotten', async () => {
  const { folder } = await temporaryPlaces(onTestFinished);
  const background = new Background(folder);
  const mcp = { forget: () => undefined } as unknown as ConstructorParameters<typeof RunRegistry>[2];
  const registry = new RunRegistry(
    folder,
    background,
    mcp,
    () => undefined,
    async () => ({ breakpoints: [], supplied: [] }),
    { slots: 2 },
  );
  onTestFinished(async () => {
    await registry.close();
    await background.close();
  });
  for (let count = 0; count < 12; count += 1) {
    const { run_id: runId } = await registry.start({ flow_path: 'a.flow.json', text: quick, input: {} });
    await registry.continue(runId);
    await expect.poll(async () => (await registry.detail(runId)).status, patience).toBe('success');
  }
  // Those whose threads are kept for the next command.
  await expect.poll(() => registry.size).toBeLessThanOrEqual(3);
});
