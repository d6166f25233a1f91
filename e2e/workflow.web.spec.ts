import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from './fixtures/studio.ts';
import { expectAccessible } from './pages/accessibility.ts';
import { StudioPage } from './pages/studio-page.ts';

/** A workflow of PyFlow: a parallel region, then a loop of two rounds. */
const workflow = `name: pricing
description: Compares two prices and settles on one.
agents:
  - name: prices
    type: expr
    expression: '[19.5, 3]'
    output_key: prices
  - name: doubled
    type: expr
    expression: 'sum(prices) * 2'
    input_keys: [prices]
    output_key: doubled
  - name: squared
    type: expr
    expression: '[p ** 2 for p in prices]'
    input_keys: [prices]
    output_key: squared
  - name: both
    type: parallel
    sub_agents: [doubled, squared]
  - name: total
    type: expr
    expression: 'doubled + sum(squared)'
    input_keys: [doubled, squared]
    output_key: total
orchestration:
  type: sequential
  agents: [prices, both, total]
`;

test('a PyFlow workflow is drawn, stepped and run, follows its file, and becomes a flow with one click', async ({ studio }) => {
  const file = join(studio.folder, 'workflow.yaml');
  await writeFile(file, workflow);
  const window = new StudioPage(await studio.start());
  const { page } = window;
  await window.tab('Flows').click();
  const row = page.getByRole('button', { name: 'workflow.yaml PyFlow' });
  await row.click();
  const notice = page.getByRole('region', { name: 'PyFlow workflow' });
  await expect(notice).toContainText('Drawn from workflow.yaml, which is read-only here');
  await window.drawn(8);
  await expect(page.getByText('both: in parallel')).toBeVisible();
  await expectAccessible(page, 'a PyFlow workflow');

  await page.locator('.react-flow__node[data-id="doubled"]').click();
  await expect(page.getByText('A PyFlow workflow. Edit it in your editor; changes appear here.')).toBeVisible();
  await expect(page.getByText('workflow.yaml:8')).toBeVisible();
  await page.keyboard.press('Delete');
  await expect(window.notices).toContainText('This is a PyFlow workflow');
  await window.notices.getByRole('button').click();

  await window.startPaused();
  await window.step('F10', 1);
  await window.give('Continue', 'F5');
  await expect(window.runStatus).toHaveText('done');

  await writeFile(file, workflow.replace('[prices, both, total]', '[prices, both, totl]'));
  await window.tab('Problems').click();
  await expect(window.problems.first()).toContainText('workflow.yaml:28');
  await writeFile(file, workflow);
  await expect(window.problems).toHaveCount(0);

  await page.keyboard.press('Control+K');
  await page.getByRole('textbox', { name: 'Search commands' }).fill('Import a workflow');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('textbox', { name: 'Search workflows to import' })).toBeFocused();
  await page.keyboard.press('Escape');
  await notice.getByRole('button', { name: 'Import as a flow' }).click();
  const tab = page.getByRole('navigation', { name: 'Open flows' }).getByRole('button', { name: 'pricing', exact: true });
  await expect(tab).toHaveAttribute('aria-current', 'page');
  await window.drawn(8);
  await expect(notice).toHaveCount(0);
  expect(await readFile(join(studio.folder, 'pricing.flow.yaml'), 'utf8')).toContain('source: ./workflow.yaml');

  await writeFile(file, workflow.replace('sum(prices) * 2', 'sum(prices) * 3'));
  const changed = page.getByRole('region', { name: 'The workflow has changed' });
  await expect(changed).toContainText('workflow.yaml has changed since this flow was imported.');
  await expectAccessible(page, 'an imported flow whose workflow has changed');
  await changed.getByRole('button', { name: 'Update' }).click();
  await expect(changed).toHaveCount(0);
  await page.locator('.react-flow__node[data-id="doubled"]').click();
  await expect(page.getByRole('textbox', { name: 'expression' })).toHaveValue('sum(prices) * 3');
  await page.locator('.react-flow__node[data-id="total"]').click();
  await expect(page.getByRole('textbox', { name: 'expression' })).toHaveValue('doubled + sum(squared)');
  await expect(page.getByRole('textbox', { name: 'output_key' })).toHaveValue('total');
  await expect(page.getByText('written by squared')).toBeVisible();
  await expectAccessible(page, 'a node of an imported flow');

  await page.getByRole('textbox', { name: 'expression' }).fill('doubled + 1');
  await writeFile(file, workflow.replace('doubled + sum(squared)', 'doubled - 1'));
  await changed.getByRole('button', { name: 'Update' }).click();
  const conflict = page.getByRole('dialog', { name: '“total” was edited here and in the workflow' });
  await expect(conflict).toContainText('doubled - 1');
  await expectAccessible(page, 'two versions of a node');
  await conflict.getByRole('button', { name: 'Use the workflow’s' }).click();
  await expect(conflict).toHaveCount(0);
  await page.locator('.react-flow__node[data-id="total"]').click();
  await expect(page.getByRole('textbox', { name: 'expression' })).toHaveValue('doubled - 1');
});

test('an export of another tool is found in the folder, and its import says what is left out', async ({ studio }) => {
  const node = (name: string, type: string, more: object = {}) => ({ name, type: `n8n-nodes-base.${type}`, parameters: {}, ...more });
  const nodes = [node('Start', 'manualTrigger'), node('Keep', 'noOp', { retryOnFail: true, maxTries: 4 })];
  const connections = { Start: { main: [[{ node: 'Keep', type: 'main', index: 0 }]] } };
  await writeFile(join(studio.folder, 'lead.json'), JSON.stringify({ name: 'Lead', nodes, connections }, null, 1));
  const window = new StudioPage(await studio.start());
  const { page } = window;
  await page.keyboard.press('Control+K');
  await page.getByRole('textbox', { name: 'Search commands' }).fill('Import a workflow');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('textbox', { name: 'Search workflows to import' })).toBeFocused();
  await page.getByRole('button', { name: 'lead.json n8n' }).click();
  const dialog = page.getByRole('dialog', { name: 'Import of lead.json' });
  await expect(dialog).toContainText('Imported as Lead.flow.yaml');
  await expect(dialog).toContainText('“Keep” runs without retries (4 tries).');
  await expectAccessible(page, 'the findings of an import');
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await expect(page.locator('.react-flow__node').filter({ hasText: 'Keep' }).first()).toBeVisible();
});
