import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fillWithReleaseNotes } from './fixtures/example-folders.ts';
import { expect, test } from './fixtures/studio.ts';
import { StudioPage } from './pages/studio-page.ts';

test('the map appears when a part of the flow is out of sight, and shows breakpoints, problems and the current node', async ({
  studio,
}) => {
  await fillWithReleaseNotes(studio.folder);
  const window = new StudioPage(await studio.start());
  const { page } = window;
  await window.drawn(8);
  const map = page.getByRole('img', { name: 'Map of the flow' });
  await page.getByRole('button', { name: 'Fit', exact: true }).click();
  await expect(map).toHaveCount(0);
  await page.locator('[data-canvas]').focus();
  await page.keyboard.press('Alt+m');
  await expect(map).toBeVisible();
  await page.keyboard.press('Alt+m');
  await expect(map).toHaveCount(0);
  await page.keyboard.press('Alt+m');

  await window.card('Merge lists').click();
  await page.keyboard.press('F9');
  await expect(map.locator('[data-sign="breakpoint"]')).toHaveCount(1);
  await expect(map.locator('[data-sign="error"]')).toHaveCount(0);
  await page.locator('[data-canvas]').focus();
  await page.keyboard.press('w');
  await expect(map.locator('[data-sign="warning"], [data-sign="error"]').first()).toBeAttached();
  await page.keyboard.press('Control+z');
  await expect(map.locator('[class*="followed"]')).toHaveCount(0);
  await window.trustFolder();
  await window.startPaused();
  await expect(map.locator('[class*="followed"]')).toHaveCount(1);
});

test('the direction of a layout is chosen by a command, stored in the layout file, and undone in one step', async ({ studio }) => {
  await fillWithReleaseNotes(studio.folder);
  const window = new StudioPage(await studio.start());
  const { page } = window;
  await window.drawn(8);
  const places = async () =>
    (await window.nodes.all()).length &&
    (await window.card('Read the log').boundingBox())?.y !== (await window.card('Sort by kind').boundingBox())?.y;
  const choose = async (command: string) => {
    await page.keyboard.press('Control+k');
    await page.keyboard.type(command);
    await page.keyboard.press('Enter');
  };
  await choose('Lay out downwards');
  await expect(async () => expect(await places()).toBe(true)).toPass();
  await page.keyboard.press('Control+s');
  await expect(window.unsaved).toHaveCount(0);
  const file = join(studio.folder, 'release-notes.layout.json');
  const saved = JSON.parse(await readFile(file, 'utf8')) as { pravah_layout: number; direction: string };
  expect([saved.pravah_layout, saved.direction]).toEqual([2, 'down']);
  await choose('Lay out to the right');
  await expect(async () => expect(await places()).toBe(false)).toPass();
  await page.locator('[data-canvas]').focus();
  await page.keyboard.press('Control+z');
  await expect(async () => expect(await places()).toBe(true)).toPass();
  await expect(window.unsaved).toHaveCount(0);
});

test('the Debug tab adds breakpoints at tools and models, and a card says that breakpoints lie inside its flow', async ({ studio }) => {
  await fillWithReleaseNotes(studio.folder);
  await writeFile(
    join(studio.folder, 'outer.flow.yaml'),
    'pravah: 1\nname: Outer\ninput: Range\noutput: Notes\nnodes:\n  - { kind: flow, flow: ./release-notes.flow.yaml, title: Notes of a range }\n',
  );
  const window = new StudioPage(await studio.start());
  const { page } = window;
  await page.getByRole('button', { name: 'release-notes', exact: true }).click();
  await window.drawn(8);
  await window.card('Write release notes').click();
  await page.getByRole('tab', { name: 'Debug' }).click();
  const add = async (what: string) => {
    await page.getByRole('button', { name: 'Add a breakpoint' }).click();
    await page.getByRole('menuitem', { name: what, exact: true }).click();
  };
  await add('Before a call of write_file');
  await add('Before a request of Write release notes to its model');
  await add('Before a request to a model');
  const list = page.getByRole('list', { name: 'Breakpoints' });
  await expect(list.getByRole('listitem')).toHaveCount(3);
  await expect(list).toContainText('write_file');
  await window.card('Merge lists').click();
  await page.keyboard.press('F9');
  await expect(list.getByRole('listitem')).toHaveCount(4);
  await page.getByRole('button', { name: 'outer', exact: true }).first().click();
  await expect(page.getByRole('img', { name: '2 breakpoints inside this flow' })).toBeVisible();
});
