import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, type StudioUnderTest, test } from './fixtures/studio.ts';
import { StudioPage } from './pages/studio-page.ts';

const flow = (schemas: string) => `pravah: 1
name: Files
input: File
output: Done
schemas: { File: { type: object }, Found: { type: object, properties: { n: { type: integer } } }, Done: { type: object }${schemas} }
nodes:
  - { kind: work, title: Find, from: File, to: Found }
  - { kind: work, title: Finish, from: Found, to: Done }
  - { kind: work, title: Check, from: In, to: Out }
`;
const layout = { pravah_layout: 1, nodes: { File: { x: 0, y: 0 }, Found: { x: 560, y: 0 }, In: { x: 300, y: 200 } } };

async function open(studio: StudioUnderTest, schemas: string): Promise<StudioPage> {
  await writeFile(join(studio.folder, 'files.flow.yaml'), flow(schemas));
  await writeFile(join(studio.folder, 'files.layout.json'), JSON.stringify(layout));
  const window = new StudioPage(await studio.start());
  await window.drawn(3);
  return window;
}

/** Drags a card by its middle onto the middle of the only wire. */
async function dragOntoWire(window: StudioPage, card: string, drop = true): Promise<void> {
  const { page } = window;
  const label = await page.locator('[data-wire]').boundingBox();
  const from = await window.card(card).boundingBox();
  if (!label || !from) throw new Error('The wire or the card is not drawn.');
  const [x, y] = [label.x + label.width / 2, label.y + label.height / 2];
  await page.mouse.move(from.x + from.width / 2, from.y + 12);
  await page.mouse.down();
  await page.mouse.move(x, y + 30, { steps: 5 });
  await page.mouse.move(x, y, { steps: 3 });
  if (drop) await page.mouse.up();
}

test('a card without wires that is dropped on a wire goes into it, as one step of undo', async ({ studio }) => {
  const window = await open(studio, ', In: { type: object }, Out: { type: object }');
  const { page } = window;
  const wires = page.locator('.react-flow__edge');
  await expect(wires).toHaveCount(1);
  const finish = await window.card('Finish').boundingBox();
  await dragOntoWire(window, 'Check', false);
  await expect(page.locator('[data-drop-wire]')).toBeAttached();
  await page.mouse.up();
  await expect(page.locator('[data-drop-wire]')).toHaveCount(0);
  await expect(wires).toHaveCount(2);
  await expect(window.status).toContainText('No problems');
  expect((await window.card('Finish').boundingBox())?.x).toBeCloseTo(finish?.x ?? 0, 0);
  await expect(page.getByRole('status').filter({ hasText: 'Insert into Found' })).toBeAttached();

  await page.keyboard.press('Control+z');
  await expect(wires).toHaveCount(1);
  await expect.poll(async () => (await window.card('Check').boundingBox())?.y).toBeGreaterThan((finish?.y ?? 0) + 60);

  await page.keyboard.press('Control+Shift+z');
  await expect(wires).toHaveCount(2);
});

test('a card that does not fit into a wire is moved, and the studio says why', async ({ studio }) => {
  const window = await open(studio, ', In: { type: string }, Out: { type: object }');
  await dragOntoWire(window, 'Check');
  await expect(window.notices).toContainText('This node cannot be inserted here');
  await expect(window.notices).toContainText('Found does not fit In');
  await expect(window.page.locator('.react-flow__edge')).toHaveCount(1);
});

test('a node that is added into a wire leaves the cards at both ends where they are', async ({ studio }) => {
  const window = await open(studio, ', In: { type: object }, Out: { type: object }');
  const { page } = window;
  const places = async () => [await window.card('Find').boundingBox(), await window.card('Finish').boundingBox()];
  const before = await places();
  await page.locator('[data-wire]').click({ button: 'right', force: true });
  await page.getByRole('menuitem', { name: /Add a node into it/ }).click();
  await page.getByRole('dialog', { name: 'Add a node' }).getByRole('option', { name: /^Step/ }).first().click();
  await expect(window.nodes).toHaveCount(4);
  await expect(page.locator('.react-flow__edge')).toHaveCount(2);
  expect(await places()).toEqual(before);
});
