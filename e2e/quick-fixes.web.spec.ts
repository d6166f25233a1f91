import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, type StudioUnderTest, test } from './fixtures/studio.ts';
import { StudioPage } from './pages/studio-page.ts';

const text = `pravah: 1
name: Letters
input: Draft
output: Letter
schemas:
  Draft: { type: object }
  Checked: { type: object }
  Letter: { type: object }
nodes:
  - { kind: work, title: Check, from: Draft, to: Checked }
  - { kind: work, title: Sign, from: Checked, to: Letter }
`;

async function open(studio: StudioUnderTest, content = text): Promise<StudioPage> {
  await writeFile(join(studio.folder, 'letters.flow.yaml'), content);
  const window = new StudioPage(await studio.start());
  await window.drawn(2);
  return window;
}

const saved = async (window: StudioPage, studio: StudioUnderTest) => {
  await window.page.keyboard.press('Control+s');
  await expect(window.unsaved).toHaveCount(0);
  return readFile(join(studio.folder, 'letters.flow.yaml'), 'utf8');
};

test('the end of a flow moves along with a node that is added behind it, in one step of undo', async ({ studio }) => {
  const window = await open(studio);
  const { page } = window;
  await window.card('Sign').click();
  await page.keyboard.press('a');
  await window.drawn(3);
  await expect(window.status).toContainText('No problems');
  expect(await saved(window, studio)).toContain('output: Result');
  await page.keyboard.press('Control+z');
  await window.counted(2);
  expect(await saved(window, studio)).toBe(text);

  // The library's click goes to the same end, and deleting the last node leads back.
  await window.card('Sign').click();
  await page.getByRole('tab', { name: 'Library' }).click();
  await page.getByRole('button', { name: /^Code/ }).click();
  await window.drawn(3);
  await expect(window.status).toContainText('No problems');
  const longer = await saved(window, studio);
  expect(longer).toContain('output: Result');
  expect(longer).toContain('run: (letter, ctx) =>');
  await page.keyboard.press('Delete');
  await window.counted(2);
  await expect(window.status).toContainText('No problems');
});

test('a problem is fixed from its row and from the inspector, and what is not finished still keeps a flow from running', async ({
  studio,
}) => {
  const window = await open(studio, text.replace('output: Letter', 'output: Checked'));
  const { page } = window;
  await expect(window.status).toContainText('Not finished: 1 problem');
  await expect(window.card('Sign').getByLabel('Not finished')).toBeVisible();
  await page.keyboard.press('F5');
  const dialog = page.getByRole('dialog', { name: 'Start a run' });
  await expect(dialog).toContainText('before running');
  await page.keyboard.press('Escape');

  await window.tab('Problems').click();
  await page.getByRole('list', { name: 'Problems' }).getByRole('button', { name: 'Make Letter the output', exact: true }).press('Enter');
  await expect(window.status).toContainText('No problems');
  await page.keyboard.press('Control+z');
  await expect(window.status).toContainText('Not finished');

  await window.card('Sign').click();
  await page.getByRole('tab', { name: 'Node' }).click();
  await page.getByRole('tabpanel', { name: 'Node' }).getByRole('button', { name: 'Make Letter the output' }).click();
  await expect(window.status).toContainText('No problems');
  expect(await saved(window, studio)).toBe(text);
});

test('a title is edited on its card by F2 and by a double click, and a state is renamed by its own key', async ({ studio }) => {
  const window = await open(studio);
  const { page } = window;
  const field = page.getByRole('textbox', { name: 'Node title' });
  await window.card('Check').click();
  await page.keyboard.press('F2');
  await expect(field).toBeFocused();
  await page.keyboard.type('Check the words');
  await page.keyboard.press('Enter');
  await expect(field).toHaveCount(0);
  await expect(window.node('Draft')).toBeFocused();
  await expect(window.card('Check the words')).toBeVisible();

  await window.card('Sign').getByTitle('Sign', { exact: true }).dblclick();
  await expect(field).toHaveValue('Sign');
  await expect(field).toBeFocused();
  await page.keyboard.type('Nothing');
  await page.keyboard.press('Escape');
  await expect(window.card('Sign')).toBeVisible();
  await window.card('Sign').getByTitle('Sign', { exact: true }).dblclick();
  await expect(field).toBeFocused();
  await field.fill('Sign it');
  await page.locator('.react-flow__pane').click({ position: { x: 20, y: 200 } });
  await expect(window.card('Sign it')).toBeVisible();

  await page.getByRole('tab', { name: 'Outline' }).click();
  await page.getByRole('treeitem', { name: /^Sign it/ }).focus();
  await page.keyboard.press('F2');
  await expect(field).toBeFocused();
  await page.keyboard.press('Escape');

  await window.node('Checked').focus();
  await page.keyboard.press('Shift+F2');
  const name = page.getByRole('textbox', { name: 'State name' });
  await expect(name).toHaveValue('Checked');
  await name.fill('Read');
  await page.keyboard.press('Enter');
  await expect(window.node('Read')).toBeVisible();
  await window
    .node('Read')
    .getByTitle(/^Letter/)
    .dblclick();
  await expect(name).toHaveValue('Letter');
  await page.keyboard.press('Escape');
  expect(await saved(window, studio)).toContain('{ kind: work, title: Sign it, from: Read, to: Letter }');
});
