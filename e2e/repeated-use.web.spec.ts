import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { slowness } from '#main/testing/slowness.ts';
import { expect, test } from './fixtures/studio.ts';
import { StudioPage } from './pages/studio-page.ts';

/** How often a flow is opened, run and closed, after the first times, which load and compile what the page needs once. */
const [first, cycles] = process.env.PRAVAH_SOAK ? [20, 200] : [6, 20];

function chain(count: number): string {
  const states = Array.from({ length: count + 1 }, (_, index) => `  S${index}: { type: object }`);
  const nodes = Array.from(
    { length: count },
    (_, index) => `  - { kind: work, from: S${index}, to: S${index + 1}, run: '(input) => input' }`,
  );
  return ['pravah: 1', `name: Chain of ${count}`, 'input: S0', `output: S${count}`, 'schemas:', ...states, 'nodes:', ...nodes, ''].join(
    '\n',
  );
}

interface PageMemory {
  /** Bytes of JavaScript objects. */
  readonly heap: number;
  readonly elements: number;
  readonly listeners: number;
}

/** What the page still uses after its garbage was collected. */
async function memoryOf(page: Page): Promise<PageMemory> {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.enable');
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  const { nodes, jsEventListeners } = await session.send('Memory.getDOMCounters');
  await session.detach();
  return { heap: usedSize, elements: nodes, listeners: jsEventListeners };
}

test(`opening, running and closing a flow ${cycles} times leaves the page's memory within 20 per cent`, async ({ studio }) => {
  test.setTimeout((60_000 + cycles * 6_000) * slowness);
  await writeFile(join(studio.folder, 'a.flow.yaml'), chain(2));
  await writeFile(join(studio.folder, 'work.flow.yaml'), chain(60));
  const window = new StudioPage(await studio.start());
  const { page } = window;
  await window.drawn(2);
  await page.getByRole('tab', { name: 'Flows' }).click();
  const flows = page.getByRole('tabpanel', { name: 'Flows' });
  const run = page.getByRole('button', { name: /run \w+/ });
  const cycle = async (turn: number) => {
    await flows.getByRole('button', { name: 'work', exact: true }).click();
    await window.drawn(60);
    // The flow's last run opens by itself, and until it is there no other one is started.
    if (turn > 0) await expect(window.runStatus).toHaveText('done');
    const last = turn > 0 ? await run.textContent() : '';
    await window.run();
    await expect(run).not.toHaveText(last ?? '');
    await expect(window.runStatus).toHaveText('done');
    await page.getByRole('button', { name: 'Close work' }).click();
    await window.drawn(2);
  };
  for (let turn = 0; turn < first; turn += 1) await cycle(turn);
  const before = await memoryOf(page);
  for (let turn = 1; turn <= cycles; turn += 1) {
    await cycle(turn);
    if (process.env.PRAVAH_SOAK && turn % 20 === 0) console.log(`${turn} cycles: ${JSON.stringify(await memoryOf(page))}`);
  }
  const after = await memoryOf(page);
  test.info().annotations.push({ type: 'memory', description: JSON.stringify({ before, after }) });
  for (const part of ['heap', 'elements', 'listeners'] as const) expect(after[part], part).toBeLessThan(1.2 * before[part]);
});
