import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, type StudioUnderTest, test } from './fixtures/studio.ts';
import { StudioPage } from './pages/studio-page.ts';

const mail = '{ type: object, properties: { n: { type: integer } }, required: [n] }';
const inner = `pravah: 1
name: Answer a mail
input: Mail
output: Reply
schemas:
  Mail: ${mail}
  Draft: ${mail}
  Reply: { type: integer }
nodes:
  - { kind: work, title: Write a draft, from: Mail, to: Draft }
  - { kind: work, title: Sign it, from: Draft, to: Reply, expr: n * 10 }
`;
const each = `pravah: 1
name: Mails
input: Start
output: Replies
schemas:
  Start: { type: object }
  Mails: { type: array, items: ${mail} }
  Replies: { type: array }
nodes:
  - { kind: work, title: Find mails, from: Start, to: Mails, run: "() => [{ n: 1 }, { n: 2 }, { n: 3 }]" }
  - { kind: each, title: Answer every mail, from: Mails, to: Replies, flow: ./answer.flow.yaml }
`;
const once = `pravah: 1
name: Mails
input: Start
output: Done
schemas:
  Start: { type: object }
  Mail: ${mail}
  Reply: { type: integer }
  Done: { type: integer }
nodes:
  - { kind: work, title: Find a mail, from: Start, to: Mail, run: "() => ({ n: 1 })" }
  - { kind: flow, title: Answer it, flow: ./answer.flow.yaml }
  - { kind: work, title: Send, from: Reply, to: Done }
`;

async function open(studio: StudioUnderTest, outer: string, count: number): Promise<StudioPage> {
  await writeFile(join(studio.folder, 'answer.flow.yaml'), inner);
  await writeFile(join(studio.folder, 'mails.flow.yaml'), outer);
  const window = new StudioPage(await studio.start());
  await window.page.getByRole('button', { name: 'mails', exact: true }).click();
  await window.drawn(count);
  return window;
}

const status = (window: StudioPage, title: string) => window.card(title).getAttribute('data-status');

test('an each node opened during a run shows the item in progress, and the run bar drives the outer run', async ({ studio }) => {
  const window = await open(studio, each, 2);
  const { page } = window;
  await window.startPaused();
  await page.getByRole('button', { name: 'Follow run' }).click();
  await window.step('F11', 1);
  await window.step('F11', 2);
  await expect(window.card('Answer every mail')).toContainText('item 1 of 3');
  await expect(window.transitions.last()).toContainText('Write a draft · item 1');

  await window.card('Answer every mail').dblclick();
  await expect(window.card('Sign it')).toHaveAttribute('data-status', 'next');
  await expect(window.card('Write a draft')).toHaveAttribute('data-status', 'ran');
  await expect(window.token('Draft')).toBeVisible();
  const way = page.getByRole('navigation', { name: 'Nested in' });
  await expect(way).toContainText('item 1 of 3');
  await expect(window.states.getByRole('row', { name: /^Draft/ })).toContainText('inside item 1 of 3');

  // Both by its keys and by its buttons.
  await window.step('F11', 3);
  await window.step('F11', 4);
  await expect(way).toContainText('item 2 of 3');
  await expect(window.card('Sign it')).toHaveAttribute('data-status', 'next');
  await window.command('Into').click();
  await expect(window.transitions.last()).toHaveText(/^5\D/);
  await expect(way).toContainText('item 3 of 3');
  expect(await status(window, 'Sign it')).toBeNull();

  // The past, item by item.
  await page.keyboard.press('Alt+F10');
  await expect(way).toContainText('item 2 of 3');
  await expect(window.card('Sign it')).toHaveAttribute('data-status', 'next');

  await way.getByRole('button', { name: 'Previous item' }).click();
  await expect(way).toContainText('item 1 of 3');
  await expect(way.getByRole('button', { name: 'Previous item' })).toBeDisabled();
  await way.getByRole('button', { name: 'Next item' }).click();
  await expect(way).toContainText('item 2 of 3');
  await expect(window.card('Sign it')).toHaveAttribute('data-status', 'next');

  await page.keyboard.press('Alt+ArrowUp');
  await window.drawn(2);
  await expect(window.card('Answer every mail')).toHaveAttribute('data-status', 'next');
  await expect(window.transitions).toHaveCount(6);
});

test('the canvas goes into a nested flow and out of it with the run', async ({ studio }) => {
  const window = await open(studio, once, 3);
  const { page } = window;
  await window.startPaused();
  await window.step('F11', 1);
  await window.step('F11', 2);
  const way = page.getByRole('navigation', { name: 'Nested in' });
  await expect(way).toContainText('mails');
  await expect(window.card('Sign it')).toHaveAttribute('data-status', 'next');
  await window.step('F10', 3);
  await expect(window.card('Send')).toHaveAttribute('data-status', 'next');
  await expect(way).toHaveCount(0);
});

test('a step of the past in another frame is offered or gone to, and the latest step leads back', async ({ studio }) => {
  const window = await open(studio, each, 2);
  const { page } = window;
  await window.startPaused();
  for (let step = 1; step <= 3; step++) await window.step('F11', step);
  const way = page.getByRole('navigation', { name: 'Nested in' });
  await expect(way).toContainText('item 2 of 3');
  // The canvas is inside: a step outside leads out.
  await window.transitions.first().click();
  await expect(way).toHaveCount(0);
  await expect(window.card('Answer every mail')).toBeVisible();

  // The canvas is outside: a step inside is offered.
  await window.transitions.nth(2).click();
  const offer = page.getByRole('note').filter({ hasText: 'This step is inside “Answer every mail”, item 1' });
  await expect(offer).toBeVisible();
  await expect(way).toHaveCount(0);
  await offer.getByRole('button', { name: 'Show' }).click();
  await expect(way).toContainText('item 1');
  await expect(offer).toHaveCount(0);

  await page.getByRole('button', { name: 'Back to latest' }).click();
  await expect(way).toContainText('item 2 of 3');
});

test('a nested flow entered by keyboard keeps the run, and its end continues outside', async ({ studio }) => {
  const window = await open(studio, once, 3);
  const { page } = window;
  await window.startPaused();
  await window.step('F10', 1);
  await window.step('F10', 2);
  await window.card('Answer it').click();
  await page.keyboard.press('Enter');
  await expect(window.card('Write a draft')).toHaveAttribute('data-status', 'ran');
  await expect(window.card('Sign it')).toHaveAttribute('data-status', 'next');
  await expect(window.states).toContainText('Draft');

  await page.locator('[data-canvas]').focus();
  await page.keyboard.press('Shift+F');
  await window.step('F10', 3);
  await expect(window.card('Sign it')).toHaveAttribute('data-status', 'ran');
  await expect(window.token('Reply')).toBeVisible();
  await window.give('Continue', 'F5');
  await expect(window.runStatus).toHaveAttribute('data-status', 'success');

  // A new run from in here is one of the outer flow.
  await page.keyboard.press('Control+Enter');
  await expect(page.getByRole('dialog', { name: 'Start a run' })).toContainText('mails.flow.yaml');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Alt+ArrowUp');
  await expect(window.card('Send')).toHaveAttribute('data-status', 'ran');

  // By its own tab the inner flow is a flow of its own: it has not run.
  await page.getByRole('button', { name: 'answer', exact: true }).last().click();
  await window.drawn(2);
  await expect(page.getByText('No run yet')).toBeVisible();
});
