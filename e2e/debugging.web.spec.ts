import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fillWithReleaseNotes } from './fixtures/example-folders.ts';
import { expect, test } from './fixtures/studio.ts';
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

test('a run that goes on is paused and continued', async ({ studio }) => {
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

test('a body that fails says what, where and what to do, and runs when it is mended', async ({ studio }) => {
  await writeFile(join(studio.folder, 'failing.flow.yaml'), failing);
  const window = new StudioPage(await studio.start());
  const { page } = window;
  await window.drawn(1);
  await window.run();
  await expect(window.runStatus).toHaveText('failed');
  const card = page.getByRole('region', { name: 'Error: The node’s code failed' });
  await expect(card).toContainText('Price it');
  await expect(card).toContainText('length');
  await expect(card).toContainText('Mend the body of the node');
  await expect(window.card('Price it')).toHaveAttribute('data-status', 'failed');
  await card.getByRole('button', { name: 'in Price it' }).click();
  await window.writeCode('(order) => ({ total: (order.lines ?? []).length })');
  await page.locator('[data-canvas]').click({ position: { x: 300, y: 30 } });
  await window.run();
  await expect(window.runStatus).toHaveText('done');
  await expect(card).toBeHidden();
});
