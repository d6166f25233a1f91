import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from './fixtures/studio.ts';
import { expectAccessible } from './pages/accessibility.ts';
import { StudioPage } from './pages/studio-page.ts';

const grading = `pravah: 1
name: Grading
input: Essay
output: Saved
schemas:
  Essay: { type: object }
  Graded: { type: object, properties: { grade: { type: string } }, required: [grade] }
  Saved: { type: object }
nodes:
  - { kind: agent, title: Grade it, from: Essay, to: Graded, agent: { model: "script://one.json", prompt: Grade it. } }
  - { kind: work, title: Save it, from: Graded, to: Saved, tool: write_file, with: { path: grade.txt, content: "{grade}" } }
`;
const script = (grade: string) => JSON.stringify({ turns: [{ output: { grade }, usage: { tokens_in: 100, tokens_out: 10 } }] });

test('variants of a run are entered, run in copies of the folder, compared, and found again after a reload', async ({ studio }) => {
  await writeFile(join(studio.folder, 'grading.flow.yaml'), grading);
  await writeFile(join(studio.folder, 'one.json'), script('B'));
  await writeFile(join(studio.folder, 'two.json'), script('A+'));
  const window = new StudioPage(await studio.start());
  const { page } = window;
  await window.drawn(2);
  await window.run();
  await expect(window.runStatus).toHaveText('done');
  await writeFile(join(studio.folder, 'grade.txt'), 'mine');

  await window.transitions.first().click();
  await page.getByRole('button', { name: 'More about this run' }).click();
  await page.getByRole('menuitem', { name: 'What-if matrix from step 0…' }).click();
  const dialog = page.getByRole('dialog', { name: /^What if: from the start of run/ });
  await expect(dialog).toContainText('Nothing varies yet.');
  await expect(dialog.getByRole('button', { name: 'Run 0 variants' })).toBeDisabled();
  await dialog
    .getByRole('combobox', { name: 'Model 1' })
    .or(dialog.getByRole('textbox', { name: 'Model 1' }))
    .fill('script://one.json');
  await dialog.getByRole('button', { name: 'Add a model' }).click();
  await dialog
    .getByRole('combobox', { name: 'Model 2' })
    .or(dialog.getByRole('textbox', { name: 'Model 2' }))
    .fill('script://two.json');
  await dialog.getByRole('button', { name: 'Add a prompt of Grade it' }).click();
  await dialog.getByRole('textbox', { name: 'Prompt of Grade it, 1' }).fill('Grade it strictly.');
  await expect(dialog).toContainText('If each uses what this run did: 2 model calls, 220 tokens.');
  await expect(dialog).toContainText('because it can change files: write_file');
  await dialog.getByRole('button', { name: 'Add a limit' }).click();
  await dialog.getByLabel('Limit 1, value').fill('5');
  await dialog.getByRole('button', { name: 'Add a value of Essay' }).click();
  const value = dialog.getByRole('textbox', { name: 'Value of Essay, 1' });
  await value.fill('{ "topic"');
  await expect(dialog.getByRole('button', { name: 'Run 2 variants' })).toBeDisabled();
  await value.fill('{ "topic": "rain" }');
  await expect(dialog.getByRole('button', { name: 'Run 2 variants' })).toBeEnabled();
  await expectAccessible(page, 'the dialog of a matrix');
  await dialog.getByRole('button', { name: 'Run 2 variants' }).click();

  const table = page.getByRole('table', { name: 'Variants' });
  await expect(page.getByText('2 of 2 done')).toBeVisible();
  const rows = table.getByRole('row');
  await expect(rows.nth(1)).toContainText('original');
  await expect(rows.nth(2)).toContainText(/script:\/\/one\.json, Grade it: new prompt, Grade it: turns 5, new Essay.*done.*110/);
  await expect(rows.nth(3)).toContainText(/script:\/\/two\.json, Grade it: new prompt, Grade it: turns 5, new Essay.*done.*110/);
  await expectAccessible(page, 'a matrix');
  expect(await readFile(join(studio.folder, 'grade.txt'), 'utf8')).toBe('mine');

  // A variant's name compares it with the original.
  await rows
    .nth(3)
    .getByRole('button', { name: /^script:\/\/two\.json/ })
    .click();
  const lines = page.getByRole('listbox', { name: 'Steps of both runs' }).getByRole('option');
  await expect(lines.filter({ hasText: 'First difference' })).toHaveCount(1);
  await expect(page.getByRole('group', { name: 'Differences of the step' })).toContainText('rain');

  await page.reload();
  await window.drawn(2);
  await window.tab('Runs').click();
  await page
    .getByRole('treegrid')
    .getByRole('row')
    .filter({ hasText: '“script://two.json, Grade it: new prompt, Grade it: turns 5, new Essay” of' })
    .click();
  await expect(window.runStatus).toHaveText('done');
  await page.getByRole('button', { name: 'More about this run' }).click();
  await page.getByRole('menuitem', { name: 'Show what-if matrix' }).click();
  await expect(page.getByText('2 of 2 done')).toBeVisible();
  await expect(table.getByRole('row')).toHaveCount(4);
});
