import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, type StudioUnderTest, test } from './fixtures/studio.ts';
import { StudioPage } from './pages/studio-page.ts';

const text = `# Kept as it is: a comment, and this order.
pravah: 1
name: Prices
input: Offer
output: Answer
schemas:
  Offer: { type: object }
  Priced: { type: object }
  Answer: { type: object }
nodes:
  - { kind: work, from: Offer, to: Priced }   # first
  - { kind: work, from: Priced, to: Answer }
`;

const file = (studio: StudioUnderTest) => join(studio.folder, 'prices.flow.yaml');
const onDisk = (studio: StudioUnderTest) => readFile(file(studio), 'utf8');

async function openPrices(studio: StudioUnderTest): Promise<StudioPage> {
  await writeFile(file(studio), text);
  const window = new StudioPage(await studio.start());
  await window.drawn(2);
  return window;
}

test('nodes are added, renamed and removed by keyboard, undone and redone, and saved', async ({ studio }) => {
  const window = await openPrices(studio);
  const { page } = window;
  await window.node('Priced').click();
  await page.keyboard.press('F2');
  await page.getByRole('textbox', { name: 'Name of the state' }).fill('Rated');
  await page.keyboard.press('Enter');
  await expect(window.node('Rated')).toBeVisible();
  await page.keyboard.press('Control+Z');
  await expect(window.node('Priced')).toBeVisible();
  await page.keyboard.press('Control+Shift+Z');
  await expect(window.node('Rated')).toBeVisible();

  await page.locator('[data-canvas]').click({ position: { x: 30, y: 300 } });
  await page.keyboard.press('n');
  await page.getByRole('combobox', { name: 'Search nodes and tools' }).fill('suspend');
  await page.keyboard.press('Enter');
  await window.drawn(3);
  await page.keyboard.press('Delete');
  await window.drawn(2);
  await page.keyboard.press('Control+Z');
  await window.drawn(3);
  await page.keyboard.press('Control+Z');
  await window.drawn(2);

  await page.keyboard.press('Control+S');
  await expect.poll(() => onDisk(studio)).toBe(text.replaceAll('Priced', 'Rated'));
});

test('what is typed 300 ms before the process is killed is there after the next start', async ({ studio }) => {
  const window = await openPrices(studio);
  await window.node('Priced').click();
  await window.page.keyboard.press('F2');
  await window.page.getByRole('textbox', { name: 'Name of the state' }).fill('Estimated');
  await window.page.keyboard.press('Enter');
  await expect(window.node('Estimated')).toBeVisible();
  await window.page.waitForTimeout(300);
  await studio.kill();
  expect(await onDisk(studio)).toBe(text);
  const again = new StudioPage(await studio.start());
  await expect(again.node('Estimated')).toBeVisible();
  await again.page.keyboard.press('Control+S');
  await expect.poll(() => onDisk(studio)).toBe(text.replaceAll('Priced', 'Estimated'));
});

test('a wire dropped on empty canvas adds what fits, and a moved node stays where it was put', async ({ studio }) => {
  const window = await openPrices(studio);
  const { page } = window;
  const handle = await window.node('Priced').locator('.react-flow__handle.source').boundingBox();
  if (!handle) throw new Error('the node has no handle');
  await page.mouse.move(handle.x + handle.width / 2, handle.y + handle.height / 2);
  await page.mouse.down();
  await page.mouse.move(handle.x + 40, handle.y + 120, { steps: 6 });
  await page.mouse.up();
  await page.getByRole('combobox', { name: 'Search nodes and tools' }).fill('work');
  await page.keyboard.press('Enter');
  await window.drawn(3);
  await expect(window.node('Answer')).toBeVisible();

  const before = await window.node('Offer').boundingBox();
  await window.node('Offer').click();
  await page.keyboard.press('Control+ArrowDown');
  await page.keyboard.press('Control+S');
  const layout = join(studio.folder, 'prices.layout.json');
  await expect.poll(async () => readFile(layout, 'utf8').catch(() => '')).toContain('Offer');
  await studio.close();
  const again = new StudioPage(await studio.start());
  await again.drawn(3);
  expect(before).not.toBeNull();
  expect(JSON.parse(await readFile(layout, 'utf8')).nodes.Offer).toMatchObject({ x: expect.any(Number), y: expect.any(Number) });
});

test('problems appear while editing and lead to their node', async ({ studio }) => {
  await writeFile(file(studio), text.replace('to: Answer', 'to: Answr'));
  const window = new StudioPage(await studio.start());
  const { page } = window;
  await window.drawn(2);
  await window.tab('Problems').click();
  const problem = page.getByRole('list', { name: 'Problems' }).getByText('unknown_schema');
  await expect(problem).toBeVisible();
  await problem.click();
  await expect(window.node('Priced')).toHaveClass(/selected/);
  await page
    .getByRole('textbox', { name: /^(To|Produces|Output).* state/i })
    .first()
    .fill('Answer');
  await page.keyboard.press('Enter');
  await expect(problem).toBeHidden();
});

test('a file that changed on disk is never overwritten without asking', async ({ studio }) => {
  const window = await openPrices(studio);
  const { page } = window;
  await window.node('Priced').click();
  await page.keyboard.press('F2');
  await page.getByRole('textbox', { name: 'Name of the state' }).fill('Mine');
  await page.keyboard.press('Enter');
  await expect(window.node('Mine')).toBeVisible();
  const theirs = text.replace('Prices', 'Theirs');
  await writeFile(file(studio), theirs);
  await expect(page.getByRole('region', { name: 'The file has changed on disk' })).toBeVisible();
  await page.keyboard.press('Control+S');
  expect(await onDisk(studio)).toBe(theirs);
});
