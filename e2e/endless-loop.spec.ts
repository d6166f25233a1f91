import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { expect, test } from './fixtures/studio.ts';
import { StudioPage } from './pages/studio-page.ts';

const endless = `pravah: 1
name: Endless
input: A
output: B
schemas: { A: { type: object }, B: { type: object } }
nodes:
  - { kind: work, from: A, to: B, run: "() => { for (;;) {} }" }
`;

test('an endless loop in a body leaves the window smooth, and Stop ends it', async ({ studio }) => {
  await writeFile(join(studio.folder, 'endless.flow.yaml'), endless);
  const window = new StudioPage(await studio.start());
  await window.drawn(1);
  const before = await framesPerSecond(window.page);
  await window.run();
  await expect(window.card('A')).toHaveAttribute('data-status', 'running');
  // Against what this machine draws anyway. Half of it leaves room for the core that the loop takes; a blocked page draws none.
  await expect.poll(() => framesPerSecond(window.page)).toBeGreaterThan(Math.min(60, before) / 2);
  await expect(window.card('A')).toHaveAttribute('data-status', 'running');
  await window.page.keyboard.press('Shift+F5');
  await expect(window.runStatus).toHaveText('stopped');
  await expect(window.command('Stop')).toHaveAttribute('aria-disabled', 'true');
});

function framesPerSecond(page: Page): Promise<number> {
  return page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        const began = performance.now();
        let count = 0;
        const next = () => {
          count++;
          if (performance.now() - began < 1000) requestAnimationFrame(next);
          else resolve(count);
        };
        requestAnimationFrame(next);
      }),
  );
}
