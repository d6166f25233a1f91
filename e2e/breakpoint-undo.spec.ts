import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { expect, type StudioUnderTest, test } from './fixtures/studio.ts';
import { expectAccessible } from './pages/accessibility.ts';
import { StudioPage } from './pages/studio-page.ts';

const flow = `pravah: 1
name: Orders
input: Start
output: Done
schemas:
  Start: { type: object }
  Large: { type: array }
  Done: { type: integer }
nodes:
  - { kind: work, title: Read orders, from: Start, to: Large, run: "() => [1, 2]" }
  - { kind: work, title: Check credit, from: Large, to: Done, run: "() => 1" }
`;

async function open(studio: StudioUnderTest): Promise<StudioPage> {
  await writeFile(join(studio.folder, 'orders.flow.yaml'), flow);
  const window = new StudioPage(await studio.start());
  await show(window);
  return window;
}

async function show(window: StudioPage): Promise<void> {
  await window.page.getByRole('button', { name: 'orders', exact: true }).first().click();
  await window.drawn(2);
  await window.tab('Debug').click();
}

const list = (window: StudioPage) => window.page.getByRole('list', { name: 'Breakpoints' }).getByRole('listitem');

async function stored(studio: StudioUnderTest): Promise<{ node?: string; state?: string; flow?: string }[]> {
  return JSON.parse(await readFile(join(studio.folder, '.pravah', 'breakpoints.json'), 'utf8')).breakpoints;
}

async function press(page: Page, key: string): Promise<void> {
  await page.getByRole('tab', { name: 'Debug' }).focus();
  await page.keyboard.press(key);
}

test('undo takes a breakpoint back, and a rename carries breakpoints along and back', async ({ studio }) => {
  const window = await open(studio);
  const { page } = window;
  await window.card('Check credit').click();
  await page.keyboard.press('F9');
  await expect(list(window)).toHaveText([/1 Check credit.*before/]);
  await page.keyboard.press('Control+z');
  await expect(list(window)).toHaveCount(0);
  await expect.poll(() => stored(studio)).toEqual([]);
  await page.keyboard.press('Control+y');
  await expect(list(window)).toHaveText([/1 Check credit.*before/]);
  await window.wire('Large').focus();
  await page.keyboard.press('F9');
  await expect(list(window)).toHaveCount(2);

  await window.card('Check credit').click();
  await page.keyboard.press('Shift+F2');
  await page.getByLabel('State name').fill('Big');
  await page.keyboard.press('Enter');
  await expect(list(window)).toHaveText([/1 Check credit.*before/, /2 Big.*written/]);
  await expect.poll(() => stored(studio)).toMatchObject([{ node: 'Big' }, { state: 'Big' }]);
  // Written at once, although the flow is not saved.
  await expect(window.unsaved).not.toHaveCount(0);

  await press(page, 'Control+z');
  await expect(list(window)).toHaveText([/1 Check credit.*before/, /2 Large.*written/]);
  await expect.poll(() => stored(studio)).toMatchObject([{ node: 'Large' }, { state: 'Large' }]);
  await press(page, 'Control+z');
  await expect(list(window)).toHaveCount(1);
  await press(page, 'Control+z');
  await expect(list(window)).toHaveCount(0);
});

test('a breakpoint of another window is shown and is no step of undo', async ({ studio }) => {
  test.skip(studio.host === 'electron', 'the desktop has one window');
  const one = await open(studio);
  const tab = await one.page.context().newPage();
  await tab.goto(new URL(one.page.url()).origin);
  const two = new StudioPage(tab);
  await show(two);
  await one.card('Read orders').click();
  await one.page.keyboard.press('F9');
  await expect(list(two)).toHaveText([/1 Read orders/]);
  await two.card('Check credit').click();
  await two.page.keyboard.press('F9');
  await expect(list(one)).toHaveCount(2);
  await press(one.page, 'Control+z');
  await expect(list(one)).toHaveText([/1 Check credit/]);
  await expect(list(two)).toHaveText([/1 Check credit/]);
  await press(two.page, 'Control+z');
  await expect(list(one)).toHaveCount(0);
  await press(two.page, 'Control+y');
  await expect(list(one)).toHaveText([/1 Check credit/]);
});

test('breakpoints that came with the folder are off until the user uses them', async ({ studio }) => {
  await mkdir(join(studio.folder, '.pravah'), { recursive: true });
  const breakpoints = [{ id: 'b1', kind: 'before', flow: 'orders.flow.yaml', node: 'Large' }];
  await writeFile(join(studio.folder, '.pravah', 'breakpoints.json'), JSON.stringify({ pravah_debug: 1, breakpoints }));
  const window = await open(studio);
  const notice = window.page.getByRole('region', { name: 'Breakpoints of this folder are off' });
  await expect(notice).toContainText('They have not been read.');
  await expect(list(window)).toHaveCount(0);
  await expectAccessible(window.page, 'breakpoints that came with the folder');
  await notice.getByRole('button', { name: 'Use them' }).click();
  await expect(list(window)).toHaveText([/1 Check credit.*before/]);
  await expect(notice).toHaveCount(0);
});
