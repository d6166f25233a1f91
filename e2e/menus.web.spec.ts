import type { Locator, Page } from '@playwright/test';
import { fillWithReleaseNotes } from './fixtures/example-folders.ts';
import { expect, type StudioUnderTest, test } from './fixtures/studio.ts';
import { StudioPage } from './pages/studio-page.ts';

async function open(studio: StudioUnderTest): Promise<StudioPage> {
  await fillWithReleaseNotes(studio.folder);
  const window = new StudioPage(await studio.start());
  await window.drawn(8);
  return window;
}

const menu = (page: Page, name: string | RegExp): Locator => page.getByRole('menu', { name });
const item = (page: Page, name: string): Locator => page.getByRole('menuitem', { name: new RegExp(`^${name}`) });
const rightClick = { button: 'right' } as const;

test('a right click on a node, a wire, a port, the canvas and a selection lists the commands for each', async ({ studio }) => {
  const window = await open(studio);
  const { page } = window;
  await window.card('Merge lists').click(rightClick);
  await expect(menu(page, 'Node Merge lists')).toBeVisible();
  await item(page, 'Set or remove breakpoint').click();
  await expect(page.getByRole('button', { name: /^Breakpoint 1/ }).first()).toBeVisible();

  await window.wire('Commits').click({ ...rightClick, force: true });
  await expect(menu(page, 'Wire Commits')).toBeVisible();
  await item(page, 'Rename state').click();
  await expect(page.getByRole('dialog', { name: 'Rename Commits' })).toBeVisible();
  await page.keyboard.press('Escape');

  await window.output('Commits').click(rightClick);
  await expect(menu(page, 'Port Features')).toBeVisible();
  await item(page, 'Add a node here').click();
  await expect(page.getByRole('dialog', { name: 'Add a node' })).toContainText('Consumes Features');
  await page.keyboard.press('Escape');

  await page.locator('.react-flow__pane').click({ ...rightClick, position: { x: 300, y: 20 } });
  await expect(menu(page, 'Canvas')).toBeVisible();
  await item(page, 'Select all nodes').click();
  await window.card('Say so').click(rightClick);
  await expect(menu(page, '8 selected nodes')).toBeVisible();
  await item(page, 'Duplicate').click();
  await window.drawn(16);
});

test('the menu key opens the menu of what has the focus, and a command that cannot run says why', async ({ studio }) => {
  const window = await open(studio);
  const { page } = window;
  await window.card('Say so').click();
  await page.locator('[data-canvas]').focus();
  await page.keyboard.press('ArrowLeft');
  await expect(page.locator('.react-flow__node:focus')).toHaveCount(1);
  await page.keyboard.press('Shift+F10');
  const run = item(page, 'Run to here');
  await expect(run).toBeVisible();
  await expect(run).toHaveAttribute('aria-disabled', 'true');
  await expect(run).toHaveAttribute('title', 'This needs a paused run.');
  await run.focus();
  await expect(page.getByRole('status').filter({ hasText: 'This needs a paused run.' })).toBeAttached();
  await page.keyboard.press('Enter');
  await expect(run).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('menu')).toHaveCount(0);
  await expect(page.locator('.react-flow__node:focus')).toHaveCount(1);

  // The palette says the same.
  await page.keyboard.press('Control+k');
  await page.keyboard.type('Run to the selected node');
  await expect(page.getByRole('dialog', { name: 'Commands' })).toContainText('This needs a paused run.');
  await page.keyboard.press('Escape');

  await page.getByRole('tab', { name: 'Outline' }).click();
  await page.getByRole('treeitem', { name: /^Read the log/ }).click();
  await page.keyboard.press('ContextMenu');
  await expect(menu(page, 'Node Read the log')).toBeVisible();
});

test('a token, a tab, a row of the flows and a step have menus, too', async ({ studio }) => {
  const window = await open(studio);
  const { page } = window;
  await window.trustFolder();
  await window.startPaused();
  await window.step('F10', 1);
  // The canvas follows the run, and on a busy machine it may still move when the click arrives: then the click is not on the token.
  await expect(async () => {
    await page.keyboard.press('Escape');
    await window.token('Log').click(rightClick);
    await expect(menu(page, 'Token Log')).toBeVisible({ timeout: 1000 });
  }).toPass();
  await item(page, 'Add to watches').click();
  await expect(page.getByRole('complementary', { name: 'Inspector' })).toContainText('states.Log');
  await window.transitions.nth(0).click(rightClick);
  await item(page, 'View this step').click();
  await expect(page.getByText('You are viewing the start')).toBeVisible();
  await page.keyboard.press('F5');

  await page.getByRole('tab', { name: 'Flows' }).click();
  await page.getByRole('listitem').filter({ hasText: 'release-notes' }).getByRole('button').first().click(rightClick);
  await expect(menu(page, /^Flow release-notes/)).toBeVisible();
  await expect(item(page, 'Import as a flow')).toHaveAttribute('title', 'This is not a PyFlow workflow.');
  await item(page, 'Rename').click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await page.keyboard.press('Escape');
});

test('rows of the runs, the inbox and the problems have menus by pointer and keyboard', async ({ studio }) => {
  const window = await open(studio);
  const { page } = window;
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await window.trustFolder();
  await window.run();
  await expect(window.runStatus).toHaveText('waiting');
  await window.tab('Runs').click();
  const rows = page.getByRole('treegrid', { name: 'Runs' }).locator('tbody').getByRole('row');
  await rows.first().click(rightClick);
  await expect(menu(page, /^Run \w+$/)).toBeVisible();
  await expect(item(page, 'Compare with the shown run')).toHaveAttribute('title', 'Show another run first.');
  await expect(item(page, 'Delete')).toHaveAttribute('title', 'Stop this run before you delete it.');
  await item(page, 'Copy run id').click();
  const id = await page.evaluate(() => navigator.clipboard.readText());
  await rows.first().focus();
  await page.keyboard.press('Shift+F10');
  await item(page, 'Run from here').click();
  const dialog = page.getByRole('dialog').filter({ hasText: 'Run from here' });
  await dialog.getByRole('button', { name: 'Run from here' }).click();
  await expect(page.getByRole('listbox', { name: 'Transitions' })).toContainText('From run');
  await window.tab('Runs').click();
  await expect(rows).toHaveCount(2);
  await expect(window.runStatus).toHaveText('waiting');

  // The other run waits, too: its question has a menu.
  await page.getByRole('tab', { name: 'Inbox' }).click();
  const question = page.getByRole('complementary', { name: 'Inspector' }).getByRole('button').filter({ hasText: 'wants to change a file' });
  await question.focus();
  await page.keyboard.press('ContextMenu');
  await expect(menu(page, /^Question: .*wants to change a file/)).toBeVisible();
  await item(page, 'Go to the node').click();
  await expect(window.card('Write release notes')).toHaveAttribute('data-status', 'waiting');
  await window.tab('Runs').click();
  const first = rows.filter({ has: page.locator('code', { hasText: id.slice(-4) }) }).first();
  await expect(first).toHaveAttribute('aria-selected', 'true');

  // Compare, and delete a run that was stopped.
  await rows.nth(1).click(rightClick);
  await item(page, 'Compare with the shown run').click();
  await expect(page.getByRole('listbox', { name: 'Steps of both runs' })).toBeVisible();
  await page.keyboard.press('Shift+F5');
  await expect(window.runStatus).toHaveText('stopped');
  await window.tab('Runs').click();
  await page.locator('tr[aria-selected="true"]').click(rightClick);
  await item(page, 'Delete').click();
  await expect(rows).toHaveCount(1);

  await window.card('Merge lists').click();
  await page.keyboard.press('Delete');
  await window.tab('Problems').click();
  await window.problems.first().click(rightClick);
  await expect(menu(page, /^Problem: /)).toBeVisible();
  await item(page, 'Copy message').click();
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toMatch(/ \(\w+\)$/);
});
