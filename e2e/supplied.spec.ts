import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, type StudioUnderTest, test } from './fixtures/studio.ts';
import { expectAccessible } from './pages/accessibility.ts';
import { StudioPage } from './pages/studio-page.ts';

const orders = `pravah: 1
name: Orders
input: Order
output: Receipt
schemas:
  Order: { type: object, properties: { total: { type: integer, default: 20, minimum: 0 } }, required: [total] }
  Priced: { type: object, properties: { total: { type: integer } }, required: [total] }
  Large: { $ref: "#/schemas/Priced" }
  Small: { $ref: "#/schemas/Priced" }
  Receipt: { type: object }
nodes:
  - { kind: work, title: Price it, from: Order, to: Priced, expr: "{ total: total * 2 }" }
  - { kind: either, title: Split by size, from: Priced, to: [Large, Small], expr: total > 100 }
  - { kind: work, title: Save large, from: Large, to: Receipt, tool: write_file, with: { path: large.txt, content: "Total {total}" } }
  - { kind: work, title: Save small, from: Small, to: Receipt, tool: write_file, with: { path: small.txt, content: "Total {total}" } }
`.replaceAll('{ $ref: "#/schemas/Priced" }', '{ type: object, properties: { total: { type: integer } }, required: [total] }');

async function open(studio: StudioUnderTest): Promise<StudioPage> {
  await writeFile(join(studio.folder, 'orders.flow.yaml'), orders);
  const window = new StudioPage(await studio.start());
  await window.page.getByRole('button', { name: 'orders', exact: true }).click();
  await window.drawn(4);
  await window.trustFolder();
  return window;
}

const inspector = (window: StudioPage) => window.page.getByRole('region', { name: 'Supplied outputs' }).first();
const list = (window: StudioPage) => window.page.getByRole('list', { name: 'Supplied outputs' }).getByRole('listitem');

test('P pins the output of the shown step, the pin is edited, and the next run says what was supplied', async ({ studio }) => {
  const window = await open(studio);
  const { page } = window;
  await window.startPaused();
  await page.keyboard.press('F11');
  await expect(window.transitions).toHaveCount(2);
  await window.card('Price it').click();
  await page.keyboard.press('p');
  await expect(window.card('Price it').getByRole('img', { name: 'Its output is pinned' })).toBeVisible();
  await expect(window.card('Price it')).toHaveAttribute('data-supplied', 'true');
  await expect(window.status).toContainText('1 output is supplied');
  await page.keyboard.press('Shift+F5');

  await window.tab('Node').click();
  await expect(inspector(window)).toContainText('{ total: 40 }');
  await inspector(window).getByRole('button', { name: 'Edit', exact: true }).click();
  await inspector(window).getByLabel('total').fill('400');
  await inspector(window).getByRole('button', { name: 'Save pin' }).click();
  await expect(inspector(window)).toContainText('{ total: 400 }');
  await expectAccessible(page, 'a pinned node');

  // A mock answers the tool that would write.
  await window.card('Save large').click();
  await inspector(window).getByRole('button', { name: 'Mock write_file' }).click();
  const form = page.getByRole('form', { name: 'Mock of write_file' });
  await form.getByLabel('Result (JSON)').fill('{"path": "nowhere"}');
  await form.getByRole('button', { name: 'Save mock' }).click();
  await expect(form.getByRole('alert')).toContainText('Rule 1 of the mock of write_file returns something else than the tool does');
  await form.getByLabel('Result (JSON)').fill('{"path": "nowhere", "bytes": 0}');
  await form.getByLabel('When').fill('call.input.path == "large.txt"');
  await expectAccessible(page, 'the rules of a mock');
  await form.getByRole('button', { name: 'Save mock' }).click();
  await expect(form).toHaveCount(0);
  await expect(window.status).toContainText('2 outputs are supplied');

  await page.keyboard.press('F5');
  await expect(page.getByRole('dialog')).toContainText('2 outputs are supplied');
  await page.getByRole('dialog').getByRole('button', { name: /^Run/ }).click();
  await window.allowIfAsked();
  await expect(window.runStatus).toHaveAttribute('data-status', 'success');
  await expect(window.transitions).toHaveText([
    /Start|Order/,
    /Price it.*Priced · pinned/,
    /Split by size.*Large/,
    /Save large.*1 call mocked/,
  ]);
  await page.getByRole('radiogroup', { name: 'Form, run or text' }).getByText('Run', { exact: true }).click();
  const round = page.getByRole('region', { name: 'Run of this node' });
  await expect(round).toContainText('Mocks answered 1 call.');
  await window.card('Price it').click();
  await expect(round).toContainText('The output was supplied by a pin.');
  await window.tab('Runs').click();
  await expect(page.getByRole('treegrid', { name: 'Runs' })).toContainText('2 outputs supplied');

  await window.tab('Debug').click();
  await expect(list(window)).toHaveText([/Output of Price it.*total: 400/, /Calls of write_file.*1 rule/]);
  await page.getByRole('switch', { name: 'Use supplied outputs' }).press('Space');
  await expect(window.status).not.toContainText('supplied');
  await expect(window.card('Price it').getByRole('img', { name: 'Its output is pinned (off)' })).toBeVisible();
  const file = JSON.parse(await readFile(join(studio.folder, '.pravah', 'breakpoints.json'), 'utf8'));
  expect(file).toMatchObject({
    supplied_on: false,
    supplied: [
      { kind: 'pin', node: 'Order', value: { total: 400 } },
      { kind: 'tool', tool: 'write_file' },
    ],
  });
});

test('D disables a node or says why it cannot, and P opens the form where no run is shown', async ({ studio }) => {
  const window = await open(studio);
  const { page } = window;
  await window.card('Price it').click();
  await page.keyboard.press('d');
  await expect(window.notices).toContainText("Order can't be disabled: its output Priced has a different schema than its input.");
  await window.card('Split by size').click();
  await page.keyboard.press('d');
  await expect(window.card('Split by size').getByRole('img', { name: 'It is disabled: it returns what it consumes' })).toBeVisible();
  await page.keyboard.press('d');
  await expect(window.card('Split by size').getByRole('img', { name: /disabled/ })).toHaveCount(0);
  await page.keyboard.press('p');
  const form = page.getByRole('region', { name: 'Pinned output' });
  await form.getByLabel('Branch').selectOption('Small');
  await form.getByLabel('total').fill('7');
  await form.getByRole('button', { name: 'Save pin' }).click();
  await expect(inspector(window)).toContainText('Small: { total: 7 }');
});

test('a node runs alone with the input of the shown step, and its run is listed under Tries', async ({ studio }) => {
  const window = await open(studio);
  const { page } = window;
  await window.startPaused();
  await page.keyboard.press('F11');
  await expect(window.transitions).toHaveCount(2);
  await page.keyboard.press('F11');
  await expect(window.transitions).toHaveCount(3);
  await window.card('Split by size').click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Run this node alone…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Start a run' });
  await expect(dialog.getByLabel('total')).toHaveValue('40');
  await dialog.getByLabel('total').fill('101');
  await dialog.getByRole('button', { name: /^Run/ }).click();
  await window.allowIfAsked();
  await expect(window.runStatus).toHaveAttribute('data-status', 'success');
  await window.tab('Runs').click();
  await page.getByText('Tries', { exact: true }).click();
  await expect(page.getByRole('treegrid', { name: 'Runs' }).getByRole('row')).toHaveCount(2);
  await expect(page.getByRole('treegrid', { name: 'Runs' })).toContainText('Try Split by size');
});

test('undo takes a pin back, a rename carries it along, and a second window follows', async ({ studio }) => {
  test.skip(studio.host === 'electron', 'the desktop has one window');
  const window = await open(studio);
  const { page } = window;
  const pins = async () => JSON.parse(await readFile(join(studio.folder, '.pravah', 'breakpoints.json'), 'utf8')).supplied;
  const sign = (of: StudioPage, title: string) => of.card(title).getByRole('img', { name: /It is disabled/ });
  await window.card('Split by size').click();
  await page.keyboard.press('d');
  await expect(sign(window, 'Split by size')).toBeVisible();
  const tab = new StudioPage(await page.context().newPage());
  await tab.page.goto(new URL(page.url()).origin);
  await tab.page.getByRole('button', { name: 'orders', exact: true }).first().click();
  await expect(sign(tab, 'Split by size')).toBeVisible();
  await expect(tab.status).toContainText('1 output is supplied');

  await page.bringToFront();
  await page.keyboard.press('Control+z');
  await expect(sign(window, 'Split by size')).toHaveCount(0);
  await expect(sign(tab, 'Split by size')).toHaveCount(0);
  await expect.poll(pins).toEqual([]);
  await page.keyboard.press('Control+y');
  await expect(sign(window, 'Split by size')).toBeVisible();
  await expect.poll(pins).toMatchObject([{ kind: 'pin', node: 'Priced', disabled: true }]);
  await expect(sign(tab, 'Split by size')).toBeVisible();

  // A state's new name is the node's.
  await window.wire('Priced').click({ button: 'right', force: true });
  await page.getByRole('menuitem', { name: /^Rename state/ }).click();
  await page.getByRole('dialog').getByRole('textbox').fill('Worth');
  await page.keyboard.press('Enter');
  await expect.poll(pins).toMatchObject([{ kind: 'pin', node: 'Worth', disabled: true }]);
  await expect(sign(window, 'Split by size')).toBeVisible();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await page.keyboard.press('Control+z');
  await expect.poll(pins).toMatchObject([{ kind: 'pin', node: 'Priced', disabled: true }]);
  await expect(sign(window, 'Split by size')).toBeVisible();
});

test('the status bar counts the supplied outputs of the shown flow and of the flows that it runs', async ({ studio }) => {
  const around = orders
    .replace('name: Orders', 'name: Around')
    .replace(/nodes:[\s\S]*/, 'nodes:\n  - { kind: flow, title: Run orders, from: Order, to: Receipt, flow: ./orders.flow.yaml }\n');
  const other = orders.replace('name: Orders', 'name: Other');
  await writeFile(join(studio.folder, 'around.flow.yaml'), around);
  await writeFile(join(studio.folder, 'other.flow.yaml'), other);
  const window = await open(studio);
  const { page } = window;
  await window.card('Split by size').click();
  await page.keyboard.press('d');
  await expect(window.status).toContainText('1 output is supplied');
  await page.getByRole('tab', { name: 'Flows' }).click();
  const flows = page.getByRole('complementary', { name: 'Library and flows' });
  await flows
    .getByText('Other', { exact: true })
    .or(flows.getByText('other', { exact: true }))
    .first()
    .click();
  await expect(page.getByRole('banner')).toContainText('other');
  await expect(window.status).not.toContainText('supplied');
  await flows
    .getByText('Around', { exact: true })
    .or(flows.getByText('around', { exact: true }))
    .first()
    .click();
  await expect(page.getByRole('banner')).toContainText('around');
  await expect(window.status).toContainText('1 output is supplied');
});
