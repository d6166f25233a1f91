import { expect, onTestFinished, test, vi } from 'vitest';
import { startStudio, temporaryPlaces } from '#main/services/testing/studio-client.ts';

vi.setConfig({ testTimeout: 900_000 });

const large = JSON.stringify({
  pravah: 1,
  name: 'Large',
  input: 'A',
  output: 'B',
  schemas: { A: {}, B: {} },
  nodes: [{ kind: 'work', from: 'A', to: 'B', run: '() => "x".repeat(4e6)' }],
});

/** Rounds of runs at once, and how many runs a round has. */
const [rounds, runs] = [6, 20] as const;

// Takes minutes: `npm run soak`.
test('the memory of runs that have ended is used for the next ones', async () => {
  const { folder } = await temporaryPlaces(onTestFinished);
  const { client } = startStudio(onTestFinished, folder);
  const warnings: string[] = [];
  process.on('warning', ({ message }) => warnings.push(message));
  const measured: NodeJS.MemoryUsage[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const begun = Array.from({ length: runs }, async () => {
      const { run_id: runId } = await client.runs.start({ flow_path: 'a.flow.json', text: large, input: {} });
      await client.runs.continue({ run_id: runId });
      await expect
        .poll(async () => (await client.runs.list({})).find((run) => run.run_id === runId)?.status, { timeout: 300_000 })
        .toBe('success');
    });
    await Promise.all(begun);
    measured.push(process.memoryUsage());
  }
  const [, early] = measured;
  const late = measured.at(-1);
  console.log(
    measured.map(({ rss, heapUsed }) => `${Math.round(rss / 1e6)} MB resident, ${Math.round(heapUsed / 1e6)} MB heap`).join('\n'),
  );
  // What runs keep would add up round by round.
  expect(late?.rss).toBeLessThan(2 * (early?.rss ?? 0));
  expect(warnings.filter((warning) => warning.includes('MaxListeners'))).toEqual([]);
});
