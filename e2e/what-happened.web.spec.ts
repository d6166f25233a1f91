import { writeFile } from 'node:fs/promises';
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
  await expect(run.getByRole('list', { name: 'Value of More' })).toContainText('left1');
  await expect(run.getByRole('list', { name: 'Value of Count' })).toContainText('sum210');
  await expect(run).toContainText('adding 1');
  await expect(run).toContainText('time');
  await run.getByRole('button', { name: 'Previous round' }).click();
  await expect(round).toHaveText('19 of 20');
  await expect(run).toContainText('adding 2');
  // Choosing a round shows the whole run as it was then.
  await expect(page.getByText('You are viewing step 38 of 41')).toBeVisible();
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
