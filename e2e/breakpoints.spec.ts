import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, type StudioUnderTest, test } from './fixtures/studio.ts';
import { expectAccessible } from './pages/accessibility.ts';
import { StudioPage } from './pages/studio-page.ts';

const order = '{ type: object, properties: { total: { type: integer } }, required: [total] }';
const orders = `pravah: 1
name: Orders
input: Start
output: Done
schemas:
  Start: { type: object }
  Orders: { type: array, items: ${order} }
  Prices: { type: array }
  Large: { type: array }
  Small: { type: array }
  Done: { type: integer }
nodes:
  - { kind: work, title: Read orders, from: Start, to: Orders, run: "() => [{ total: 60 }, { total: 120 }, { total: 180 }]" }
  - { kind: each, title: Price all, from: Orders, to: Prices, flow: ./item.flow.yaml }
  - { kind: either, title: Split by size, from: Prices, to: [Large, Small], expr: "true" }
  - { kind: work, title: Check credit, from: Large, to: Done, run: "() => 1" }
  - { kind: work, title: Send invoice, from: Small, to: Done, run: "() => 2" }
`;
const item = `pravah: 1
name: Price one
input: Order
output: Price
schemas:
  Order: ${order}
  Known: ${order}
  Price: { type: integer }
nodes:
  - { kind: work, title: Find customer, from: Order, to: Known, expr: "{ total: total }" }
  - { kind: work, title: Add up lines, from: Known, to: Price, expr: total * 2 }
`;

async function open(studio: StudioUnderTest): Promise<StudioPage> {
  await writeFile(join(studio.folder, 'item.flow.yaml'), item);
  await writeFile(join(studio.folder, 'orders.flow.yaml'), orders);
  const window = new StudioPage(await studio.start());
  await window.page.getByRole('button', { name: 'orders', exact: true }).click();
  await window.drawn(5);
  await window.trustFolder();
  return window;
}

const list = (window: StudioPage) => window.page.getByRole('list', { name: 'Breakpoints' }).getByRole('listitem');
const spot = (window: StudioPage, title: string) => window.card(title).getByRole('button', { name: /^Breakpoint \d/ });
const spoken = (window: StudioPage) => window.page.getByRole('status').filter({ hasText: /\w/ });

test('F9 sets a breakpoint, the run stops there and says why, and a restart keeps it until it is removed', async ({ studio }) => {
  let window = await open(studio);
  await window.card('Price all').click();
  await window.tab('Debug').click();
  // Set, removed, set, and off, faster than the host answers.
  await window.page.evaluate(() => {
    for (const ctrlKey of [false, false, false, true])
      document.dispatchEvent(new KeyboardEvent('keydown', { key: 'F9', ctrlKey, bubbles: true }));
  });
  await expect(spot(window, 'Price all')).toHaveAccessibleName('Breakpoint 1, before, off');
  await window.page.keyboard.press('Control+F9');
  await expect(spot(window, 'Price all')).toHaveAccessibleName('Breakpoint 1, before');
  await expect(list(window)).toHaveText([/1 Price all.*before/]);
  await expectAccessible(window.page, 'the debug tab');

  await window.run();
  await expect(window.page.getByRole('toolbar', { name: 'Run' })).toContainText('Paused at breakpoint 1: before Price all');
  await expect(spoken(window).first()).toContainText('Paused at breakpoint 1: before Price all');
  await expect(window.card('Price all')).toContainText('1: before Price all');
  await expect(list(window)).toContainText('stopped here');
  await expect(window.page.getByRole('list', { name: 'Tokens' }).getByRole('listitem')).toHaveText([/Orders.*Price all.*fires next/]);
  await expect(window.page.getByRole('list', { name: 'Call stack' }).getByRole('listitem')).toHaveText([/Price all.*orders\.flow\.yaml/]);
  await expectAccessible(window.page, 'a run at a breakpoint');

  await studio.close();
  window = new StudioPage(await studio.start());
  await window.page.getByRole('button', { name: 'orders', exact: true }).click();
  await expect(spot(window, 'Price all')).toBeVisible();
  // The edge of the card: off, then removed.
  await spot(window, 'Price all').click();
  await expect(spot(window, 'Price all')).toHaveAccessibleName('Breakpoint 1, before, off');
  await spot(window, 'Price all').click();
  await expect(spot(window, 'Price all')).toHaveCount(0);
  expect(JSON.parse(await readFile(join(studio.folder, '.pravah', 'breakpoints.json'), 'utf8'))).toMatchObject({ breakpoints: [] });
});

test('a conditional breakpoint inside a nested flow stops at the item, and the canvas goes there', async ({ studio }) => {
  const window = await open(studio);
  const { page } = window;
  await page.getByRole('tab', { name: 'Flows' }).click();
  await page.getByRole('tabpanel', { name: 'Flows' }).getByRole('button', { name: 'item', exact: true }).click();
  await window.drawn(2);
  await window.card('Add up lines').click();
  await page.keyboard.press('Shift+F9');
  const form = page.getByRole('form', { name: 'Edit Breakpoint 1' });
  await form.getByLabel('Condition').fill('total >');
  await page.keyboard.press('Enter');
  await expect(form.getByLabel('Condition')).toHaveAttribute('aria-invalid', 'true');
  await form.getByLabel('Condition').fill('total > 100');
  await form.getByLabel('Hits').fill('2');
  await page.keyboard.press('Enter');
  await expect(form).toHaveCount(0);
  await expect(list(window)).toHaveText([/1 Add up lines.*before if total > 100 hits 2/]);

  await page.getByRole('tabpanel', { name: 'Flows' }).getByRole('button', { name: 'orders', exact: true }).click();
  await window.drawn(5);
  await window.run();
  await expect(page.getByRole('toolbar', { name: 'Run' })).toContainText('Paused at breakpoint 1: total > 100, second time');
  await expect(window.card('Add up lines')).toHaveAttribute('data-status', 'next');
  await expect(page.getByRole('navigation', { name: 'Nested in' })).toContainText('item 3 of 3');
  const stack = page.getByRole('list', { name: 'Call stack' }).getByRole('listitem');
  await expect(stack).toHaveText([/Add up lines.*in item 3 of 3.*item\.flow\.yaml/, /Price all.*orders\.flow\.yaml/]);

  // A watch of this flow, at the step shown.
  await page.getByRole('button', { name: 'Add a watch' }).click();
  await page.getByLabel('Expression').fill('states.Known.total');
  await page.keyboard.press('Enter');
  const watches = page.getByRole('list', { name: 'Watches' }).getByRole('listitem');
  await expect(watches).toHaveText([/states\.Known\.total\s*180/]);
  await page.getByRole('button', { name: 'Add a watch' }).click();
  await page.getByLabel('Expression').fill('missing + 1');
  await page.keyboard.press('Enter');
  await expect(watches.nth(1)).toContainText('missing');
  await page.getByRole('button', { name: 'Remove missing + 1' }).click();
  await expect(watches).toHaveCount(1);

  await stack.last().getByRole('button').click();
  await window.drawn(5);
  await window.give('Continue', 'F5');
  await expect(window.runStatus).toHaveAttribute('data-status', 'success');
  await page.keyboard.press('Alt+F5');
  await expect(page.getByText(/You are viewing step \d+/)).toBeVisible();
  // The stack is that of the step shown, also of the start.
  const transitions = page.getByRole('listbox', { name: 'Transitions' });
  await transitions.press('Home');
  await expect(stack).toHaveText([/orders\.flow\.yaml/]);
  await expect(stack).not.toContainText('Price all');
});

test('F9 on a wire stops where its state is written, and a log point prints instead of stopping', async ({ studio }) => {
  const window = await open(studio);
  const { page } = window;
  await window.wire('Orders').focus();
  await page.keyboard.press('F9');
  await expect(page.getByRole('button', { name: 'Breakpoint 1, written' })).toBeVisible();
  await window.card('Split by size').click();
  await page.keyboard.press('Shift+F9');
  await page.getByRole('form', { name: 'Edit Breakpoint 2' }).getByLabel('Log instead of stopping').fill('prices {states.Prices}');
  await page.keyboard.press('Enter');
  await expect(list(window).nth(1)).toContainText('log point');
  await window.card('Check credit').click();
  await expect(window.tab('Debug')).toHaveAttribute('aria-selected', 'true');

  await window.run();
  await expect(page.getByRole('toolbar', { name: 'Run' })).toContainText('Paused at breakpoint 1: written Orders');
  await window.give('Continue', 'F5');
  await expect(window.runStatus).toHaveAttribute('data-status', 'success');
  await window.tab('Output').click();
  await expect(page.getByRole('log')).toContainText('prices [120');
  await page.keyboard.press('Alt+F5');
  await expect(page.getByText('You are viewing step 1 of')).toBeVisible();
});

test('a branch breakpoint set in the outline stops a run, and Ctrl+F10 runs to a node once', async ({ studio }) => {
  const window = await open(studio);
  const { page } = window;
  await page.getByRole('tab', { name: 'Outline' }).click();
  const row = page.getByRole('treeitem', { name: /Large/ }).filter({ hasText: /^Large$/ });
  await row.focus();
  await page.keyboard.press('F9');
  await expect(row).toHaveAccessibleName(/Breakpoint 1, branch Large/);
  await window.tab('Debug').click();
  await expect(list(window)).toHaveText([/1 Split by size.*branch Large/]);

  await window.startPaused();
  await window.card('Price all').click();
  await page.keyboard.press('Control+F10');
  await expect(window.card('Price all')).toHaveAttribute('data-status', 'next');
  await expect(list(window)).toHaveCount(1);
  // On a wire: until its state is written.
  await window.wire('Prices').focus();
  await page.keyboard.press('Control+F10');
  await expect(window.card('Split by size')).toHaveAttribute('data-status', 'next');
  await expect(list(window)).toHaveCount(1);

  await window.give('Continue', 'F5');
  await expect(page.getByRole('toolbar', { name: 'Run' })).toContainText('Paused at breakpoint 1: branch Large Split by size');
  await expect(window.card('Check credit')).toHaveAttribute('data-status', 'next');

  await page.keyboard.press('Control+Shift+F9');
  await expect(row).toHaveAccessibleName(/off/);
  await page.getByRole('button', { name: /^Remove Breakpoint 1/ }).click();
  await expect(list(window)).toHaveCount(0);
});

test('a card that runs a flow shows breakpoints in flows that are not open, at any depth', async ({ studio }) => {
  const outer = orders.replace('./item.flow.yaml', './middle.flow.yaml');
  const middle = `pravah: 1
name: Middle
input: Order
output: Price
schemas: { Order: ${order}, Price: { type: integer } }
nodes:
  - { kind: flow, flow: ./item.flow.yaml }
`;
  await writeFile(join(studio.folder, 'item.flow.yaml'), item);
  await writeFile(join(studio.folder, 'middle.flow.yaml'), middle);
  await writeFile(join(studio.folder, 'orders.flow.yaml'), outer);
  const window = new StudioPage(await studio.start());
  const { page } = window;
  await page.getByRole('button', { name: 'item', exact: true }).click();
  await window.drawn(2);
  await window.card('Add up lines').click();
  await page.keyboard.press('F9');
  await expect(spot(window, 'Add up lines')).toBeVisible();
  await page.getByRole('button', { name: 'orders', exact: true }).click();
  await window.drawn(5);
  await page.getByRole('button', { name: 'Close item' }).click();
  await expect(page.getByRole('navigation', { name: 'Open flows' })).toHaveCount(0);
  await expect(window.card('Price all').getByRole('img', { name: '1 breakpoint inside this flow' })).toBeVisible();
});
