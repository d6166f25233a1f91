import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from './fixtures/studio.ts';
import { StudioPage } from './pages/studio-page.ts';

const count = '{ type: object, properties: { left: { type: integer }, k: { type: integer } } }';
const adding = `pravah: 1
name: Adding
input: Count
output: Sum
schemas:
  Count: ${count}
  More: ${count}
  Sum: ${count}
nodes:
  - { kind: either, title: Any left, from: Count, to: [More, Sum], run: "(c) => (c.left > 0 ? { left: c } : { right: c })" }
  - { kind: work, title: Add, from: More, to: Count, expr: "{ left: left - 1, k: k }" }
`;
const repeated = `pravah: 1
name: Repeated
input: Round
output: Done
schemas:
  Round: { type: object, properties: { k: { type: integer, default: 3 } } }
  Counts: { type: array, items: ${count} }
  Sums: { type: array, items: ${count} }
  Done: { type: object }
nodes:
  - kind: either
    title: Another round
    from: Round
    to: [Counts, Done]
    run: "({ k }) => (k > 0 ? { left: [{ left: 50 + k, k }, { left: 50 + k, k }] } : { right: {} })"
  - { kind: each, title: Add each, from: Counts, to: Sums, flow: ./adding.flow.yaml }
  - { kind: work, title: Next, from: Sums, to: Round, run: "(sums) => ({ k: sums[0].k - 1 })" }
`;

test('a chosen round or item counts alone, on the canvas and inside nested flows', async ({ studio }) => {
  await writeFile(join(studio.folder, 'adding.flow.yaml'), adding);
  await writeFile(join(studio.folder, 'a-repeated.flow.yaml'), repeated);
  const window = new StudioPage(await studio.start());
  const { page } = window;
  await window.drawn(3);
  await window.run();
  await expect(window.runStatus).toHaveText('done');
  await expect(window.card('Add each')).toContainText('3× ·');
  await expect(window.card('Next')).toContainText('3× ·');

  // The first round is not among the rows that the window has loaded.
  await window.card('Add each').click();
  const rounds = window.card('Add each').getByRole('group', { name: 'Round' });
  await rounds.getByRole('button', { name: 'Previous round' }).click();
  await expect(page.getByText('only round 2 of Add each')).toBeVisible();
  await rounds.getByRole('button', { name: 'Previous round' }).click();
  await expect(page.getByText('only round 1 of Add each')).toBeVisible();
  await expect(window.card('Add each')).toContainText('1× ·');
  await expect(window.card('Next')).not.toHaveAttribute('data-status', 'ran');

  await window.card('Add each').dblclick();
  const way = page.getByRole('navigation', { name: 'Nested in' });
  await expect(way).toContainText('item 2 of 2');
  await expect(window.card('Add')).toContainText('53× ·');
  await way.getByRole('button', { name: 'Previous item' }).click();
  await expect(way).toContainText('item 1 of 2');
  await expect(page.getByText('only item 1 of Add each')).toBeVisible();

  // A single item keeps to its round, too.
  await page.getByRole('button', { name: 'Back to latest' }).click();
  await expect(page.getByText('only item 1 of Add each')).toBeHidden();
  await expect(way).toContainText('item 2 of 2');
  // All three rounds: 53, 52 and 51.
  await expect(window.card('Add')).toContainText('156× ·');
});

test('the conversation of a chosen item is that of its own agents', async ({ studio }) => {
  const asking = `pravah: 1
name: Asking
input: Question
output: Answer
schemas:
  Question: { type: string }
  Answer: { type: object }
nodes:
  - { kind: agent, title: Ask, from: Question, to: Answer, agent: { mode: chat, model: script://turns.json } }
`;
  const outer = `pravah: 1
name: Asking all
input: Start
output: Answers
schemas:
  Start: { type: object }
  Questions: { type: array, items: { type: string } }
  Answers: { type: array }
nodes:
  - { kind: work, title: List, from: Start, to: Questions, expr: "['one', 'two']" }
  - { kind: each, title: Ask each, from: Questions, to: Answers, flow: ./asking.flow.yaml }
`;
  await writeFile(join(studio.folder, 'turns.json'), JSON.stringify({ turns: [{ text: 'first' }, { text: 'second' }] }));
  await writeFile(join(studio.folder, 'asking.flow.yaml'), asking);
  await writeFile(join(studio.folder, 'a-asking.flow.yaml'), outer);
  const window = new StudioPage(await studio.start());
  const { page } = window;
  await window.drawn(2);
  await window.run();
  await expect(window.runStatus).toHaveText('done');
  await page.getByRole('tab', { name: 'Conversation' }).click();
  const agents = page.getByRole('radiogroup', { name: 'Agent' });
  await expect(agents.getByRole('radio')).toHaveCount(2);

  await page.getByRole('tab', { name: 'Timeline' }).click();
  await page.getByRole('button', { name: 'Rounds in the timeline' }).click();
  await page.getByRole('menuitem', { name: 'Fold rounds' }).click();
  const list = page.getByRole('listbox', { name: 'Transitions' });
  await list.getByRole('option').filter({ hasText: 'Item 2 · Ask each' }).click();
  await expect(page.getByText('only item 2 of Ask each')).toBeVisible();
  await page.getByRole('tab', { name: 'Conversation' }).click();
  await expect(page.getByRole('log').getByText('one', { exact: true })).toHaveCount(0);
  await expect(agents).toHaveCount(0);
  await expect(page.getByRole('log')).toContainText('two');
  await page.getByRole('button', { name: 'All rounds' }).click();
  await expect(agents.getByRole('radio')).toHaveCount(2);
});

test('an open round shows the steps that follow, until the next one begins', async ({ studio }) => {
  const withDefault = count.replaceAll('type: integer', 'type: integer, default: 3');
  await writeFile(join(studio.folder, 'adding.flow.yaml'), adding.replace(`Count: ${count}`, `Count: ${withDefault}`));
  const window = new StudioPage(await studio.start());
  const { page } = window;
  await window.drawn(2);
  await window.startPaused();
  for (let step = 1; step <= 3; step++) await window.step('F11', step);
  await page.getByRole('button', { name: 'Rounds in the timeline' }).click();
  await page.getByRole('menuitem', { name: 'Fold rounds' }).click();
  const list = page.getByRole('listbox', { name: 'Transitions' });
  const rows = list.getByRole('option');
  await rows.filter({ hasText: 'Round 2' }).click();
  await expect(rows).toHaveText([/Input/, /Round 1/, /Round 2/, /^3.*Any left/]);
  await page.keyboard.press('F11');
  await expect(rows).toHaveText([/Input/, /Round 1/, /Round 2/, /^3.*Any left/, /^4.*Add/]);
  await page.keyboard.press('F11');
  await expect(rows).toHaveText([/Input/, /Round 1/, /Round 2/, /^3.*Any left/, /^4.*Add/, /Round 3/]);
});
