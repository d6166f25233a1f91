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

async function openPrices(studio: StudioUnderTest, content = text): Promise<StudioPage> {
  await writeFile(file(studio), content);
  const window = new StudioPage(await studio.start());
  await window.drawn(2);
  return window;
}

const placeOf = (window: StudioPage, id: string) =>
  window.node(id).evaluate((element) => (element.style.transform.match(/-?[\d.]+/g) ?? []).map(Number));

test('every way of adding, moving, tidying and removing is undone and redone, and only its own lines are saved', async ({ studio }) => {
  const window = await openPrices(studio);
  const { page } = window;
  const canvas = page.locator('[data-canvas]');
  const box = await canvas.boundingBox();
  if (!box) throw new Error('There is no canvas.');

  // A double click, the letter and the library, by drag and by keyboard.
  await canvas.dblclick({ position: { x: box.width / 2, y: box.height - 60 } });
  const search = page.getByRole('combobox', { name: 'Search nodes and tools' });
  await search.fill('suspend');
  await search.press('Enter');
  await window.drawn(3);
  await canvas.click({ position: { x: box.width / 2, y: 30 } });
  await page.keyboard.press('n');
  await search.fill('either');
  await search.press('Enter');
  await window.drawn(4);
  await page.getByRole('button', { name: /^Fork/ }).dragTo(canvas, { targetPosition: { x: box.width / 3, y: box.height - 90 } });
  await window.drawn(5);
  await canvas.click({ position: { x: box.width / 2, y: 30 } });
  await page.getByRole('button', { name: /^Agent/ }).press('Enter');
  await window.drawn(6);
  for (let count = 5; count >= 2; count--) {
    await page.keyboard.press('Control+z');
    await window.counted(count);
  }
  for (let count = 3; count <= 6; count++) {
    await page.keyboard.press('Control+Shift+Z');
    await window.counted(count);
  }
  for (let count = 5; count >= 2; count--) {
    await page.keyboard.press('Control+z');
    await window.counted(count);
  }

  // Moved by hand, then tidied.
  await page.keyboard.press('Shift+1');
  await expect(window.node('Priced')).toBeVisible();
  const atFirst = await placeOf(window, 'Priced');
  const card = await window.node('Priced').boundingBox();
  await window.dragTo(window.node('Priced'), { x: (card?.x ?? 0) + 120, y: (card?.y ?? 0) + 160 });
  const moved = await placeOf(window, 'Priced');
  expect(moved).not.toEqual(atFirst);
  await page.keyboard.press('Shift+Alt+T');
  await expect.poll(() => placeOf(window, 'Priced')).not.toEqual(moved);
  await page.keyboard.press('Control+z');
  await expect.poll(() => placeOf(window, 'Priced')).toEqual(moved);
  await page.keyboard.press('Control+z');
  await expect.poll(() => placeOf(window, 'Priced')).toEqual(atFirst);
  await page.keyboard.press('Control+Shift+Z');
  await expect.poll(() => placeOf(window, 'Priced')).toEqual(moved);

  // Removed, brought back, renamed everywhere, saved.
  await window.node('Priced').click();
  await page.keyboard.press('Delete');
  await window.counted(1);
  await page.keyboard.press('Control+z');
  await window.counted(2);
  await window.node('Priced').click();
  await page.keyboard.press('Shift+F2');
  await page.getByRole('textbox', { name: 'State name' }).fill('Rated');
  await page.keyboard.press('Enter');
  await expect(window.node('Rated')).toBeVisible();
  await page.keyboard.press('Control+s');
  await expect(window.unsaved).toHaveCount(0);
  expect(await onDisk(studio)).toBe(text.replaceAll('Priced', 'Rated'));

  await studio.close();
  const again = new StudioPage(await studio.start());
  await again.drawn(2);
  expect(await placeOf(again, 'Rated')).toEqual(moved);
});

test('problems appear while editing, lead to their node, and disappear when it is fixed', async ({ studio }) => {
  const window = await openPrices(studio, text.replace('from: Priced, to: Answer', 'from: Priced, to: Answr'));
  const { page } = window;
  await window.tab('Problems').click();
  const unknown = window.problems.filter({ hasText: 'unknown_schema' });
  await unknown.click();
  await expect(window.node('Priced')).toHaveClass(/selected/);
  await page.getByRole('combobox', { name: 'Output state' }).fill('Answer');
  await page.keyboard.press('Enter');
  await expect(page.getByText('No problems').first()).toBeVisible();

  // Invalid code is reported with line and column, and the problem disappears when it is fixed.
  await page.getByRole('combobox', { name: 'Action' }).click();
  await page.getByRole('option', { name: 'Code', exact: true }).click();
  await window.writeCode('(offer) => ({\ntotal: offer.count *');
  const bad = window.problems.filter({ hasText: 'bad_code' });
  await expect(bad).toContainText(/line 3/i);
  await expect(bad).toContainText(/column \d/i);
  await window.writeCode('(offer) => ({ total: offer.count * 2 })');
  await expect(page.getByText('No problems').first()).toBeVisible();
  await page.keyboard.press('Control+s');
  await expect(window.unsaved).toHaveCount(0);
  expect(await onDisk(studio)).toContain('total: offer.count * 2');
});
