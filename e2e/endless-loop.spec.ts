import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
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
  await window.run();
  await expect(window.card('A')).toHaveAttribute('data-status', 'running');
  const frames = await window.page.evaluate(
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
  // A second of frames: 60 where the machine draws that many; half of it proves that nothing blocks the page for long.
  expect(frames).toBeGreaterThan(30);
  await window.page.keyboard.press('Shift+F5');
  await expect(window.runStatus).toHaveText('stopped');
  await expect(window.command('Stop')).toHaveAttribute('aria-disabled', 'true');
});
