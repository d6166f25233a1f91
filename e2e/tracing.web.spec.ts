import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from './fixtures/studio.ts';
import { expectAccessible } from './pages/accessibility.ts';
import { StudioPage } from './pages/studio-page.ts';

const orders = `pravah: 1
name: Orders
input: Order
output: Done
schemas:
  Order: { type: object, properties: { rate: { type: integer, default: 3 }, customer: { type: string, default: Kite Logistics } } }
  Rates: { type: object }
  Lines: { type: object }
  Tax: { type: object }
  Sum: { type: object }
  Total: { type: object }
  Large: { type: object }
  Done: { type: object }
nodes:
  - { kind: fork, title: Split, from: Order, to: [Rates, Lines] }
  - { kind: work, title: Work out the tax, from: Rates, to: Tax, expr: "{tax: input.rate * 2}" }
  - { kind: work, title: Add up, from: Lines, to: Sum, expr: "{sum: 7, name: input.customer}" }
  - { kind: join, title: Bring together, from: [Tax, Sum], to: Total }
  - { kind: either, title: Large?, from: Total, to: [Large, Done], expr: sum > 100 }
  - { kind: work, title: Ask for approval, from: Large, to: Done }
`;

test('where a state came from is numbered on the canvas and listed, by mouse and by keyboard', async ({ studio }) => {
  await writeFile(join(studio.folder, 'orders.flow.yaml'), orders);
  const window = new StudioPage(await studio.start());
  const { page } = window;
  await window.drawn(6);
  await window.run();
  await expect(window.runStatus).toHaveText('done');

  await window.tab('State').click();
  const state = page.getByRole('button', { name: /^Done/ });
  await state.click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Who wrote this' }).click();
  const steps = page.getByRole('listbox', { name: 'Where Done came from' });
  await expect(steps.getByRole('option')).toHaveCount(7);
  await expect(steps.getByRole('option').first()).toContainText('Large?');
  await expect(steps.getByRole('option').last()).toContainText("the run's input");
  // The list has the focus: the arrow keys show the run as it was at each step.
  await expect(steps).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await expect(page.getByText('You are viewing step 4 of 5')).toBeVisible();
  await expect(window.card('Bring together').getByRole('img', { name: '2: step 4' })).toHaveText('2');
  await expect(window.card('Ask for approval').getByRole('img', { name: /step/ })).toHaveCount(0);
  await expectAccessible(page, 'a lineage');

  // A value, from the menu of a part: it ends where the value was introduced.
  await page.keyboard.press('End');
  await page.keyboard.press('F5');
  await page.getByRole('list', { name: 'Value of Done' }).getByRole('button', { name: /^tax/ }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: 'Who wrote this' }).click();
  const value = page.getByRole('listbox', { name: 'Where Done/tax came from' });
  await expect(value.getByRole('option')).toHaveText([
    /^1Large\?step 5Done\/tax$/,
    /^2Bring togetherstep 4Total\/taxpassed on$/,
    /^3Work out the taxstep 2Tax\/taxpassed on, introduced here$/,
  ]);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('heading', { name: 'Where it came from' })).toBeHidden();

  // The step before that wrote a state, and a watch from the menu.
  await state.click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Previous write' }).click();
  await expect(page.getByRole('status').filter({ hasText: 'No earlier step wrote Done.' })).toBeAttached();
  await state.click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Add to watches' }).click();
  await expect(page.getByRole('list', { name: 'Watches' })).toContainText('states.Done');
});

test('coverage and heat are drawn over the flow, and what was never taken is listed with the way there', async ({ studio }) => {
  await writeFile(join(studio.folder, 'orders.flow.yaml'), orders);
  const window = new StudioPage(await studio.start());
  const { page } = window;
  await window.drawn(6);
  await window.run();
  await expect(window.runStatus).toHaveText('done');

  await page.keyboard.press('Control+k');
  await page.keyboard.type('Show or hide coverage');
  await page.keyboard.press('Enter');
  const bar = page.getByRole('toolbar', { name: 'Layer over the canvas' });
  await expect(bar).toContainText('75 % · 6 of 8 nodes and branches · 1 run');
  await expect(window.card('Add up').getByRole('img', { name: 'finished 1 time' })).toHaveText('1×');
  await expect(page.getByRole('img', { name: 'Lines: taken 1 time' })).toHaveText('1×');
  await expectAccessible(page, 'the layer of coverage');

  await bar.getByRole('button', { name: 'Never taken (2)' }).click();
  const never = page.getByRole('list', { name: 'Never taken' });
  await expect(never.getByRole('button')).toHaveText([
    'Large? → LargeAfter Order, Rates, Lines, Tax+Sum; waiting: Total',
    'Ask for approvalAfter Order, Rates, Lines, Tax+Sum, Total → Large; waiting: Large',
  ]);
  await never.getByRole('button').last().click();
  await expect(page.locator('.react-flow__node.selected')).toContainText('Ask for approval');

  await page.keyboard.press('Escape');
  await bar.getByText('Time', { exact: true }).click();
  await expect(bar).toContainText('in all');
  await expectAccessible(page, 'the layer of time');
  await bar.getByRole('button', { name: 'Hide the layer' }).click();
  await expect(bar).toBeHidden();
  await expect(window.card('Add up').getByRole('img', { name: /finished/ })).toHaveCount(0);
});

const countdown = `pravah: 1
name: Countdown
input: Count
output: Done
schemas:
  Count: { type: object, properties: { left: { type: integer, default: 20 } } }
  More: { type: object }
  Done: { type: object }
nodes:
  - { kind: either, title: Any left, from: Count, to: [More, Done], expr: left > 0 }
  - { kind: work, title: One less, from: More, to: Count, expr: "{left: left - 1}" }
`;

test('a run is searched for the step after which an expression is true, and a watch is plotted over it', async ({ studio }) => {
  await writeFile(join(studio.folder, 'countdown.flow.yaml'), countdown);
  const window = new StudioPage(await studio.start());
  const { page } = window;
  await window.drawn(2);
  await window.run();
  await expect(window.runStatus).toHaveText('done');

  await page.keyboard.press('Control+Shift+F');
  const find = page.getByRole('form', { name: 'Find in run' });
  const field = find.getByRole('textbox');
  await expect(field).toBeFocused();
  await field.fill('states.Count.left < 12');
  await page.keyboard.press('Enter');
  await expect(find.getByRole('status')).toHaveText('True after step 18');
  await expect(page.getByText(/step 18 of 41/i)).toBeVisible();
  await field.fill('left === 19');
  await find.getByRole('button', { name: 'Previous step' }).click();
  await expect(find.getByRole('status')).toHaveText('True after step 3');
  await field.fill('left === 99');
  await page.keyboard.press('Enter');
  await expect(find.getByRole('status')).toHaveText('Not true after any later step.');
  await field.fill('left >');
  await page.keyboard.press('Enter');
  await expect(find.getByRole('status')).toContainText('The expression is invalid');
  await expectAccessible(page, 'the search in a run');
  await field.press('Escape');
  await expect(find).toBeHidden();

  await page.getByRole('tab', { name: 'Debug', exact: true }).click();
  await page.getByRole('button', { name: 'Add a watch' }).click();
  await page.getByRole('textbox', { name: 'Expression' }).fill('states.Count.left');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Plot states.Count.left' }).click();
  const plot = page.getByRole('img', { name: 'states.Count.left over 41 steps: from 0 to 20' });
  await expect(plot).toBeVisible();
  // What the step changed is marked: Count was consumed by the step before.
  await page.getByRole('spinbutton', { name: 'Go to step' }).or(page.getByLabel('Go to step')).first().fill('4');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('list', { name: 'Watches' }).locator('[data-changed]')).toHaveAttribute('data-changed', 'true');
  await plot.click({ position: { x: 2, y: 20 } });
  await expect(page.getByText(/You are viewing the start/)).toBeVisible();
  await expectAccessible(page, 'a plotted watch');
});

const asking = `pravah: 1
name: Asking
input: Question
output: Answer
schemas:
  Question: { type: object, properties: { text: { type: string, default: Why? } } }
  Asked: { type: object }
  Answer: { type: object, properties: { text: { type: string } } }
nodes:
  - { kind: work, title: Ask politely, from: Question, to: Asked, expr: "{text: text + ' Please.', polite: true}" }
  - { kind: agent, title: Answer it, from: Asked, to: Answer, agent: { model: "script://answers.json", prompt: "{text}" } }
`;

test('two rows of the timeline are compared with each other, with the messages that agents added', async ({ studio }) => {
  await writeFile(join(studio.folder, 'asking.flow.yaml'), asking);
  await writeFile(join(studio.folder, 'answers.json'), JSON.stringify({ turns: [{ output: { text: 'Because.' } }] }));
  const window = new StudioPage(await studio.start());
  const { page } = window;
  await window.drawn(2);
  await window.run();
  await expect(window.runStatus).toHaveText('done');

  const rows = page.getByRole('listbox', { name: 'Transitions' }).getByRole('option');
  await rows.first().click();
  await rows.nth(1).click({ modifiers: ['Shift'] });
  const states = window.states;
  await expect(states).toContainText('The start compared with step 1');
  await expect(states).toContainText('Askednew');
  await expect(states.getByRole('list', { name: 'Value of Question' }).locator('del')).toHaveText('Why?');
  // The keyboard extends the selection, too.
  await page.keyboard.press('Shift+End');
  await expect(states).toContainText(/The start compared with step [2-9]/);
  await expect(states).toContainText(/messages? added to Answer it/);
  await expectAccessible(page, 'two points of a run');
  await states.getByRole('button', { name: 'End the comparison' }).click();
  await expect(states).not.toContainText('compared with');
  await window.tab('State').click();
  await expect(page.getByRole('list', { name: /messages? added to Answer it/ })).toBeVisible();
});

test('a selected card goes through its rounds, and the inspector to the first failed, slowest or different one', async ({ studio }) => {
  await writeFile(join(studio.folder, 'countdown.flow.yaml'), countdown);
  const window = new StudioPage(await studio.start());
  const { page } = window;
  await window.drawn(2);
  await window.run();
  await expect(window.runStatus).toHaveText('done');

  await window.card('One less').click();
  const rounds = window.card('One less').getByRole('group', { name: 'Round' });
  await expect(rounds).toHaveText('20 of 20');
  await rounds.getByRole('button', { name: 'Previous round' }).click();
  await expect(rounds).toHaveText('19 of 20');
  await expect(page.getByText(/step 38 of 41/i)).toBeVisible();

  await page.getByRole('radiogroup', { name: 'Form, run or text' }).getByText('Run', { exact: true }).click();
  const run = page.getByRole('region', { name: 'Run of this node' });
  await run.getByRole('button', { name: 'Go to a round' }).click();
  await page.getByRole('menuitem', { name: 'First that differs from the one before' }).click();
  await expect(run.getByRole('status')).toHaveText('2 of 20');
  await expect(rounds).toHaveText('2 of 20');
  await run.getByRole('button', { name: 'Go to a round' }).click();
  await page.getByRole('menuitem', { name: 'First failed' }).click();
  await expect(page.getByRole('status').filter({ hasText: 'There is no such round.' })).toBeAttached();
  await expectAccessible(page, 'the rounds of a card');

  // The timeline of the node: Enter opens a round.
  await run.getByRole('button', { name: 'Only this node in the timeline' }).click();
  await page.getByRole('listbox', { name: 'Rounds of One less' }).getByRole('option').first().dblclick();
  await expect(page.getByText(/step 2 of 41/i)).toBeVisible();
  await expect(page.getByRole('listbox', { name: 'Transitions' })).toBeVisible();
});
