import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from './fixtures/studio.ts';
import { EditorPage } from './pages/editor-page.ts';

const text = `pravah: 1
name: Letters
input: Draft
output: Sent
schemas:
  Draft: { type: object, properties: { body: { type: string } }, required: [body] }
  Checked: { type: object }
  Signed: { type: object }
  Sent: { type: object }
nodes:
  - kind: work
    title: Check the words
    from: Draft
    to: Checked
    run: |
      (draft) => {
        const unwanted = /utterly/;
        return { ...draft, clean: !unwanted.test(draft.body) };
      }
  - kind: work
    title: Sign
    from: Checked
    to: Signed
  - kind: work
    title: Send
    from: Signed
    to: Sent
`;

test('nodes become a nested flow, which is gone into and out of, and the history takes it back', async ({ studio }) => {
  await writeFile(join(studio.folder, 'letters.flow.yaml'), text);
  const editor = new EditorPage(await studio.start());
  const { page } = editor;
  await editor.node('Draft').click();
  await editor.node('Checked').click({ modifiers: ['Control'] });
  const bar = page.getByRole('toolbar', { name: 'Selected nodes' });
  await expect(bar).toContainText('2 selected');
  await bar.getByRole('button', { name: 'Align left' }).click();

  await page.keyboard.press('Control+Shift+E');
  await page.getByRole('dialog').getByLabel('Name').fill('Prepare a letter');
  await page.keyboard.press('Enter');
  const nested = page.locator('.react-flow__node [data-kind="flow"]');
  await expect(nested).toBeVisible();
  await expect(editor.node('Checked')).toHaveCount(0);
  await expect(page.getByText('Always completes')).toBeVisible();
  expect(await readFile(join(studio.folder, 'prepare-a-letter.flow.yaml'), 'utf8')).toContain('const unwanted');

  await nested.dblclick();
  await expect(editor.node('Checked')).toBeVisible();
  const way = page.getByRole('navigation', { name: 'Nested in' });
  await expect(way).toContainText('letters');
  await page.keyboard.press('Alt+ArrowUp');
  await expect(way).toHaveCount(0);
  await expect(nested).toBeVisible();

  await page.keyboard.press('Control+Alt+z');
  const steps = page.getByRole('listbox', { name: 'Steps' });
  await expect(steps.getByRole('option')).toHaveText([/As opened/, /Align left/, /Make prepare-a-letter.flow.yaml of 2 nodes/]);
  await steps.getByRole('option', { name: 'As opened' }).click();
  await expect(editor.node('Checked')).toHaveCount(1);
  await expect(nested).toHaveCount(0);
});
