import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from './fixtures/studio.ts';
import { expectAccessible } from './pages/accessibility.ts';
import { StudioPage } from './pages/studio-page.ts';

const adding = `pravah: 1
name: Adding
input: Count
output: Done
schemas:
  Count: { type: object, properties: { left: { type: integer, default: 20 }, sum: { type: integer, default: 0 } } }
  More: { type: object }
  Done: { type: object }
nodes:
  - kind: either
    title: Any left
    from: Count
    to: [More, Done]
    run: "(count) => (count.left > 0 ? { left: count } : { right: count })"
  - kind: work
    title: Add
    from: More
    to: Count
    run: "({ left, sum }, ctx) => { ctx.log('adding', left); return { left: left - 1, sum: sum + left }; }"
`;

test('the inspector shows each round of a node with its input, output, log and time', async ({ studio }) => {
  await writeFile(join(studio.folder, 'adding.flow.yaml'), adding);
  const window = new StudioPage(await studio.start());
  const { page } = window;
  await window.drawn(2);
  await window.run();
  await expect(window.runStatus).toHaveText('done');
  await expect(window.card('Add')).toContainText(/20× · (< 1|\d+) ms/);

  await window.card('Add').click();
  const mode = page.getByRole('radiogroup', { name: 'Form, run or text' });
  await mode.getByText('Run', { exact: true }).click();
  const run = page.getByRole('region', { name: 'Run of this node' });
  const round = run.getByRole('status');
  await expect(round).toHaveText('20 of 20');
  // It stays as chosen while the panel shows something else.
  await page.getByRole('tab', { name: 'Inbox' }).click();
  await page.getByRole('tab', { name: 'Node', exact: true }).click();
  await expect(round).toHaveText('20 of 20');
  await expect(run.getByRole('list', { name: 'Value of More' })).toContainText('left1');
  await expect(run.getByRole('list', { name: 'Value of Count' })).toContainText('sum210');
  await expect(run).toContainText('adding 1');
  await expect(run).toContainText('time');
  await run.getByRole('button', { name: 'Previous round' }).click();
  await expect(round).toHaveText('19 of 20');
  await expect(run).toContainText('adding 2');
  // Choosing a round shows the whole run as it was then.
  await expect(page.getByText(/step 38 of 41/i)).toBeVisible();
  await run.getByText('Changes', { exact: true }).click();
  await expect(run).toContainText('Compared with round 18');
  await expect(run.locator('del').first()).toHaveText('2');
  await expectAccessible(page, 'a round in the inspector');

  await run.getByRole('button', { name: 'Only this node in the timeline' }).click();
  const rounds = page.getByRole('listbox', { name: 'Rounds of Add' });
  await expect(rounds.getByRole('option').last()).toHaveAttribute('aria-setsize', '20');
  await expect(rounds.getByRole('option', { selected: true })).toContainText('step 38');
  await rounds.focus();
  await page.keyboard.press('Home');
  await expect(round).toHaveText('1 of 20');
  await expect(rounds.getByRole('option', { selected: true })).toContainText('step 2');
  await page.keyboard.press('ArrowDown');
  await expect(round).toHaveText('2 of 20');
  await expectAccessible(page, 'the rounds of a node');
  await page.getByRole('button', { name: 'Show all steps' }).click();
  await expect(rounds).toBeHidden();

  await page.getByRole('button', { name: 'Show only one node' }).click();
  await page.getByRole('option', { name: 'Any left', exact: true }).click();
  await expect(page.getByRole('listbox', { name: 'Rounds of Any left' })).toBeVisible();
});

test('the timeline folds the rounds of a long loop, opens one, and finds the slowest', async ({ studio }) => {
  await writeFile(join(studio.folder, 'adding.flow.yaml'), adding.replace('default: 20', 'default: 400'));
  const window = new StudioPage(await studio.start());
  const { page } = window;
  await window.drawn(2);
  await window.run();
  await expect(window.runStatus).toHaveText('done');
  // 801 records and the start: the start, and 401 rounds.
  const list = page.getByRole('listbox', { name: 'Transitions' });
  await expect(window.transitions.last()).toHaveAttribute('aria-setsize', '402');
  await list.press('Home');
  await list.press('ArrowDown');
  const current = list.getByRole('option', { selected: true });
  await expect(current).toHaveText(/Round 1 · Any left.*steps 1 to 2/);
  await expect(page.getByText(/step 2 of 801/i)).toBeVisible();
  await list.press('ArrowRight');
  await expect(current).toContainText('Any left');
  await expect(window.transitions.last()).toHaveAttribute('aria-setsize', '404');
  await list.press('ArrowDown');
  await expect(current).toHaveText(/2.*Add.*Count/);
  await list.press('ArrowDown');
  await expect(current).toContainText('Round 2');
  await expectAccessible(page, 'folded rounds');
  await list.press('ArrowUp');
  await list.press('ArrowLeft');
  await expect(current).toContainText('Round 1');
  await expect(window.transitions.last()).toHaveAttribute('aria-setsize', '402');

  // A step in the middle is in its round.
  await page.getByRole('textbox', { name: 'Go to step' }).fill('300');
  await page.keyboard.press('Enter');
  await expect(current).toContainText('Round 150');
  await page.getByRole('button', { name: 'Rounds in the timeline' }).click();
  await page.getByRole('menuitem', { name: 'Slowest' }).click();
  await expect(current).toContainText(/Round [\d,]+ · Any left/);
  await page.getByRole('button', { name: 'Rounds in the timeline' }).click();
  await page.getByRole('menuitem', { name: 'First failed' }).click();
  await expect(page.getByRole('status').filter({ hasText: 'There is no such round.' })).toBeAttached();
  await page.getByRole('button', { name: 'Rounds in the timeline' }).click();
  await page.getByRole('menuitem', { name: 'Show each step' }).click();
  await expect(window.transitions.last()).toHaveAttribute('aria-setsize', '802');
});

test('the timeline folds the rounds of a loop inside an item', async ({ studio }) => {
  const each = `pravah: 1
name: Adding all
input: Start
output: Sums
schemas:
  Start: { type: object }
  Counts: { type: array, items: { type: object, properties: { left: { type: integer, default: 20 }, sum: { type: integer, default: 0 } } } }
  Sums: { type: array, items: { type: object } }
nodes:
  - { kind: work, from: Start, to: Counts, expr: '[{ left: 50, sum: 0 }, { left: 60, sum: 0 }]' }
  - { kind: each, title: Add each, from: Counts, to: Sums, flow: ./adding.flow.yaml }
`;
  await writeFile(join(studio.folder, 'adding.flow.yaml'), adding);
  await writeFile(join(studio.folder, 'a-all.flow.yaml'), each);
  const window = new StudioPage(await studio.start());
  const { page } = window;
  await window.drawn(2);
  await window.run();
  await expect(window.runStatus).toHaveText('done');
  // The start, the first node, and two items.
  await expect(window.transitions.last()).toHaveAttribute('aria-setsize', '4');
  const list = page.getByRole('listbox', { name: 'Transitions' });
  const current = list.getByRole('option', { selected: true });
  await list.press('Home');
  for (const _line of [1, 2]) await list.press('ArrowDown');
  await expect(current).toHaveText(/Item 1 · Add each/);
  await list.press('ArrowRight');
  // Its loop has 51 rounds, each one line.
  await expect(window.transitions.last()).toHaveAttribute('aria-setsize', '55');
  await expect(current).toHaveText(/Round 1 · .*Any left/);
  await list.press('ArrowRight');
  await expect(window.transitions.last()).toHaveAttribute('aria-setsize', '57');
  await list.press('ArrowDown');
  await expect(current).toContainText('Add');
  await expectAccessible(page, 'folded rounds inside an item');
  await list.press('ArrowLeft');
  await expect(current).toHaveText(/Round 1/);
  await list.press('ArrowLeft');
  await expect(current).toHaveText(/Item 1/);
  await expect(window.transitions.last()).toHaveAttribute('aria-setsize', '4');
});

test('the Runs tab lists runs with their forks, and a flow opens with its last run', async ({ studio }) => {
  await writeFile(join(studio.folder, 'adding.flow.yaml'), adding);
  await writeFile(join(studio.folder, 'other.flow.yaml'), adding.replace('name: Adding', 'name: Other'));
  const window = new StudioPage(await studio.start());
  const { page } = window;
  await window.drawn(2);
  await window.tab('Runs').click();
  await expect(page.getByText('No runs yet')).toBeVisible();
  await window.run();
  const table = page.getByRole('treegrid', { name: 'Runs' });
  const rows = table.locator('tbody').getByRole('row');
  await expect(rows).toHaveCount(1);
  await expect(rows.first()).toContainText('done');
  await expect(rows.first()).toHaveAttribute('aria-selected', 'true');

  await window.tab('Timeline').click();
  await page.keyboard.press('Alt+F10');
  await page.getByRole('button', { name: 'Run from here…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Run from here' }).click();
  await expect(page.getByRole('dialog')).toBeHidden();
  await window.tab('Runs').click();
  await expect(rows).toHaveCount(2);
  await expect(rows.nth(1)).toHaveAttribute('aria-level', '2');
  await expect(rows.nth(1)).toContainText(/fork of \w+, step 40/);
  await expect(rows.nth(1)).toHaveAttribute('aria-selected', 'true');
  await expectAccessible(page, 'the Runs tab');
  await rows.nth(1).focus();
  await page.keyboard.press('ArrowLeft');
  await expect(rows.first()).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(rows.first()).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('ArrowLeft');
  await expect(rows).toHaveCount(1);
  await page.keyboard.press('ArrowRight');
  await expect(rows).toHaveCount(2);
  await rows.nth(1).click();
  await expect(rows.nth(1)).toHaveAttribute('aria-selected', 'true');

  await page.reload();
  await expect(window.card('Any left')).toHaveAttribute('data-status', 'ran');
  await window.tab('Runs').click();
  await expect(rows.nth(1)).toHaveAttribute('aria-selected', 'true');
  await page.getByRole('button', { name: 'other', exact: true }).click();
  await expect(page.getByText('No runs yet')).toBeVisible();
  await page.getByRole('radiogroup', { name: 'Runs of this flow or of all flows' }).getByText('All flows').click();
  await expect(rows).toHaveCount(2);

  // A flow with unsaved edits is shown as it is edited.
  await page.getByRole('button', { name: 'adding', exact: true }).first().click();
  await window.card('Add').click();
  await page.getByRole('textbox', { name: 'Title' }).fill('Add up');
  const drafts = () => readdir(join(studio.folder, '.pravah', 'drafts')).catch(() => []);
  await expect.poll(drafts).not.toEqual([]);
  await page.reload();
  await expect(window.card('Add up')).toBeVisible();
  await window.tab('Timeline').click();
  await expect(page.getByText('No run yet')).toBeVisible();
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
    run: |
      (order: any) => {
        const lines = order.lines;
        return { total: lines.length };
      }
`;

test('a failure is shown at its node and at the line of its code, until the code is changed', async ({ studio }) => {
  await writeFile(join(studio.folder, 'failing.flow.yaml'), failing);
  const window = new StudioPage(await studio.start());
  const { page } = window;
  await window.drawn(1);
  await window.run();
  await expect(window.runStatus).toHaveText('failed');
  await expect(window.card('Price it')).toContainText('Line 3: TypeError');
  await page.getByRole('button', { name: 'in Price it' }).click();
  const inspector = page.getByRole('tabpanel', { name: 'Node' });
  await expect(inspector.getByText(/^Line 3: TypeError/)).toBeVisible();
  await expect(inspector.locator('.line-numbers[class*="failedNumber"]')).toHaveText('3');
  await expectAccessible(page, 'a failed node');
  await window.writeCode('(order: any) => ({ total: 0 })');
  await expect(inspector.getByText(/^Line 3: TypeError/)).toBeHidden();
  await expect(inspector.locator('.line-numbers[class*="failedNumber"]')).toHaveCount(0);
});

const choosing = `pravah: 1
name: Choosing
input: Commits
output: Chosen
schemas:
  Commits:
    type: array
    items: { type: object }
    default: [{ id: 1, text: fix }, { id: 2, text: chore }, { id: 3, text: feat }]
  Chosen: { type: array, items: { type: object } }
nodes:
  - kind: work
    title: Choose
    from: Commits
    to: Chosen
    run: "(commits) => commits.filter(({ text }) => text !== 'chore').map((one) => ({ ...one, seen: true }))"
`;

test('the state panel shows values, and what the step changed when it is asked to', async ({ studio }) => {
  await writeFile(join(studio.folder, 'choosing.flow.yaml'), choosing);
  const window = new StudioPage(await studio.start());
  const { page } = window;
  await window.drawn(1);
  await window.run();
  await expect(window.runStatus).toHaveText('done');
  await window.tab('State').click();
  const value = page.getByRole('list', { name: 'Value of Chosen' });
  await expect(value).toContainText('{ id: 1, text: "fix", seen: true }');
  await expect(value.locator('del')).toHaveCount(0);
  await expect(value.locator('ins')).toHaveCount(0);
  await page.getByRole('radiogroup', { name: 'Values or what this step changed' }).getByText('Changes').click();
  // Commits with the same id are compared; the one left out is removed.
  await expect(value.locator(':scope > li')).toHaveCount(3);
  await expect(value.locator(':scope > li').nth(0)).toHaveAttribute('data-kind', 'changed');
  await expect(value.locator(':scope > li').nth(1)).toHaveAttribute('data-kind', 'removed');
  await expect(value.locator(':scope > li').nth(2)).toHaveAttribute('data-kind', 'changed');
  // What has changed is open: its new field can be seen.
  await expect(value.locator(':scope > li').nth(0).locator('ins')).toHaveText('true');
  await expectAccessible(page, 'the changes of a step');
});

const mails = `pravah: 1
name: Mails
input: Mails
output: Replies
schemas:
  Mails: { type: array, items: { type: string }, default: [one, two] }
  Replies: { type: array, items: { type: string } }
nodes:
  - { kind: each, title: Answer all, from: Mails, to: Replies, flow: ./a-reply.flow.yaml }
`;
const reply = `pravah: 1
name: Reply
input: Mail
output: Reply
schemas: { Mail: { type: string }, Draft: { type: string }, Reply: { type: string } }
nodes:
  - { kind: work, title: Answer, from: Mail, to: Draft, run: "(mail) => 're: ' + mail" }
  - { kind: work, title: Sign, from: Draft, to: Reply, run: "(draft) => draft + ', yours'" }
`;

test('a node inside an item shows the values of that item', async ({ studio }) => {
  await writeFile(join(studio.folder, 'a-mails.flow.yaml'), mails);
  await writeFile(join(studio.folder, 'a-reply.flow.yaml'), reply);
  const window = new StudioPage(await studio.start());
  const { page } = window;
  await window.drawn(1);
  await window.run();
  await expect(window.runStatus).toHaveText('done');
  await window.card('Answer all').click();
  await page.keyboard.press('Enter');
  await window.card('Answer').click();
  await page.getByRole('radiogroup', { name: 'Form, run or text' }).getByText('Run', { exact: true }).click();
  const run = page.getByRole('region', { name: 'Run of this node' });
  await expect(run).toContainText('two');
  await expect(run).toContainText('re: two');
  const step = page.getByRole('textbox', { name: 'Go to step' });
  await step.fill('1');
  await step.press('Enter');
  await expect(run).toContainText('re: one');
});
