import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from './fixtures/studio.ts';
import { expectAccessible } from './pages/accessibility.ts';
import { StudioPage } from './pages/studio-page.ts';

const pricing = `pravah: 1
name: Pricing
input: Offer
output: Written
schemas:
  Offer: { type: object, properties: { item: { type: string }, count: { type: integer } }, required: [item, count] }
  Priced: { type: object, properties: { item: { type: string }, total: { type: integer } }, required: [item, total] }
  Big: { type: object }
  Small: { type: object }
  Written: {}
nodes:
  - { kind: work, from: Offer, to: Priced, run: "(offer) => ({ item: offer.item, total: offer.count * 10 })" }
  - { kind: either, from: Priced, to: [Big, Small], expr: "total > 50" }
  - { kind: work, from: Big, to: Written, tool: write_file, with: { path: offer.txt, content: "{item}: {total}, in bulk\\n" } }
  - { kind: work, from: Small, to: Written, tool: write_file, with: { path: offer.txt, content: "{item}: {total}\\n" } }
`;

test('a run is forked with another state, compared with where it comes from, and its file given back', async ({ studio }) => {
  await writeFile(join(studio.folder, 'pricing.flow.yaml'), pricing);
  const window = new StudioPage(await studio.start());
  const { page } = window;
  const dialog = page.getByRole('dialog');
  const offer = () => readFile(join(studio.folder, 'offer.txt'), 'utf8');
  await window.drawn(4);
  await window.trustFolder();
  await page.keyboard.press('F5');
  await dialog.getByRole('textbox', { name: /^item/i }).fill('tea');
  await dialog.getByRole('textbox', { name: /^count/i }).fill('3');
  await dialog.getByRole('button', { name: /^Run/ }).click();
  await window.consent.getByRole('button', { name: 'Allow and run' }).click();
  await expect(window.runStatus).toHaveText('done');
  expect(await offer()).toBe('tea: 30\n');

  // The step after which the price was known, with another price.
  await window.transitions.nth(1).click();
  await page.getByRole('button', { name: 'Run from here…' }).click();
  await dialog.getByRole('textbox', { name: /^total/i }).fill('90');
  await expect(dialog.getByText('edited', { exact: true })).toBeVisible();
  await expect(dialog.getByText('Starts at “Priced”.')).toBeVisible();
  await expectAccessible(page, 'the dialog of a fork');
  await dialog.getByRole('button', { name: 'Run from here' }).click();
  await expect(page.getByRole('button', { name: /^Forked from step 1 of run/ })).toBeVisible();
  await expect(window.runStatus).toHaveText('done');
  expect(await offer()).toBe('tea: 90, in bulk\n');

  const more = page.getByRole('button', { name: 'More about this run' });
  await more.click();
  await page.getByRole('menuitem', { name: 'Compare with another run…' }).click();
  await page.getByRole('button', { name: /parent run/ }).click();
  const lines = page.getByRole('listbox', { name: 'Steps of both runs' }).getByRole('option');
  await expect(lines.filter({ hasText: 'First difference' })).toHaveCount(1);
  await expect(page.getByRole('group', { name: 'Differences of the step' })).toContainText('/total');
  await expect(window.node('Big')).toContainText('only here');
  await expect(window.node('Small')).toContainText('only there');
  await expectAccessible(page, 'a comparison');

  await more.click();
  await page.getByRole('menuitem', { name: 'Replay recording' }).click();
  await expect(page.getByRole('region', { name: 'Replay' })).toContainText('are the same');

  // Where the fork begins, its parent had not written the file yet.
  await window.tab('Timeline').click();
  await window.transitions.first().click();
  await page.getByRole('button', { name: 'Restore files…' }).click();
  await expect(page.getByRole('group', { name: 'Changes to offer.txt' })).toContainText('tea: 90');
  await expect(dialog.getByText('will be removed')).toBeVisible();
  await dialog.getByRole('button', { name: 'Restore 1 file' }).click();
  await expect(dialog.getByText('Done: 1 file.')).toBeVisible();
  expect(existsSync(join(studio.folder, 'offer.txt'))).toBe(false);
  await dialog.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(() => offer().catch(() => null)).toBe('tea: 90, in bulk\n');
});

test('a step that failed is tried again, once what it lacked is there', async ({ studio }) => {
  const reading = `pravah: 1
name: Reading
input: Ask
output: Text
schemas: { Ask: {}, Text: {} }
nodes:
  - { kind: work, from: Ask, to: Text, tool: read_file, with: { path: late.txt } }
`;
  await writeFile(join(studio.folder, 'reading.flow.yaml'), reading);
  const window = new StudioPage(await studio.start());
  const { page } = window;
  await window.drawn(1);
  await window.run();
  await expect(window.runStatus).toHaveText('failed');
  await writeFile(join(studio.folder, 'late.txt'), 'here I am');
  await page.getByRole('button', { name: 'Retry step' }).click();
  await expect(window.runStatus).toHaveText('done');
  await expect(window.states).toContainText('here I am');

  // A right click on a row offers what can be done there.
  await window.transitions.nth(0).click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Run from here…' }).click();
  await expect(page.getByRole('dialog', { name: /^Run from the start of run/ })).toBeVisible();
});

test('a run is written into a capsule, with a state masked, and opened from it to be looked at', async ({ studio }) => {
  await writeFile(join(studio.folder, 'pricing.flow.yaml'), pricing);
  const window = new StudioPage(await studio.start());
  const { page } = window;
  const dialog = page.getByRole('dialog');
  const more = page.getByRole('button', { name: 'More about this run' });
  await window.drawn(4);
  await page.keyboard.press('F10');
  await dialog.getByRole('textbox', { name: /^item/i }).fill('jasmine tea');
  await dialog.getByRole('textbox', { name: /^count/i }).fill('3');
  await dialog.getByRole('button', { name: 'Step from the start' }).click();
  await window.consent.getByRole('button', { name: 'Allow and run' }).click();
  await window.step('F11', 1);

  await more.click();
  await page.getByRole('menuitem', { name: 'Export as a capsule…' }).click();
  await expect(dialog.getByRole('table', { name: 'States' })).toContainText('Priced');
  await expectAccessible(page, 'the dialog of a capsule');
  await dialog.getByRole('combobox', { name: 'Mask texts' }).fill('jasmine');
  await page.keyboard.press('Enter');
  await expect(dialog.getByRole('table', { name: /^Masked/ })).toBeVisible();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('button', { name: 'Export', exact: true }).click(),
  ]);
  const capsule = join(studio.home, download.suggestedFilename());
  await download.saveAs(capsule);
  expect(await readFile(capsule, 'utf8')).not.toContain('jasmine');

  await more.click();
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), page.getByRole('menuitem', { name: 'Open a capsule…' }).click()]);
  await chooser.setFiles(capsule);
  await expect(page.getByText('read-only')).toBeVisible();
  await window.transitions.nth(1).click();
  await expect(window.states).toContainText('total: 30');
  await expect(window.states).not.toContainText('jasmine');
  await expect(window.command('Continue')).toHaveCount(0);
});
