import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from './fixtures/studio.ts';
import { StudioPage } from './pages/studio-page.ts';

/** A chain of `length` nodes without a layout. */
function chain(count: number): string {
  const states = Array.from({ length: count + 1 }, (_, index) => `S${index}`);
  const nodes = states.slice(0, -1).map((from, index) => ({ kind: 'work', from, to: states[index + 1] }));
  const schemas = Object.fromEntries(states.map((name) => [name, { type: 'object' }]));
  return JSON.stringify({ pravah: 1, name: `Chain of ${count}`, input: states[0], output: states[count], schemas, nodes });
}

for (const count of [1_000, 10_000]) {
  test(`a flow of ${count} nodes opens, and the canvas moves at once`, async ({ studio }) => {
    await writeFile(join(studio.folder, 'chain.flow.json'), chain(count));
    const window = new StudioPage(await studio.start());
    const { page } = window;
    await window.drawn(count);
    await page.keyboard.press('Control+0');
    // At full size only what is in sight is mounted.
    await expect.poll(() => window.nodes.count()).toBeLessThan(60);
    const place = () => page.locator('.react-flow__viewport').evaluate((element) => element.style.transform);
    const before = await place();
    await page.locator('[data-canvas]').hover({ position: { x: 200, y: 200 } });
    await page.mouse.wheel(400, 300);
    await expect.poll(place).not.toBe(before);
    await expect(window.nodes.first()).toBeVisible();
  });
}

test('a flow of 10,000 nodes is read beside the page, with the flow that it runs, and an edit of it is not', async ({ studio }) => {
  const outer = JSON.parse(chain(10_000)) as { nodes: object[] };
  outer.nodes[0] = { kind: 'flow', flow: './inner.flow.json', from: 'S0', to: 'S1' };
  await writeFile(join(studio.folder, 'chain.flow.json'), JSON.stringify(outer));
  await writeFile(join(studio.folder, 'inner.flow.json'), chain(2_000));
  const window = new StudioPage(await studio.start());
  const { page } = window;
  const workers = () => page.workers().filter((worker) => worker.url().includes('read-text'));
  await page.getByRole('button', { name: 'chain', exact: true }).click();
  await window.drawn(10_000);
  expect(workers()).toHaveLength(1);
  // Texts that the page has read itself, in characters.
  const read = () => page.evaluate(() => performance.getEntriesByName('pravah-read-text').map((each) => (each as PerformanceMark).detail));
  expect((await read()).filter((length: number) => length > 20_000)).toEqual([]);
  await page.keyboard.press('Control+0');
  await window.nodes.nth(3).click();
  await page.getByLabel('Title', { exact: true }).fill('Edited');
  await expect(window.card('Edited')).toBeVisible();
  await page.keyboard.press('Control+z');
  await expect(window.card('Edited')).toHaveCount(0);
});

test('files that are no flows open with a message that says why', async ({ studio }) => {
  await writeFile(join(studio.folder, 'broken.flow.yaml'), 'pravah: 1\nname: [unclosed\nnodes:\n  - {');
  await writeFile(join(studio.folder, 'binary.flow.yaml'), Buffer.from([0x00, 0xff, 0xfe, 0x80, 0x00, 0x9d]));
  await writeFile(join(studio.folder, 'huge.flow.yaml'), `pravah: 1\nname: Huge\ndescription: "${'x'.repeat(5 * 1024 * 1024)}"\n`);
  const window = new StudioPage(await studio.start());
  const { page } = window;
  await page.getByRole('tab', { name: 'Flows' }).click();
  const open = (name: string) => page.getByRole('tabpanel', { name: 'Flows' }).getByRole('button', { name, exact: true }).click();
  await window.tab('Problems').click();

  await open('broken');
  await expect(window.problems.first()).toContainText(/line \d/i);
  await expect(page.getByText('The text of this flow cannot be read')).toBeVisible();
  await open('binary');
  await expect(page.getByText(/UTF-8/).first()).toBeVisible();
  await open('huge');
  await expect(window.problems.first()).toContainText('longer than 4 million characters');
  // Nothing that was opened has been changed, and the studio goes on.
  await open('broken');
  await expect(window.problems.first()).toContainText(/line \d/i);
});
