import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, type StudioUnderTest, test } from './fixtures/studio.ts';
import { StudioPage } from './pages/studio-page.ts';

const file = '{ type: object, properties: { path: { type: string } }, required: [path] }';
const flow = `pravah: 1
name: Files
input: File
output: Done
schemas:
  File: ${file}
  Found: ${file}
  Wanted: ${file}
  Other: { type: string }
  Done: { type: object }
nodes:
  - { kind: work, title: Find, from: File, to: Found }
  - { kind: join, title: Both, from: [Wanted, Other], to: Done }
`;
const layout = { pravah_layout: 1, nodes: { File: { x: 0, y: 0 }, 'Wanted+Other': { x: 420, y: 0 } } };
const other = (input: string) => `pravah: 1
name: Other
input: In
output: Out
schemas: { In: ${input}, Out: { type: object } }
nodes:
  - { kind: work, from: In, to: Out }
`;

async function open(studio: StudioUnderTest): Promise<StudioPage> {
  await writeFile(join(studio.folder, 'files.flow.yaml'), flow);
  await writeFile(join(studio.folder, 'files.layout.json'), JSON.stringify(layout));
  await writeFile(join(studio.folder, 'zz-fits.flow.yaml'), other(file));
  await writeFile(join(studio.folder, 'zz-text.flow.yaml'), other('{ type: string }'));
  const window = new StudioPage(await studio.start());
  await window.drawn(2);
  return window;
}

test('a wire dropped on the canvas offers what fits, best first, and finds the rest by name with the reason', async ({ studio }) => {
  const window = await open(studio);
  const { page } = window;
  const canvas = await page.locator('[data-canvas]').boundingBox();
  const empty = { x: (canvas?.x ?? 0) + 120, y: (canvas?.y ?? 0) + (canvas?.height ?? 0) - 90 };
  await window.dragTo(window.output('File'), empty);
  const menu = page.getByRole('dialog', { name: 'Add a node' });
  const options = menu.getByRole('option');
  await expect(options.first()).toContainText('Wanted of Both');
  await expect(options.nth(1)).toContainText('Step');
  await expect(menu.getByRole('option', { name: /zz-fits/ })).toBeVisible();
  await expect(menu.getByRole('option', { name: /zz-text/ })).toHaveCount(0);
  await expect(menu.getByRole('option', { name: /Other of Both/ })).toHaveCount(0);
  // Tools whose required fields the state fills come before those that need more.
  const tools = await menu.locator('[role="option"] code').allTextContents();
  expect(tools.indexOf('read_file')).toBeLessThan(tools.indexOf('write_file'));
  await expect(menu.getByRole('option', { name: /write_file/ })).toContainText('content may be missing');
  await page.keyboard.type('zz-text');
  await expect(menu.getByRole('option', { name: /zz-text/ })).toContainText('It takes string, not object.');
  await page.keyboard.press('Control+a');
  await page.keyboard.type('read_file');
  await page.keyboard.press('Enter');
  await window.drawn(3);
  await page.getByRole('tab', { name: 'Node' }).click();
  await expect(page.getByRole('complementary', { name: 'Inspector' })).toContainText('{path}');
  await page.locator('[data-canvas]').focus();
  await page.keyboard.press('Control+z');
  await window.drawn(2);

  await window.dragTo(window.output('File'), empty);
  await expect(options.first()).toContainText('Wanted of Both');
  await page.keyboard.press('Enter');
  await expect(page.locator('.react-flow__edge')).toHaveCount(1);
});

test('a wire dropped on a card takes its only open input, or asks which, and works backwards', async ({ studio }) => {
  const window = await open(studio);
  const { page } = window;
  // Other is a string: only Wanted can be connected.
  const title = await window.card('Both').getByTitle('Both').boundingBox();
  await window.dragTo(window.output('File'), { x: (title?.x ?? 0) + 10, y: (title?.y ?? 0) + 8 });
  await expect(page.locator('.react-flow__edge')).toHaveCount(1);
  await page.locator('[data-canvas]').focus();
  await page.keyboard.press('Control+z');
  await expect(page.locator('.react-flow__edge')).toHaveCount(0);

  const canvas = await page.locator('[data-canvas]').boundingBox();
  const input = page.locator('.react-flow__node').last().locator('.react-flow__handle.target').first();
  await window.dragTo(input, { x: (canvas?.x ?? 0) + 200, y: (canvas?.y ?? 0) + (canvas?.height ?? 0) - 90 });
  const menu = page.getByRole('dialog', { name: 'Add a node' });
  await expect(menu).toContainText('Produces Wanted');
  await expect(menu.getByRole('option').first()).toContainText('Found of Find');
  await page.keyboard.press('Enter');
  await expect(page.locator('.react-flow__edge')).toHaveCount(1);

  // A node dropped on the wire goes into it.
  const wire = await page.locator('.react-flow__edge path').first().boundingBox();
  await page.getByRole('button', { name: /^Expression/ }).dragTo(page.locator('[data-canvas]'), {
    targetPosition: {
      x: (wire?.x ?? 0) + (wire?.width ?? 0) / 2 - (canvas?.x ?? 0),
      y: (wire?.y ?? 0) + (wire?.height ?? 0) / 2 - (canvas?.y ?? 0),
    },
  });
  await window.drawn(3);
  await expect(page.locator('.react-flow__edge')).toHaveCount(2);
});
