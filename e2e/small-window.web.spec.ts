import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fillWithReleaseNotes } from './fixtures/example-folders.ts';
import { expect, test } from './fixtures/studio.ts';
import { StudioPage } from './pages/studio-page.ts';

const greeting = `pravah: 1
name: Greeting
input: Name
output: Greeting
schemas:
  Name: { type: object, properties: { name: { type: string, default: Ada } }, required: [name] }
  Greeting: { type: object }
nodes:
  - { kind: work, title: Greet, from: Name, to: Greeting, expr: "{ text: 'Hello ' + name }" }
`;

test('a window of 720 × 450 is enough to draw, run, step and answer', async ({ studio }) => {
  await writeFile(join(studio.folder, 'greeting.flow.yaml'), greeting);
  const window = new StudioPage(await studio.start());
  const { page } = window;
  await page.setViewportSize({ width: 720, height: 450 });
  await window.drawn(1);
  const canvas = page.locator('[data-canvas]');
  const bottom = page.getByRole('region', { name: 'Timeline and problems' });
  const inspector = page.getByRole('complementary', { name: 'Inspector' });
  const library = page.getByRole('complementary', { name: 'Library and flows' });
  const hasRoom = async () => {
    const box = await canvas.boundingBox();
    expect(box?.width).toBeGreaterThanOrEqual(320);
    expect(box?.height).toBeGreaterThanOrEqual(200);
  };

  // Draws: a node that waits, behind the one that is there.
  await window.card('Greet').click();
  await expect(inspector).toBeHidden();
  await page.keyboard.press('s');
  await window.drawn(2);
  await expect(window.node('Greeting')).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(inspector).toBeVisible();
  await expect(inspector.getByLabel('Title', { exact: true })).toBeFocused();
  await page.keyboard.type('Approve it');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+b');
  await expect(library).toBeVisible();
  await expect(inspector).toBeHidden();
  await library.getByRole('button', { name: 'Close this panel' }).click();
  await expect(library).toBeHidden();

  // Runs and steps; the bottom panel opens when it is asked for.
  await page.keyboard.press('F10');
  await page.getByRole('button', { name: 'Step from the start' }).click();
  await expect(window.card('Greet')).toHaveAttribute('data-status', 'next');
  await expect(bottom).toBeHidden();
  await page.keyboard.press('Control+j');
  await expect(bottom).toBeVisible();
  await hasRoom();
  await window.step('F10', 1);
  await expect(window.states).toContainText('Hello Ada');

  // Answers.
  await window.give('Continue', 'F5');
  await expect(inspector).toBeVisible();
  await expect(async () => {
    const [card, panel] = [await window.card('Approve it').boundingBox(), await inspector.boundingBox()];
    expect(card?.x).toBeGreaterThan(0);
    expect((card?.x ?? 0) + (card?.width ?? 0)).toBeLessThanOrEqual(panel?.x ?? 0);
  }).toPass();
  await hasRoom();
  await window.decide('Submit');
  await expect(window.command('Run')).toBeVisible();
});

test('at 1024 × 700 the current card is in sight beside the map, and the values of states can be read', async ({ studio }) => {
  await fillWithReleaseNotes(studio.folder);
  const window = new StudioPage(await studio.start());
  const { page } = window;
  await page.setViewportSize({ width: 1024, height: 700 });
  await window.drawn(8);
  await window.trustFolder();
  await page.emulateMedia({ reducedMotion: 'reduce' });
  for (let turn = 0; turn < 2; turn++) await page.getByRole('button', { name: 'Zoom in' }).click();
  await window.startPaused();
  for (let step = 1; step <= 6; step++) {
    await window.step('F10', step);
    const current = page.locator('.react-flow__node [data-status="next"]');
    await expect(current).toBeInViewport({ ratio: 0.99 });
    const [card, map] = [await current.boundingBox(), await page.getByRole('img', { name: 'Map of the flow' }).boundingBox()];
    if (!card || !map) throw new Error('The card or the map is not drawn.');
    const isUnder = card.x + card.width > map.x && card.y + card.height > map.y;
    expect(isUnder, `step ${step}: the card lies under the map`).toBe(false);
  }
  const value = await window.states.getByRole('columnheader', { name: 'Value' }).boundingBox();
  expect(value?.width).toBeGreaterThanOrEqual(160);
});

test('at 1024 × 700 the top bar shows the whole name of the file and the whole reason of a stop', async ({ studio }) => {
  await writeFile(join(studio.folder, 'customer-complaints.flow.yaml'), greeting);
  const window = new StudioPage(await studio.start());
  const { page } = window;
  await page.setViewportSize({ width: 1024, height: 700 });
  await window.drawn(1);
  await window.card('Greet').click();
  await page.keyboard.press('F9');
  await page.keyboard.press('F5');
  await page.getByRole('dialog').getByRole('button', { name: /^Run/ }).click();
  const reason = page.locator('[data-stop-reason] > span').last();
  await expect(reason).toBeVisible();
  const file = page.getByRole('banner').locator('[title="customer-complaints.flow.yaml"]').first();
  for (const text of [reason, file]) expect(await text.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0);
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  expect(overflow).toBe(0);
});
