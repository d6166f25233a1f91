import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from './fixtures/studio.ts';
import { expectAccessible } from './pages/accessibility.ts';
import { StudioPage } from './pages/studio-page.ts';

const integers = (...names: string[]) => `schemas: { ${names.map((name) => `${name}: { type: integer }`).join(', ')} }`;
const price = `pravah: 1
name: Price one
input: Item
output: Total
${integers('Item', 'Net', 'Total')}
nodes:
  - { kind: work, title: Net price, from: Item, to: Net, expr: input + 1 }
  - { kind: work, title: Add tax, from: Net, to: Total, run: "(net) => net * 10" }
`;
const orders = `pravah: 1
name: Orders
input: Start
output: Totals
schemas:
  Start: { type: object }
  Items: { type: array, items: { type: integer } }
  Totals: { type: array }
nodes:
  - { kind: work, title: Find items, from: Start, to: Items, run: "() => [1, 2, 3]" }
  - { kind: each, title: Price all, from: Items, to: Totals, flow: ./price.flow.yaml }
`;

test('a paused run continues with an edited nested flow on the same canvas, and the old run says so', async ({ studio }) => {
  await writeFile(join(studio.folder, 'price.flow.yaml'), price);
  await writeFile(join(studio.folder, 'orders.flow.yaml'), orders);
  const window = new StudioPage(await studio.start());
  const { page } = window;
  await page.getByRole('button', { name: 'orders', exact: true }).click();
  await window.drawn(2);
  await window.startPaused();
  for (let step = 1; step <= 2; step++) await window.step('F11', step);
  // The canvas has followed into the nested flow.
  await expect(window.card('Add tax')).toHaveAttribute('data-status', 'next');
  const offered = window.command('Continue with the edited flow');
  await expect(offered).toHaveCount(0);

  await window.card('Add tax').click();
  await window.writeCode('(net) => net * 100');
  await expect(offered).toBeVisible();
  await expectAccessible(page, 'a paused run whose flow was edited', '[aria-label="Run"]');
  await offered.click();
  // It continues as it was driven: by one step, in the same item.
  await expect(page.getByRole('button', { name: /^Forked from step 2 of run/ })).toBeVisible();
  const way = page.getByRole('navigation', { name: 'Nested in' });
  await expect(way).toContainText('orders');
  await expect(window.runStatus).toHaveText('paused');
  await expect(offered).toHaveCount(0);
  await expect(window.unsaved).toHaveCount(0);
  expect(await readFile(join(studio.folder, 'price.flow.yaml'), 'utf8')).toContain('net * 100');
  await window.give('Continue', 'F5');
  await expect(window.runStatus).toHaveText('done');
  await window.tab('Output').click();
  await expect(page.getByRole('tabpanel', { name: /Output/ })).toContainText('200');

  await window.tab('Runs').click();
  const rows = page.getByRole('treegrid').getByRole('row');
  await expect(rows.filter({ hasText: /continues \w+ after step 2/ })).toHaveCount(1);
  const former = rows.filter({ hasText: /continued as \w+/ });
  await expect(former).toContainText('paused');
  await former.click();
  await page.getByRole('button', { name: /^continued as/ }).click();
  await expect(window.runStatus).toHaveText('done');
});

const chain = `pravah: 1
name: Chain
input: A
output: D
schemas: { A: {}, B: { type: integer }, C: { type: integer }, D: {} }
nodes:
  - { kind: work, title: Begin, from: A, to: B, expr: "1" }
  - { kind: work, title: Double, from: B, to: C, run: "(b) => b * 2" }
  - { kind: suspend, title: Ask, from: C, to: D }
`;

test('a waiting run whose edited flow would change an earlier step says which, and asks for a state that no longer fits', async ({
  studio,
}) => {
  await writeFile(join(studio.folder, 'chain.flow.yaml'), chain);
  const window = new StudioPage(await studio.start());
  const { page } = window;
  await window.drawn(3);
  await window.run();
  await expect(window.runStatus).toHaveText('waiting');
  await writeFile(
    join(studio.folder, 'chain.flow.yaml'),
    chain.replace('b * 2', 'b * 3').replace('C: { type: integer }', 'C: { type: integer, minimum: 3 }'),
  );
  await window.command('Continue with the edited flow').click();
  const dialog = page.getByRole('dialog', { name: /^Continue run \w+ with the edited flow/ });
  await expect(dialog).toContainText('Step 1 would have the same result with this flow; step 2 would not');
  await expect(dialog).toContainText('One value doesn’t match the edited flow.');
  await expect(dialog.getByRole('button', { name: 'Continue' })).toBeDisabled();
  await expectAccessible(page, 'the dialog of an edited run');
  await dialog.getByRole('textbox').first().fill('5');
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByRole('button', { name: /^Forked from step \d of run/ })).toBeVisible();
  await expect(window.runStatus).toHaveText('waiting');
  await expect(window.states.getByRole('row', { name: /^C/ })).toContainText('5');
});

const calling = `pravah: 1
name: Calling
input: A
output: B
schemas: { A: {}, B: { type: object } }
nodes:
  - { kind: agent, title: Ask it, from: A, to: B, agent: { model: "script://one.json", prompt: First question. } }
`;

test('a run that is held before a call leaves it, and the edited flow makes another one', async ({ studio }) => {
  await writeFile(join(studio.folder, 'calling.flow.yaml'), calling);
  await writeFile(join(studio.folder, 'one.json'), JSON.stringify({ turns: [{ output: { done: true } }] }));
  const window = new StudioPage(await studio.start());
  const { page } = window;
  await window.drawn(1);
  await window.tab('Debug').click();
  await page.getByRole('button', { name: 'Add a breakpoint' }).click();
  await page.getByRole('menuitem', { name: 'Before a request to a model' }).click();
  await window.run();
  await expect(window.runStatus).toHaveText('held');
  const offered = window.command('Continue with the edited flow');
  await expect(offered).toHaveCount(0);
  await writeFile(join(studio.folder, 'calling.flow.yaml'), calling.replace('First', 'Second'));
  await offered.click();
  await expect(window.notices.filter({ hasText: /^Run \w+ left the step in which it was held\. The call was not made\.$/ })).toBeVisible();
  await expect(page.getByRole('button', { name: /^Forked from step 0 of run/ })).toBeVisible();
  // The new run is held at the same breakpoint.
  await expect(window.runStatus).toHaveText('held');
  await window.give('Continue', 'F5');
  await expect(window.runStatus).toHaveText('done');
  await window.tab('Conversation').click();
  await expect(page.getByRole('tabpanel', { name: /Conversation/ })).toContainText('Second question.');
  await window.tab('Runs').click();
  await expect(
    page
      .getByRole('treegrid')
      .getByRole('row')
      .filter({ hasText: /continued as \w+/ }),
  ).toContainText('paused');
});
