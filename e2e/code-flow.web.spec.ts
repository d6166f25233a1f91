import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from './fixtures/studio.ts';
import { repository } from './fixtures/studio-process.ts';
import { expectAccessible } from './pages/accessibility.ts';
import { StudioPage } from './pages/studio-page.ts';

test('a flow in code opens once the folder is trusted, is stepped, and follows its file', async ({ studio }) => {
  await cp(join(repository, 'resources/examples/code-first'), studio.folder, { recursive: true });
  const window = new StudioPage(await studio.start());
  const { page } = window;
  await expect(page.getByText('Trust this folder to open this flow')).toBeVisible();
  await expectAccessible(page, 'a flow in code in an untrusted folder');
  await page.getByRole('button', { name: 'Trust and open' }).click();
  await window.drawn(5);

  await window.card('Sure?').click();
  await expect(page.getByText('A flow in code. Edit it in your editor; changes appear here.')).toBeVisible();
  await expect(page.locator('.monaco-editor').filter({ hasText: 'score' }).first()).toBeVisible();
  await page.getByRole('button', { name: 'Scored' }).click();
  await expectAccessible(page, 'a node of a flow in code');
  await window.card('Sure?').click();
  await page.keyboard.press('Delete');
  await expect(window.notices).toContainText('This flow is code');

  await page.keyboard.press('F10');
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: /subject/ }).fill('The site is down');
  await dialog.getByRole('textbox', { name: /mail/ }).fill('grace@example.org');
  await dialog.getByRole('button', { name: 'Step from the start' }).click();
  await window.allowIfAsked();
  await window.give('Over', 'F10');
  await expect(window.token('Asked').first()).toBeVisible();
  await window.give('Continue', 'F5');
  await expect(window.runStatus).toHaveText('done');
  await page.getByRole('tab', { name: 'State' }).click();
  await expect(page.getByRole('tabpanel', { name: 'State' })).toContainText('Dear Grace');

  const file = join(studio.folder, 'ticket-replies.flow.ts');
  const text = await readFile(file, 'utf8');
  await writeFile(file, text.replace("title: 'Sure?'", "title: 'Certain?'"));
  await expect(window.card('Certain?')).toBeVisible();
  await writeFile(file, 'export default');
  await window.tab('Problems').click();
  await expect(window.problems.first()).toContainText('Cannot load the flow');
  await expect(window.card('Certain?')).toBeVisible();
});

test('flows in code are offered once the folder is trusted, and one is added from a wire', async ({ studio }) => {
  await cp(join(repository, 'resources/examples/code-first'), studio.folder, { recursive: true });
  const schema = '{ type: object, properties: { subject: { type: string }, mail: { type: string } }, required: [subject, mail] }';
  await writeFile(
    join(studio.folder, 'a-outer.flow.yaml'),
    `pravah: 1
name: Outer
input: Start
output: Done
schemas:
  Start: ${schema}
  Done: ${schema}
nodes:
  - { kind: work, title: First, from: Start, to: Done }
`,
  );
  const window = new StudioPage(await studio.start());
  const { page } = window;
  await page.getByRole('button', { name: 'a-outer', exact: true }).first().click();
  await window.drawn(1);
  const library = page.getByRole('tabpanel', { name: 'Library' });
  await expect(library.getByRole('button', { name: 'a-outer' })).toBeVisible();
  // Code runs only in a trusted folder.
  await expect(library.getByRole('button', { name: 'ticket-replies' })).toHaveCount(0);
  await page.getByRole('button', { name: 'Trust this folder' }).click();
  await expect(library.getByRole('button', { name: 'ticket-replies' })).toBeVisible();

  const quickAdd = page.getByRole('dialog', { name: 'Add a node' });
  // The canvas gets the room of the notice about trust, so a wire that is drawn meanwhile may begin beside the port.
  await expect(async () => {
    const canvas = await page.locator('[data-canvas]').boundingBox();
    await window.dragTo(window.output('Start'), { x: (canvas?.x ?? 0) + 120, y: (canvas?.y ?? 0) + (canvas?.height ?? 0) - 90 });
    await expect(quickAdd).toBeVisible({ timeout: 2_000 });
  }).toPass();
  await quickAdd.getByRole('option', { name: /ticket-replies/ }).click();
  await page.getByRole('option', { name: /Run once/ }).click();
  await window.drawn(2);
  await expect(page.getByText('./ticket-replies.flow.ts').first()).toBeVisible();
});
