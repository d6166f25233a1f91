import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { storedTexts } from './fixtures/stored-files.ts';
import { expect, type StudioUnderTest, test } from './fixtures/studio.ts';
import { EditorPage } from './pages/editor-page.ts';

const file = 'greet.flow.yaml';
const text = `# Says hello
pravah: 1
name: Greet
input: Person
output: Greeting
schemas:
  Person: { type: object, properties: { name: { type: string } }, required: [name] }
  Greeting: { type: string }
nodes:
  - kind: work # the only one
    title: Say hello
    from: Person
    to: Greeting
    expr: '"Hello, " + name'
`;

async function open(studio: StudioUnderTest): Promise<EditorPage> {
  await writeFile(join(studio.folder, file), text);
  return reopen(studio);
}

async function reopen(studio: StudioUnderTest): Promise<EditorPage> {
  const editor = new EditorPage(await studio.start());
  await expect(editor.node('Person')).toBeVisible();
  return editor;
}

/** What the drafts of the workspace contain, all together. */
const draftsOf = async ({ folder }: StudioUnderTest): Promise<string> => (await storedTexts(join(folder, '.pravah', 'drafts'))).join('');

const onDisk = (studio: StudioUnderTest) => readFile(join(studio.folder, file), 'utf8');

test('adds a node by the keyboard, connects it by the pointer, undoes, and saves only its own lines', async ({ studio }) => {
  const editor = await open(studio);
  await editor.page.locator('.react-flow__pane').click({ position: { x: 20, y: 200 } });
  await editor.page.keyboard.press('n');
  await editor.page.keyboard.type('suspend');
  await editor.page.keyboard.press('Enter');
  await expect(editor.node('State')).toBeFocused();
  await expect(editor.status).toContainText('Not finished');

  await editor.drag(editor.output('Person'), editor.input('State'));
  await expect(editor.wire('Greeting')).toHaveCount(1);
  await editor.page.keyboard.press('Control+z');
  await expect(editor.wire('Greeting')).toHaveCount(0);
  await editor.page.keyboard.press('Control+Shift+Z');
  await expect(editor.wire('Greeting')).toHaveCount(1);

  await editor.page.keyboard.press('Control+s');
  await expect(editor.unsaved).toHaveCount(0);
  const saved = await onDisk(studio);
  expect(saved).toContain('kind: suspend');
  const lines = saved.split('\n');
  for (const line of text.split('\n').filter((kept) => !kept.includes('Greeting'))) expect(lines).toContain(line);
});

test('an edit outlives a killed process', async ({ studio }) => {
  const editor = await open(studio);
  await editor.node('Person').click();
  await editor.page.getByLabel('Title').fill('Greet warmly');
  await expect.poll(() => draftsOf(studio)).toContain('Greet warmly');
  await studio.kill();
  expect(await onDisk(studio)).toBe(text);
  const again = await reopen(studio);
  await expect(again.node('Person')).toContainText('Greet warmly');
  await expect(again.page.getByText('Restored unsaved changes')).toBeVisible();
});

test('a file that changed on disk is not overwritten before the user has seen the difference', async ({ studio }) => {
  const editor = await open(studio);
  await editor.node('Person').click();
  await editor.page.getByLabel('Title').fill('Mine');
  await writeFile(join(studio.folder, file), text.replace('Say hello', 'Theirs'));
  await expect(editor.page.getByText('Another program changed this file on disk.')).toBeVisible();
  await editor.page.keyboard.press('Control+s');
  expect(await onDisk(studio)).toContain('Theirs');
  await editor.page.getByRole('button', { name: 'Show changes' }).click();
  const dialog = editor.page.getByRole('dialog');
  await expect(dialog).toContainText('title: Theirs');
  await expect(dialog).toContainText('title: Mine');
  await dialog.getByRole('button', { name: 'Keep mine and save' }).click();
  await expect.poll(() => onDisk(studio)).toContain('title: Mine');
});

test('a wire that cannot be says why, and one dropped on empty canvas offers nodes', async ({ studio }) => {
  const editor = await open(studio);
  await editor.drag(editor.output('Person'), editor.input('Person'));
  await expect(editor.page.getByText('A node cannot produce the state that it consumes.', { exact: true })).toBeVisible();
  const box = await editor.output('Person').boundingBox();
  await editor.dragTo(editor.output('Person'), { x: (box?.x ?? 0) + 60, y: (box?.y ?? 0) + 90 });
  const menu = editor.page.getByRole('dialog', { name: 'Add a node' });
  await expect(menu).toContainText('Greeting');
  await menu.getByRole('option', { name: /^Step/ }).click();
  await expect(editor.wire('Greeting')).toHaveCount(1);
});

test('code is edited in Monaco, and what is wrong with it appears at once and leads to the node', async ({ studio }) => {
  const editor = await open(studio);
  await editor.node('Person').click();
  await editor.page.getByRole('combobox', { name: 'Action' }).click();
  await editor.page.getByRole('option', { name: 'Code', exact: true }).click();
  const code = editor.page.locator('.monaco-editor').first();
  await code.click();
  await editor.page.keyboard.press('Control+a');
  // The node's states are types: a number is no greeting, and a person has a name.
  await editor.page.keyboard.type('(person) => person.name.length');
  await expect(code.locator('.squiggly-error').first()).toBeVisible();
  await editor.page.keyboard.press('Control+a');
  await editor.page.keyboard.type('(person) => person.');
  await expect(editor.page.locator('.suggest-widget')).toContainText('name');
  await editor.page.keyboard.press('Escape');
  await editor.page.keyboard.press('Control+a');
  await editor.page.keyboard.type('(person) => {{');
  await editor.page.getByRole('tab', { name: /Problems/ }).click();
  const problem = editor.page.getByRole('list', { name: 'Problems' }).getByRole('button').first();
  await expect(problem).toContainText('bad_code');
  await editor.page.locator('.react-flow__pane').click({ position: { x: 20, y: 200 } });
  await problem.click();
  await expect(editor.page.getByLabel('Title')).toHaveValue('Say hello');
});

test('renames a state everywhere, and walks the flow with arrows', async ({ studio }) => {
  const editor = await open(studio);
  await editor.node('Person').click();
  await editor.page.keyboard.press('Shift+F2');
  await editor.page.getByLabel('State name').fill('Guest');
  await editor.page.keyboard.press('Enter');
  await expect(editor.node('Guest')).toBeVisible();
  await editor.page.keyboard.press('Control+s');
  await expect(editor.unsaved).toHaveCount(0);
  expect(await onDisk(studio)).toBe(
    text.replace('input: Person', 'input: Guest').replace('  Person:', '  Guest:').replace('from: Person', 'from: Guest'),
  );
  // The dialog has the keyboard until it has closed.
  await expect(editor.page.getByRole('dialog')).toHaveCount(0);
  await editor.node('Guest').focus();
  await editor.page.keyboard.press('w');
  await expect(editor.node('Greeting')).toBeFocused();
  await editor.page.keyboard.press('ArrowLeft');
  await expect(editor.node('Guest')).toBeFocused();
});
