import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { expect, type StudioUnderTest, test } from './fixtures/studio.ts';
import { StudioPage } from './pages/studio-page.ts';

const outer = `pravah: 1
name: Mails
input: Query
output: Found
schemas:
  Query: { type: object }
  Found: { type: object }
nodes:
  - { kind: work, title: Search, from: Query, to: Found }
`;
const inner = `pravah: 1
name: Answer a mail
input: Mail
output: Reply
schemas:
  Mail: { type: object, properties: { subject: { type: string } } }
  Reply: { type: string }
nodes:
  - { kind: work, title: Write, from: Mail, to: Reply, expr: subject }
`;

async function openMails(studio: StudioUnderTest): Promise<StudioPage> {
  await writeFile(join(studio.folder, 'answer.flow.yaml'), inner);
  await writeFile(join(studio.folder, 'mails.flow.yaml'), outer);
  const window = new StudioPage(await studio.start());
  await window.page.getByRole('button', { name: 'mails', exact: true }).click();
  await window.drawn(1);
  return window;
}

const search = (page: Page) => page.getByRole('combobox', { name: 'Search nodes and tools' });
const flows = (page: Page) => page.getByRole('listbox', { name: 'Flows' });
const selected = (page: Page) => page.locator('.react-flow__node.selected');

test('quick add finds nodes by their usual names, and a loop over a flow is one step of undo', async ({ studio }) => {
  const window = await openMails(studio);
  const { page } = window;
  await window.card('Search').click();
  await page.keyboard.press('n');
  for (const [word, label] of [
    ['if', 'Branch'],
    ['approve', 'Wait for input'],
    ['llm', 'Agent'],
    ['code', 'Code'],
    ['http', 'http_request'],
    ['loop', 'For each'],
  ] as const) {
    await search(page).fill(word);
    await expect(page.getByRole('option', { selected: true })).toContainText(label);
  }
  await page.keyboard.press('Enter');
  await expect(page.getByText('For each: choose the flow to run')).toBeVisible();
  await page.keyboard.type('answ');
  await expect(flows(page).getByRole('option', { selected: true })).toContainText('answer');
  await page.keyboard.press('Enter');

  await window.drawn(2);
  await expect(window.wire('Found')).toHaveCount(1);
  await expect(selected(page).locator('[data-kind="each"]')).toBeVisible();
  // The flow's end moved along, so nothing is wrong.
  await expect(page.getByText('Always completes')).toBeVisible();
  await page.keyboard.press('Control+s');
  await expect(window.unsaved).toHaveCount(0);
  const written = await readFile(join(studio.folder, 'mails.flow.yaml'), 'utf8');
  expect(written).toContain('output: Results');
  await page.keyboard.press('Control+z');
  await window.counted(1);
  await page.keyboard.press('Control+s');
  await expect(window.unsaved).toHaveCount(0);
  expect(await readFile(join(studio.folder, 'mails.flow.yaml'), 'utf8')).toBe(outer);
});

test('the letters L and I add nodes that run flows, and Escape leads back to the canvas', async ({ studio }) => {
  const window = await openMails(studio);
  const { page } = window;
  await window.card('Search').click();
  await page.keyboard.press('l');
  await expect(flows(page)).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(flows(page)).toHaveCount(0);
  await expect(window.node('Query')).toBeFocused();
  await page.keyboard.press('l');
  await page.keyboard.press('Enter');
  await window.drawn(2);
  // The state in between takes the name that the inner flow gives it.
  await expect(selected(page)).toHaveAttribute('data-id', 'Mail');
  await expect(window.wire('Mail')).toHaveCount(1);
  await expect(page.getByText('Always completes')).toBeVisible();

  await page.keyboard.press('Enter');
  await expect(window.card('Write')).toBeVisible();
  await page.keyboard.press('Alt+ArrowUp');
  await window.drawn(2);

  // The other kind of the same node, and back.
  await page.getByRole('tab', { name: 'Node' }).click();
  const runs = page.getByRole('radiogroup', { name: 'Runs' });
  await runs.getByText('For each item').click();
  await expect(selected(page).locator('[data-kind="each"]')).toBeVisible();
  await expect(window.wire('Mail')).toHaveCount(1);
  await runs.getByText('Once').click();
  await expect(selected(page).locator('[data-kind="flow"]')).toBeVisible();
  await page.locator('[data-canvas]').click({ position: { x: 30, y: 200 } });
  await page.keyboard.press('i');
  await expect(page.getByText('For each: choose the flow to run')).toBeVisible();
});

test('a dropped flow asks how it runs, lands under the pointer and is selected', async ({ studio }) => {
  const window = await openMails(studio);
  const { page } = window;
  const canvas = page.locator('[data-canvas]');
  const box = await canvas.boundingBox();
  if (!box) throw new Error('There is no canvas.');
  const drop = { x: Math.round(box.width / 2), y: Math.round(box.height - 120) };
  await page.getByRole('tab', { name: 'Library' }).click();
  await page.getByTitle('answer.flow.yaml: click to open').dragTo(canvas, { targetPosition: drop });
  const ways = page.getByRole('listbox', { name: 'Ways to run it' });
  await expect(ways.getByRole('option')).toContainText([/Run once/, /For each item/]);
  await ways.getByRole('option', { name: /For each item/ }).click();
  await window.drawn(2);
  await expect(selected(page).locator('[data-kind="each"]')).toBeVisible();
  const card = await selected(page).boundingBox();
  expect(card?.x).toBeLessThan(box.x + drop.x);
  expect((card?.x ?? 0) + (card?.width ?? 0)).toBeGreaterThan(box.x + drop.x);
  expect(card?.y).toBeLessThan(box.y + drop.y);
  expect((card?.y ?? 0) + (card?.height ?? 0)).toBeGreaterThan(box.y + drop.y);
});

test('Nested flow in the library can make the flow that it runs, and the outer flow stays open', async ({ studio }) => {
  const window = await openMails(studio);
  const { page } = window;
  await window.card('Search').click();
  await page.getByRole('tab', { name: 'Library' }).click();
  await page.getByRole('button', { name: /^Nested flow/ }).click();
  await page.keyboard.type('Sort mails');
  await flows(page)
    .getByRole('option', { name: /New flow “Sort mails”/ })
    .click();
  const dialog = page.getByRole('dialog', { name: 'New flow' });
  await expect(dialog.getByLabel('Name')).toHaveValue('Sort mails');
  await dialog.getByRole('button', { name: 'Create' }).click();
  await window.drawn(2);
  await expect(window.wire('Found')).toHaveCount(1);
  await expect(selected(page).locator('[data-kind="flow"]')).toBeVisible();
  await expect(page.getByText('Always completes')).toBeVisible();
  expect(await readdir(studio.folder)).toContain('sort-mails.flow.yaml');
  await expect(window.notices).toHaveCount(0);
});
