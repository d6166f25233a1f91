import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fillWithReleaseNotes } from './fixtures/example-folders.ts';
import { expect, test } from './fixtures/studio.ts';
import { expectAccessible } from './pages/accessibility.ts';
import { StudioPage } from './pages/studio-page.ts';

test('a run is stepped over, into an agent’s turns, out of them and looked back on', async ({ studio }) => {
  await fillWithReleaseNotes(studio.folder);
  const window = new StudioPage(await studio.start());
  const { page } = window;
  await window.drawn(8);
  await window.trustFolder();
  await window.startPaused();
  await expect(window.card('Read the log')).toHaveAttribute('data-status', 'next');
  for (let step = 1; step <= 3; step++) await window.step('F10', step);
  // Two states wait at once, each as a token on its wire.
  await expect(window.token('Features')).toBeVisible();
  await expect(window.token('Fixes')).toBeVisible();
  await expect(window.states).toContainText('State after step 3');
  await expect(window.states.getByRole('row', { name: /Features/ })).toContainText('Sort by kind');
  await expect(window.states.getByRole('row', { name: /Commits/ })).toContainText('consumed');

  for (let step = 4; step <= 6; step++) await window.step('F10', step);
  await window.step('F11', 7);
  await expect(window.transitions.last()).toContainText('turn 1');
  await expect(window.runStatus).toHaveText('paused');
  await window.tab('Conversation').click();
  await expect(page.getByRole('tabpanel', { name: /Conversation/ })).toContainText('read_file');
  await window.tab('Timeline').click();
  await window.give('Out', 'Shift+F11');
  await expect(page.getByRole('heading', { name: 'write_file wants to change a file' })).toBeVisible();
  await expect(window.runStatus).toHaveText('waiting');

  // Back is a look, not an undoing.
  await window.give('Back', 'Alt+F10');
  await expect(page.getByText(/You are viewing step \d+ of \d+/)).toBeVisible();
  await page.keyboard.press('F5');
  await expect(page.getByText(/You are viewing step/)).toBeHidden();
  await window.give('Stop', 'Shift+F5');
  await expect(window.runStatus).toHaveText('stopped');
});

const countdown = `pravah: 1
name: Countdown
input: Count
output: Done
limits: { steps: 1000000 }
schemas:
  Count: { type: object, properties: { left: { type: integer, default: 100000 } }, required: [left] }
  Next: { type: object }
  Done: { type: object }
nodes:
  - kind: either
    from: Count
    to: [Next, Done]
    run: "({ left }) => (left > 0 ? { left: { left } } : { right: {} })"
  - kind: work
    from: Next
    to: Count
    run: "({ left }) => ({ left: left - 1 })"
`;

test('a running run is paused and continued', async ({ studio }) => {
  await writeFile(join(studio.folder, 'countdown.flow.yaml'), countdown);
  const window = new StudioPage(await studio.start());
  await window.drawn(2);
  await window.run();
  await expect(window.runStatus).toHaveText('running');
  await window.give('Pause', 'F6');
  await expect(window.runStatus).toHaveText('paused');
  const reached = Number(await window.transitions.last().getAttribute('aria-setsize'));
  expect(reached).toBeGreaterThan(0);
  await window.give('Continue', 'F5');
  await expect.poll(async () => Number(await window.transitions.last().getAttribute('aria-setsize'))).toBeGreaterThan(reached);
  await window.give('Stop', 'Shift+F5');
  await expect(window.runStatus).toHaveText('stopped');
});

const failing = `pravah: 1
name: Failing
input: Order
output: Priced
schemas: { Order: { type: object }, Priced: { type: object } }
nodes:
  - kind: work
    title: Price it
    from: Order
    to: Priced
    run: "(order) => ({ total: order.lines.length })"
`;

test('a body that fails says what, where and what to do, and the run continues with the fix on the screen', async ({ studio }) => {
  await writeFile(join(studio.folder, 'failing.flow.yaml'), failing);
  const window = new StudioPage(await studio.start());
  const { page } = window;
  await window.drawn(1);
  await window.run();
  await expect(window.runStatus).toHaveText('failed');
  const card = page.getByRole('region', { name: 'Error: The node’s code threw an error' });
  await expect(card).toContainText('Price it');
  await expect(card).toContainText('length');
  await expect(card).toContainText('Fix the node’s code');
  await expect(window.card('Price it')).toHaveAttribute('data-status', 'failed');
  // Nothing was edited yet, so there is nothing to continue with.
  await expect(card.getByRole('button', { name: 'Retry step' })).toBeVisible();
  await expect(card.getByRole('button', { name: /^Continue with/ })).toHaveCount(0);
  const accent = await window.command('Run').evaluate((button) => getComputedStyle(button).backgroundColor);

  await card.getByRole('button', { name: 'in Price it' }).click();
  await window.writeCode('(order) => ({ total: (order.lines ?? []).length })');
  const fixed = card.getByRole('button', { name: 'Continue with the edited flow' });
  await expect(fixed).toHaveCSS('background-color', accent);
  await expect(window.command('Run')).not.toHaveCSS('background-color', accent);
  await expectAccessible(page, 'a failure with edits', '[aria-label^="Error"]');

  // The original flow fails again, and says so in its name.
  await card.getByRole('button', { name: 'Retry with the original flow' }).click();
  await expect(window.runStatus).toHaveText('failed');
  await fixed.click();
  await expect(window.runStatus).toHaveText('done');
  await expect(card).toBeHidden();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(window.unsaved).toHaveCount(0);
  expect(await readFile(join(studio.folder, 'failing.flow.yaml'), 'utf8')).toContain('order.lines ?? []');
});

const renamed = `pravah: 1
name: Renaming
input: Order
output: Priced
schemas: { Order: { type: object }, Count: { type: integer }, Priced: { type: integer } }
nodes:
  - { kind: work, from: Order, to: Count, expr: "3" }
  - { kind: work, title: Price it, from: Count, to: Priced, run: "(count) => count.missing.field" }
`;

test('a fix that no longer fits the states asks for them', async ({ studio }) => {
  await writeFile(join(studio.folder, 'renaming.flow.yaml'), renamed);
  const window = new StudioPage(await studio.start());
  const { page } = window;
  await window.drawn(2);
  await window.run();
  await expect(window.runStatus).toHaveText('failed');
  await writeFile(join(studio.folder, 'renaming.flow.yaml'), renamed.replace('Count: { type: integer }', 'Count: { type: string }'));
  await page.getByRole('button', { name: 'Continue with the edited flow' }).click();
  await expect(page.getByRole('dialog', { name: /^Continue run \w+ with the edited flow/ })).toContainText('doesn’t match its schema');
});

test('Continue becomes Answer while the run waits, and leads to the card', async ({ studio }) => {
  const asking = `pravah: 1
name: Asking
input: Ask
output: Told
schemas: { Ask: {}, Told: { type: object, properties: { note: { type: string } } } }
nodes:
  - { kind: suspend, title: Ask a person, from: Ask, to: Told }
`;
  await writeFile(join(studio.folder, 'asking.flow.yaml'), asking);
  const window = new StudioPage(await studio.start());
  const { page } = window;
  await window.drawn(1);
  await window.run();
  await expect(window.runStatus).toHaveText('waiting');
  await expect(window.command('Continue')).toHaveCount(0);
  await page.getByRole('button', { name: 'Stay restricted' }).click();
  const card = page.locator('[data-waiting-card]');
  await page.locator('[data-canvas]').click({ position: { x: 300, y: 30 } });
  await window.give('Answer', 'F5');
  await expect(card).toBeFocused();
  // One filled button on the screen: the card's.
  const filled = await page.evaluate(() => {
    const probe = document.body.appendChild(document.createElement('i'));
    probe.style.background = 'var(--accent)';
    const accent = getComputedStyle(probe).backgroundColor;
    probe.remove();
    return [...document.querySelectorAll('button')].filter((button) => getComputedStyle(button).backgroundColor === accent).length;
  });
  expect(filled).toBe(1);
  await window.tab('Outline').click();
  await window.command('Answer').click();
  await expect(card).toBeFocused();
});

test('a step out of an item of a For each goes to the end of the item', async ({ studio }) => {
  const inner = `pravah: 1
name: Double
input: Item
output: Doubled
schemas: { Item: { type: integer }, Half: { type: integer }, Doubled: { type: integer } }
nodes:
  - { kind: work, from: Item, to: Half, expr: "input" }
  - { kind: work, from: Half, to: Doubled, expr: "input * 2" }
`;
  const outer = `pravah: 1
name: Doubles
input: Items
output: Result
schemas: { Items: { type: array, items: { type: integer }, default: [1, 2, 3] }, Result: { type: array, items: { type: integer } } }
nodes:
  - { kind: each, title: Double all, from: Items, to: Result, flow: double.flow.yaml }
`;
  await writeFile(join(studio.folder, 'double.flow.yaml'), inner);
  await writeFile(join(studio.folder, 'all.flow.yaml'), outer);
  const window = new StudioPage(await studio.start());
  await window.drawn(1);
  await window.startPaused();
  await window.step('F11', 1);
  await window.give('Out', 'Shift+F11');
  await expect(window.transitions.last()).toHaveText(/^2\D/);
  await expect(window.runStatus).toHaveText('paused');
  await window.give('Continue', 'F5');
  await expect(window.runStatus).toHaveText('done');
});
