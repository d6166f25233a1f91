import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, type StudioUnderTest, test } from './fixtures/studio.ts';
import { dialogPicture, picture } from './pages/pictures.ts';
import { StudioPage } from './pages/studio-page.ts';

const order = '{ type: object, properties: { customer: { type: string }, total: { type: integer } }, required: [customer, total] }';
const priced =
  '{ type: object, properties: { customer: { type: string }, total: { type: integer }, tax: { type: number } }, required: [customer, total, tax] }';
const files: Readonly<Record<string, string>> = {
  'orders.flow.yaml': `pravah: 1
name: Orders
input: Start
output: Receipt
schemas:
  Start: { type: object }
  Orders: { type: array, items: ${order} }
  Checked: { type: array, items: ${priced} }
  Large: { type: array, items: ${priced} }
  Small: { type: array, items: ${priced} }
  Receipt: { type: object, properties: { path: { type: string }, bytes: { type: integer } } }
nodes:
  - kind: work
    title: Read orders
    from: Start
    to: Orders
    run: "() => [['Kite Logistics', 60], ['Harbour Foods', 84], ['Alder & Sons', 120], ['Nordlicht', 45]].map(([customer, total]) => ({ customer, total }))"
  - { kind: each, title: Price each order, from: Orders, to: Checked, flow: ./price.flow.yaml }
  - { kind: either, title: Any large order?, from: Checked, to: [Large, Small], run: "(list) => (list.some(({ total }) => total > 100) ? { left: list } : { right: list })" }
  - { kind: work, title: Ask for payment, from: Large, to: Receipt, tool: write_file, with: { path: invoices.txt, content: "To be paid" } }
  - { kind: work, title: Send the goods, from: Small, to: Receipt, tool: write_file, with: { path: goods.txt, content: "To be sent" } }
`,
  'price.flow.yaml': `pravah: 1
name: Price one order
input: Order
output: Done
schemas:
  Order: ${order}
  Taxed: ${priced}
  Done: ${priced}
nodes:
  - { kind: work, title: Add the tax, from: Order, to: Taxed, run: "(order, ctx) => { ctx.log('priced', order.customer); return { ...order, tax: order.total * 0.2 }; }" }
  - { kind: work, title: Round up, from: Taxed, to: Done, run: "(order) => ({ ...order, tax: Math.ceil(order.tax) })" }
`,
  'packing.flow.yaml': `pravah: 1
name: Packing
input: Parcels
output: Packed
schemas:
  Parcels: { type: object, properties: { left: { type: integer, default: 150 }, weight: { type: integer, default: 0 } } }
  Next: { type: object }
  Packed: { type: object }
nodes:
  - { kind: either, title: Any parcel left?, from: Parcels, to: [Next, Packed], run: "(all) => (all.left > 0 ? { left: all } : { right: all })" }
  - { kind: work, title: Pack one, from: Next, to: Parcels, run: "({ left, weight }) => ({ left: left - 1, weight: weight + (left * 7) % 13 })" }
`,
  'grading.flow.yaml': `pravah: 1
name: Grading
input: Essay
output: Saved
schemas:
  Essay: { type: object }
  Graded: { type: object, properties: { grade: { type: string }, reason: { type: string } }, required: [grade] }
  Saved: { type: object }
nodes:
  - { kind: agent, title: Grade it, from: Essay, to: Graded, agent: { model: "script://careful.json", prompt: Grade the essay. } }
  - { kind: work, title: Sign it, from: Graded, to: Saved, expr: "{ grade: grade, reason: reason, signed: true }" }
`,
  'careful.json': script('B', 'Clear, but it cites no sources.', 820),
  'kind.json': script('A', 'A pleasure to read.', 410),
};

function script(grade: string, reason: string, tokens_in: number): string {
  return JSON.stringify({ turns: [{ output: { grade, reason }, usage: { tokens_in, tokens_out: 96 } }] });
}

async function open(studio: StudioUnderTest, flow: string, nodes: number): Promise<StudioPage> {
  for (const [name, text] of Object.entries(files)) await writeFile(join(studio.folder, name), text);
  const window = new StudioPage(await studio.start());
  await window.page.getByRole('tab', { name: 'Flows', exact: true }).click();
  await window.page.getByRole('tabpanel', { name: 'Flows' }).getByRole('button', { name: flow, exact: true }).click();
  await window.drawn(nodes);
  await window.trustFolder();
  return window;
}

test('the screens of a stopped run fit their window, in both schemes and at five sizes', async ({ studio }) => {
  test.slow();
  const window = await open(studio, 'orders', 5);
  const { page } = window;
  await window.card('Ask for payment').click();
  await page.keyboard.press('F9');
  await page.getByRole('tabpanel', { name: 'Flows' }).getByRole('button', { name: 'price', exact: true }).click();
  await window.drawn(2);
  await window.card('Round up').click();
  await page.keyboard.press('Shift+F9');
  const form = page.getByRole('form', { name: 'Edit Breakpoint 2' });
  await form.getByLabel('Condition').fill('total > 100');
  await page.keyboard.press('Enter');
  await expect(form).toHaveCount(0);
  await page.getByRole('tabpanel', { name: 'Flows' }).getByRole('button', { name: 'orders', exact: true }).click();
  await window.drawn(5);
  await window.run();
  await expect(page.getByText(/^Paused at breakpoint/)).toBeVisible();
  await window.tab('Debug').click();
  for (const watch of ['total * 1.2', 'states.Taxed.customer']) {
    await page.getByRole('button', { name: 'Add a watch' }).click();
    await page.keyboard.type(watch);
    await page.keyboard.press('Enter');
    await expect(page.getByText(watch)).toBeVisible();
  }
  await page.getByRole('button', { name: 'Rounds in the timeline' }).click();
  await page.getByRole('menuitem', { name: 'Fold rounds' }).click();
  await expect(window.transitions.filter({ hasText: 'Item 1' })).toBeVisible();
  await picture(page, 'debug-stop', true);

  // Where a value came from.
  await window.tab('State').click();
  await page
    .getByRole('button', { name: /^Taxed/ })
    .first()
    .click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Who wrote this' }).click();
  await expect(page.getByRole('listbox', { name: /came from/ })).toBeFocused();
  await picture(page, 'debug-lineage');
  await page.keyboard.press('Escape');

  // Outputs that are supplied.
  await window.give('Continue', 'F5');
  await expect(page.getByText(/^Paused at breakpoint 1/)).toBeVisible();
  await window.card('Price each order').click();
  await page.keyboard.press('p');
  await expect(window.card('Price each order').getByRole('img', { name: 'Its output is pinned' })).toBeVisible();
  await window.card('Ask for payment').click();
  await window.tab('Node').click();
  const supplied = page.getByRole('region', { name: 'Supplied outputs' }).first();
  await supplied.getByRole('button', { name: 'Mock write_file' }).click();
  const mock = page.getByRole('form', { name: 'Mock of write_file' });
  await mock.getByLabel('Result (JSON)').fill('{"path": "invoices.txt", "bytes": 0}');
  await mock.getByRole('button', { name: 'Save mock' }).click();
  await expect(window.status).toContainText('2 outputs are supplied');
  await picture(page, 'debug-supplied');
  await page.keyboard.press('Shift+F5');

  await page.keyboard.press('Control+k');
  await page.keyboard.type('Show or hide coverage');
  await page.keyboard.press('Enter');
  const bar = page.getByRole('toolbar', { name: 'Layer over the canvas' });
  await bar.getByRole('button', { name: /^Never taken/ }).click();
  await expect(page.getByRole('list', { name: 'Never taken' })).toBeVisible();
  await picture(page, 'debug-coverage');
});

test('the rounds of a long run fit their window, in both schemes and at five sizes', async ({ studio }) => {
  test.slow();
  const window = await open(studio, 'packing', 2);
  const { page } = window;
  await window.run();
  await expect(window.runStatus).toHaveText('done');
  await window.card('Pack one').click();
  await page.getByRole('radiogroup', { name: 'Form, run or text' }).getByText('Run', { exact: true }).click();
  await page.getByRole('textbox', { name: 'Go to step' }).fill('40');
  await page.keyboard.press('Enter');
  await window.transitions.filter({ hasText: 'Round 20 ' }).click();
  await expect(window.transitions.filter({ hasText: 'Pack one' })).toBeVisible();
  await picture(page, 'debug-rounds');
  await window.tab('Runs').click();
  await expect(page.getByRole('treegrid', { name: 'Runs' })).toBeVisible();
  await picture(page, 'debug-runs');
});

test('a matrix and a comparison fit their window, in both schemes and at five sizes', async ({ studio }) => {
  test.slow();
  const window = await open(studio, 'grading', 2);
  const { page } = window;
  await window.run();
  await expect(window.runStatus).toHaveText('done');
  await window.transitions.first().click();
  await page.getByRole('button', { name: 'More about this run' }).click();
  await page.getByRole('menuitem', { name: 'What-if matrix from step 0…' }).click();
  const dialog = page.getByRole('dialog', { name: /^What if/ });
  const model = (number: number) =>
    dialog.getByRole('combobox', { name: `Model ${number}` }).or(dialog.getByRole('textbox', { name: `Model ${number}` }));
  await model(1).fill('script://careful.json');
  await dialog.getByRole('button', { name: 'Add a model' }).click();
  await model(2).fill('script://kind.json');
  await dialog.getByRole('button', { name: 'Add a prompt of Grade it' }).click();
  await dialog.getByRole('textbox', { name: 'Prompt of Grade it, 1' }).fill('Grade the essay strictly.');
  await expect(dialog).toContainText('If each uses what this run did');
  await dialogPicture(page, 'debug-matrix-dialog');
  await dialog.getByRole('button', { name: 'Run 2 variants' }).click();
  await expect(page.getByText('2 of 2 done')).toBeVisible();
  await picture(page, 'debug-matrix');
  await page
    .getByRole('table', { name: 'Variants' })
    .getByRole('button', { name: /^script:\/\/kind\.json/ })
    .click();
  await expect(page.getByRole('group', { name: 'Differences of the step' })).toContainText('pleasure');
  await picture(page, 'debug-compare');
});
