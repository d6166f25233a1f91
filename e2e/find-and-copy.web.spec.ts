import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from './fixtures/studio.ts';
import { EditorPage } from './pages/editor-page.ts';

const flow = (name: string, entry: string, code: string) => `pravah: 1
name: ${name}
input: ${entry}
output: Done
schemas:
  ${entry}: { type: object }
  Done: { type: object }
nodes:
  - kind: work
    title: Work of ${name}
    from: ${entry}
    to: Done
    run: |
      (input) => {
        ${code}
        return input;
      }
`;

test('finds a line of code in another flow, and takes its node into this one', async ({ studio }) => {
  await writeFile(join(studio.folder, 'a.flow.yaml'), flow('A', 'Start', 'const here = 1;'));
  await writeFile(join(studio.folder, 'b.flow.yaml'), flow('B', 'Begin', 'const needle = 2;'));
  const editor = new EditorPage(await studio.start());
  const { page } = editor;
  await expect(editor.node('Start')).toBeVisible();

  await page.keyboard.press('Control+f');
  const dialog = page.getByRole('dialog', { name: 'Find in flows' });
  await dialog.getByLabel('Search text').fill('needle');
  await expect(dialog).toContainText('No results.');
  await dialog.getByRole('switch', { name: 'All flows' }).check();
  await expect(dialog.getByRole('option')).toHaveText([/Work of B run, line 2.*const needle = 2;/]);
  await dialog.getByLabel('Search text').press('Enter');
  await expect(editor.node('Begin')).toBeFocused();

  await page.keyboard.press('Control+c');
  await page.getByRole('navigation', { name: 'Open flows' }).getByRole('button', { name: 'a', exact: true }).click();
  await editor.node('Start').click();
  await page.keyboard.press('Control+v');
  // What the flow has of that name is not touched: the copy's end gets a name of its own.
  await expect(editor.node('Begin')).toContainText('Work of B');
  await expect(editor.node('Begin')).toContainText('Done2');
});
