import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { uuidV7 } from '#main/platform/uuid-v7.ts';
import { memoryStore } from '#main/store/memory/memory-store.ts';
import type { ServerStore } from '#main/store/server-store.ts';
import { DeployedFolders } from './deployed-folders.ts';
import { RunService } from './run-service.ts';
import { ServedFolders } from './served-folders.ts';

/** Counts for longer than the test takes. */
const longFlow = `pravah: 1
name: long
input: Counter
output: Done
limits: { steps: 10000000 }
schemas: { Counter: { type: object }, Next: { type: object }, Done: { type: object } }
nodes:
  - { kind: either, from: Counter, to: [Done, Next], expr: "n >= 1000000" }
  - { kind: work, from: Next, to: Counter, expr: "{ n: n + 1 }" }
`;

it('a run stays marked as driven, however long the store takes to note that it was paused before', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'pravah-served-'));
  process.env.PRAVAH_HOME = join(folder, 'home');
  writeFileSync(join(folder, 'long.flow.yaml'), longFlow);
  const memory = memoryStore();
  // Statements of several connections may overtake each other.
  const setDriven = async (runId: string, driven: boolean) => {
    if (!driven) await wait(300);
    await memory.runs.setDriven(runId, driven);
  };
  const store: ServerStore = { ...memory, runs: { ...memory.runs, setDriven } };
  const deployed = new DeployedFolders({ store: store.flows, folder, trusted: false });
  const folders = await ServedFolders.open([folder], { runs: store.runs, deployed });
  onTestFinished(async () => {
    await folders.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const runs = new RunService({ folders, store, server: 'here', newId: uuidV7 });
  const runId = runs.newRunId();
  await runs.start(runId, { flow: 'long.flow.yaml', input: { n: 0 }, paused: false, metadata: {} });
  await wait(1000);
  expect((await store.runs.driven('here')).map(({ run_id }) => run_id)).toEqual([runId]);
  await runs.cancel(runId);
});
