import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fillWithReleaseNotes } from './fixtures/example-folders.ts';
import { expect, type StudioUnderTest, test } from './fixtures/studio.ts';
import { StudioPage } from './pages/studio-page.ts';

async function open(studio: StudioUnderTest): Promise<StudioPage> {
  await fillWithReleaseNotes(studio.folder);
  const window = new StudioPage(await studio.start());
  await window.drawn(8);
  return window;
}

const layoutOf = async ({ folder }: StudioUnderTest) =>
  JSON.parse(await readFile(join(folder, 'release-notes.layout.json'), 'utf8')) as {
    pravah_layout: number;
    nodes: Record<string, { x: number; y: number }>;
    notes?: { text: string; x: number }[];
    groups?: { title: string; nodes: string[]; folded: boolean }[];
  };

test('a note is written, moved, found, listed and saved, and each change is one step of undo', async ({ studio }) => {
  const window = await open(studio);
  const { page } = window;
  await window.card('Say so').click();
  await page.locator('[data-canvas]').focus();
  await page.keyboard.press('Shift+S');
  await page.getByLabel('Text of the note').fill('# Why\n**Nothing** new is <b>fine</b>');
  await page.keyboard.press('Escape');
  const note = page.getByRole('group', { name: /^Note: # Why/ });
  await expect(note.locator('strong').last()).toHaveText('Nothing');
  await expect(note).toContainText('<b>fine</b>');
  const before = await note.boundingBox();
  await note.focus();
  await page.keyboard.press('Control+ArrowRight');
  await page.mouse.move((before?.x ?? 0) + 60, (before?.y ?? 0) + 60);
  await page.mouse.down();
  await page.mouse.move((before?.x ?? 0) + 100, (before?.y ?? 0) + 90, { steps: 5 });
  await page.mouse.up();
  await page.keyboard.press('Control+s');
  await expect(window.unsaved).toHaveCount(0);
  const saved = await layoutOf(studio);
  expect([saved.pravah_layout, saved.notes?.length]).toEqual([2, 1]);

  await page.getByRole('tab', { name: 'Outline' }).click();
  await expect(page.getByRole('list', { name: 'Groups and notes' })).toContainText('Why');
  await page.keyboard.press('Control+f');
  await page.getByRole('combobox', { name: 'Search text' }).fill('Nothing** new');
  await expect(page.getByRole('listbox', { name: 'Results' }).getByRole('option')).toHaveCount(1);
  await page.keyboard.press('Enter');
  await expect(note).toBeFocused();
  await page.keyboard.press('Delete');
  await expect(note).toHaveCount(0);
  await page.locator('[data-canvas]').focus();
  await page.keyboard.press('Control+z');
  await expect(note).toHaveCount(1);

  await note.click({ button: 'right', position: { x: 100, y: 60 } });
  const menu = page.getByRole('menu', { name: 'Note' });
  await menu.getByRole('menuitem', { name: 'Next color' }).click();
  await expect(note).not.toHaveAttribute('data-colour', 'amber');
  await note.focus();
  await page.keyboard.press('Shift+F10');
  await expect(menu.getByRole('menuitem', { name: 'Duplicate' })).toBeVisible();
  await menu.getByRole('menuitem', { name: 'Edit' }).click();
  await expect(page.getByLabel('Text of the note')).toBeFocused();
  await page.keyboard.press('Escape');
  await note.click({ button: 'right', position: { x: 100, y: 60 } });
  await menu.getByRole('menuitem', { name: 'Delete' }).click();
  await expect(note).toHaveCount(0);
});

test('a group moves as one, folds to a card that shows the run, and is dissolved', async ({ studio }) => {
  const window = await open(studio);
  const { page } = window;
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await window.trustFolder();
  await window.card('Group features').click();
  await window.card('Group fixes').click({ modifiers: ['Control'] });
  await page.keyboard.press('Control+g');
  await page.getByLabel('Group title').fill('Write the lists');
  await page.keyboard.press('Enter');
  const title = page.getByRole('button', { name: 'Write the lists', exact: true });
  await expect(title).toBeVisible();
  const [features, fixes] = [await window.card('Group features').boundingBox(), await window.card('Group fixes').boundingBox()];
  const handle = await title.boundingBox();
  await page.mouse.move((handle?.x ?? 0) + 20, (handle?.y ?? 0) + 8);
  await page.mouse.down();
  await page.mouse.move((handle?.x ?? 0) + 20, (handle?.y ?? 0) + 38, { steps: 5 });
  await page.mouse.up();
  await expect(async () => {
    const [one, other] = [await window.card('Group features').boundingBox(), await window.card('Group fixes').boundingBox()];
    expect((one?.y ?? 0) - (features?.y ?? 0)).toBeGreaterThan(15);
    expect((one?.y ?? 0) - (features?.y ?? 0)).toBeCloseTo((other?.y ?? 0) - (fixes?.y ?? 0), 0);
  }).toPass();

  await page.getByRole('button', { name: 'Fold Write the lists' }).click();
  const card = window.card('Write the lists');
  await expect(card).toContainText('2 nodes');
  await expect(window.card('Group features')).toHaveCount(0);
  await window.startPaused();
  for (let step = 1; step <= 3; step++) await window.step('F10', step);
  await expect(card).toHaveAttribute('data-status', 'next');
  await page.keyboard.press('Control+s');
  await expect(window.unsaved).toHaveCount(0);
  expect((await layoutOf(studio)).groups).toMatchObject([{ title: 'Write the lists', nodes: ['Features', 'Fixes'], folded: true }]);

  await card.dblclick({ position: { x: 60, y: 10 } });
  await expect(window.card('Group features')).toHaveCount(1);
  await title.click();
  await page.keyboard.press('Control+Shift+G');
  await expect(title).toHaveCount(0);
  await expect(page.getByText('2 selected').first()).toBeVisible();
});

test('notes and groups are duplicated and copied to another flow with their nodes, at the same distance', async ({ studio }) => {
  const window = await open(studio);
  const { page } = window;
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await window.card('Group features').click();
  await page.locator('[data-canvas]').focus();
  await page.keyboard.press('Shift+S');
  await page.getByLabel('Text of the note').fill('Both lists');
  await page.keyboard.press('Escape');
  const notes = page.getByRole('group', { name: /^Note: Both lists/ });
  await expect(notes).toHaveCount(1);
  await window.card('Group features').click();
  await window.card('Group fixes').click({ modifiers: ['Control'] });
  await page.keyboard.press('Control+g');
  await page.getByLabel('Group title').fill('Lists');
  await page.keyboard.press('Enter');
  const groups = page.getByRole('button', { name: 'Lists', exact: true });
  await groups.click();
  await notes.click({ modifiers: ['Control'], position: { x: 20, y: 20 } });
  await expect(notes).toHaveAttribute('data-selected', 'true');

  await page.locator('[data-canvas]').focus();
  await page.keyboard.press('Control+d');
  await expect(notes).toHaveCount(2);
  await expect(groups).toHaveCount(2);
  await expect(window.card('Group features')).toHaveCount(2);
  await page.keyboard.press('Control+s');
  await expect(window.unsaved).toHaveCount(0);
  const saved = await layoutOf(studio);
  const [first, second] = saved.notes ?? [];
  const copy = saved.groups?.find(({ nodes }) => !nodes.includes('Features'))?.nodes ?? [];
  expect(copy).toHaveLength(2);
  const of = (key: string | undefined) => saved.nodes[key ?? ''] ?? { x: Number.NaN, y: Number.NaN };
  const shift = of(copy.find((key) => key.startsWith('Features'))).x - of('Features').x;
  expect(Math.abs((second?.x ?? 0) - (first?.x ?? 0))).toBe(Math.abs(shift));
  expect(of(copy[0]).y - of(copy[1]).y).toBe(of('Features').y - of('Fixes').y);

  await page.keyboard.press('Control+z');
  await expect(notes).toHaveCount(1);
  await expect(groups).toHaveCount(1);
  await expect(window.card('Group features')).toHaveCount(1);

  await groups.click();
  await notes.click({ modifiers: ['Control'], position: { x: 20, y: 20 } });
  await page.locator('[data-canvas]').focus();
  await page.keyboard.press('Control+c');
  await page.keyboard.press('Control+Alt+n');
  await page.getByRole('dialog').getByRole('textbox').first().fill('copies');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(window.card('Group features')).toHaveCount(0);
  await page.locator('[data-canvas]').focus();
  await page.keyboard.press('Control+v');
  await expect(window.card('Group features')).toHaveCount(1);
  await expect(notes).toHaveCount(1);
  await expect(groups).toHaveCount(1);

  // What was pasted is selected, and goes as one step.
  await page.keyboard.press('Delete');
  await expect(notes).toHaveCount(0);
  await expect(window.card('Group features')).toHaveCount(0);
  await page.keyboard.press('Control+z');
  await expect(notes).toHaveCount(1);
  await expect(window.card('Group features')).toHaveCount(1);
});

test('the selection grows along the graph', async ({ studio }) => {
  const window = await open(studio);
  const { page } = window;
  await window.card('Merge lists').click();
  await page.locator('[data-canvas]').focus();
  await page.keyboard.press('Shift+ArrowLeft');
  await expect(page.getByText('6 selected').first()).toBeVisible();
  await page.keyboard.press('Escape');
  await window.card('Merge lists').click();
  await page.locator('[data-canvas]').focus();
  await page.keyboard.press('Shift+ArrowRight');
  await expect(page.getByText('2 selected').first()).toBeVisible();
});

test('a card that is dragged snaps to the edge of its neighbour', async ({ studio }) => {
  const window = await open(studio);
  const { page } = window;
  const [moved, neighbour] = [await window.card('Say so').boundingBox(), await window.card('Sort by kind').boundingBox()];
  if (!moved || !neighbour) throw new Error('The cards are not drawn.');
  const at = { x: moved.x + moved.width / 2, y: moved.y + 12 };
  await page.mouse.move(at.x, at.y);
  await page.mouse.down();
  await page.mouse.move(at.x + 40, at.y + 10, { steps: 4 });
  await expect(window.card('Say so')).not.toHaveCSS('opacity', '0');
  expect((await window.card('Say so').boundingBox())?.x).not.toBeCloseTo(neighbour.x, 0);
  await page.mouse.move(at.x + 13, at.y + 10, { steps: 8 });
  await expect(page.locator('[class*="_vertical_"]')).toBeVisible();
  await page.mouse.up();
  await expect(page.locator('[class*="_vertical_"]')).toHaveCount(0);
  await expect(async () => expect((await window.card('Say so').boundingBox())?.x).toBeCloseTo(neighbour.x, 0)).toPass();
});
