import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, type StudioUnderTest, test } from './fixtures/studio.ts';
import { StudioPage } from './pages/studio-page.ts';

const flow = `pravah: 1
name: Back
input: A
output: C
schemas: { A: { type: object }, B: { type: object }, C: { type: object } }
nodes:
  - { kind: work, title: First, from: A, to: B }
  - { kind: work, title: Second, from: B, to: C }
`;
/** The second card is to the left of the first: the wire leads around. */
const layout = { pravah_layout: 1, nodes: { A: { x: 500, y: 0 }, B: { x: 0, y: 0 } } };

type Recorded = { duration: number; places: { x: number; y: number }[] };

/** Steps once, and returns how tokens have moved meanwhile. */
async function movements(studio: StudioUnderTest, reducedMotion: 'reduce' | 'no-preference'): Promise<Recorded[]> {
  await writeFile(join(studio.folder, 'back.flow.yaml'), flow);
  await writeFile(join(studio.folder, 'back.layout.json'), JSON.stringify(layout));
  const window = new StudioPage(await studio.start());
  const { page } = window;
  await page.emulateMedia({ reducedMotion });
  await window.drawn(2);
  await page.evaluate(() => {
    const own = Element.prototype.animate;
    const found: Recorded[] = [];
    Object.assign(globalThis, { found });
    Element.prototype.animate = function (this: Element, frames, options) {
      if (this instanceof HTMLElement && this.dataset.token !== undefined && Array.isArray(frames) && typeof options === 'object') {
        const places = frames.map(({ transform }) => new DOMMatrix(String(transform))).map(({ e, f }) => ({ x: e, y: f }));
        found.push({ duration: Number(options.duration), places });
      }
      return own.call(this, frames, options);
    };
  });
  await window.startPaused();
  await window.step('F10', 1);
  await expect(window.token('B')).toBeVisible();
  return page.evaluate(() => (globalThis as unknown as { found: Recorded[] }).found);
}

test('a token moves along its wire, around the cards, for 120 ms', async ({ studio }) => {
  const [moved, ...more] = await movements(studio, 'no-preference');
  expect(more).toEqual([]);
  expect(moved?.duration).toBe(120);
  const places = moved?.places ?? [];
  // From the port of the first card, to the right and below it, to the token's place.
  expect(places[0]?.x).toBeGreaterThan(200);
  expect(places[0]?.y).toBeLessThan(-60);
  expect(Math.max(...places.map(({ x }) => x))).toBeGreaterThan((places[0]?.x ?? 0) + 10);
  expect(places.at(-1)).toEqual({ x: 0, y: 0 });
});

test('a token does not move if the user asks for less motion', async ({ studio }) => {
  expect(await movements(studio, 'reduce')).toEqual([]);
});

test('a token on a short wire leaves the names of the ports at its ends in sight', async ({ studio }) => {
  const text = flow.replaceAll('B', 'CheckedOrder');
  await writeFile(join(studio.folder, 'back.flow.yaml'), text);
  const beside = { pravah_layout: 1, nodes: { A: { x: 0, y: 0 }, CheckedOrder: { x: 260, y: 0 } } };
  await writeFile(join(studio.folder, 'back.layout.json'), JSON.stringify(beside));
  const window = new StudioPage(await studio.start());
  await window.drawn(2);
  await window.startPaused();
  await window.step('F10', 1);
  const token = window.token('CheckedOrder');
  await expect(token).toBeVisible();
  const covered = await token.evaluate((element) => {
    const own = element.getBoundingClientRect();
    const names = [...document.querySelectorAll('[data-port="CheckedOrder"] span')].map((name) => name.getBoundingClientRect());
    return { names: names.length, covered: names.filter((name) => name.right > own.left && name.left < own.right).length };
  });
  expect(covered).toEqual({ names: 2, covered: 0 });
});
