import type { Locator, Page } from '@playwright/test';
import { expect, test } from './fixtures/studio.ts';
import { expectAccessible } from './pages/accessibility.ts';
import { drawn, middleOf, opensFar, surface } from './pages/far-canvas.ts';

const drawings = async (page: Page): Promise<number> => Number(await surface(page).getAttribute('data-drawn'));
const selected = (page: Page): Locator => page.locator('.react-flow__node.selected');

/** Counts what changes in the page below the cards and wires while `act` runs. */
async function changesOfCards(page: Page, act: () => Promise<void>): Promise<number> {
  await page.evaluate(() => {
    const counted = window as unknown as { changes: number; observer: MutationObserver };
    counted.changes = 0;
    counted.observer = new MutationObserver((records) => {
      counted.changes += records.length;
    });
    for (const part of document.querySelectorAll('.react-flow__nodes, .react-flow__edges')) {
      counted.observer.observe(part, { subtree: true, childList: true, attributes: true, characterData: true });
    }
  });
  await act();
  return page.evaluate(() => {
    const counted = window as unknown as { changes: number; observer: MutationObserver };
    counted.observer.disconnect();
    return counted.changes;
  });
}

async function pan(page: Page, x: number, y: number): Promise<void> {
  for (let turn = 0; turn < 5; turn++) {
    await page.mouse.wheel(x / 5, y / 5);
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
  }
}

test('from far away all cards are one surface, which is drawn once for each level and not while it is moved', async ({ studio }) => {
  const window = await opensFar(studio, 300);
  const { page } = window;
  await expect(surface(page)).toHaveAttribute('data-surface', 'blocks');
  await expect.poll(() => window.nodes.count()).toBeLessThanOrEqual(2);
  await expectAccessible(page, 'the surface');

  const frame = await page.locator('[data-canvas]').boundingBox();
  if (!frame) throw new Error('There is no canvas.');
  await page.mouse.move(frame.x + frame.width / 2, frame.y + frame.height - 12);
  const before = await drawings(page);
  expect(await changesOfCards(page, () => pan(page, 120, 80))).toBe(0);
  expect(await drawings(page)).toBe(before);

  for (let turn = 0; turn < 5; turn++) await page.getByRole('button', { name: 'Zoom out' }).click();
  await expect(surface(page)).toHaveAttribute('data-surface', 'map');
  await page.keyboard.press('Control+0');
  await expect(surface(page)).toHaveCount(0);
  await expect(window.nodes.first()).toBeVisible();
});

test('within a level a movement of whole cards renders none of those that stay', async ({ studio }) => {
  const { page, nodes } = await opensFar(studio, 6);
  await page.keyboard.press('Control+0');
  for (let turn = 0; turn < 3; turn++) await page.getByRole('button', { name: 'Zoom out' }).click();
  await expect(page.locator('[data-detail="titles"]')).toBeVisible();
  await expect(nodes).toHaveCount(6);
  const frame = await page.locator('[data-canvas]').boundingBox();
  await page.mouse.move((frame?.x ?? 0) + 300, (frame?.y ?? 0) + (frame?.height ?? 0) - 12);
  expect(await changesOfCards(page, () => pan(page, 0, -20))).toBe(0);
});

test('turns of the wheel replace no cards before the zoom rests', async ({ studio }) => {
  const { page } = await opensFar(studio, 6);
  await page.keyboard.press('Control+0');
  await expect(page.locator('[data-detail="full"]')).toBeVisible();
  const during = await page.evaluate(async () => {
    const pane = document.querySelector('.react-flow__pane');
    const frame = pane?.getBoundingClientRect();
    if (!pane || !frame) throw new Error('There is no canvas.');
    const [clientX, clientY] = [frame.left + frame.width / 2, frame.top + frame.height / 2];
    // In one task, so that a busy machine does not make the zoom rest in between.
    for (let turn = 0; turn < 18; turn += 1)
      pane.dispatchEvent(
        new WheelEvent('wheel', { bubbles: true, cancelable: true, view: window, clientX, clientY, deltaY: 20, ctrlKey: true }),
      );
    await Promise.resolve();
    const zoom = Number(/scale\((.+?)\)/.exec(document.querySelector<HTMLElement>('.react-flow__viewport')?.style.transform ?? '')?.[1]);
    return { zoom, level: document.querySelector('[data-detail]')?.getAttribute('data-detail') };
  });
  expect(during.zoom).toBeLessThan(0.7);
  expect(during.level).toBe('full');
  await expect(page.locator('[data-detail="titles"]')).toBeVisible();
});

test('the dots are painted a few times while the canvas is zoomed, and as they are when the zoom rests', async ({ studio }) => {
  const { page } = await opensFar(studio, 6);
  await page.keyboard.press('Control+0');
  const dots = page.locator('[data-dots]');
  await expect(dots).toHaveCSS('background-size', '20px 20px');
  const painted = await page.evaluate(() => {
    const pane = document.querySelector('.react-flow__pane');
    const grid = document.querySelector<HTMLElement>('[data-dots]');
    const frame = pane?.getBoundingClientRect();
    if (!pane || !grid || !frame) throw new Error('There is no canvas.');
    const [clientX, clientY] = [frame.left + frame.width / 2, frame.top + frame.height / 2];
    const sizes = new Set<string>();
    const gaps: boolean[] = [];
    for (let turn = 0; turn < 18; turn += 1) {
      pane.dispatchEvent(
        new WheelEvent('wheel', { bubbles: true, cancelable: true, view: window, clientX, clientY, deltaY: 8, ctrlKey: true }),
      );
      sizes.add(grid.style.backgroundSize);
      const { left, top, right, bottom } = grid.getBoundingClientRect();
      gaps.push(left > frame.left || top > frame.top || right < frame.right || bottom < frame.bottom);
    }
    return { sizes: sizes.size, isFilled: !gaps.includes(true) };
  });
  expect(painted.sizes).toBeLessThan(9);
  expect(painted.isFilled).toBe(true);
  await expect.poll(() => dots.evaluate(({ style }) => style.transform)).toMatch(/ scale\(1\)$/);
});

test('cards on the surface can be pointed at, selected, dragged and gone to', async ({ studio }) => {
  const window = await opensFar(studio, 300);
  const { page } = window;
  await expect(surface(page)).toBeVisible();
  const at = await middleOf(page, 47);
  await page.mouse.move(at.x, at.y);
  await expect(window.node('S47')).toBeVisible();
  await expect(window.node('S47').getByText('Step 47')).toBeVisible();
  await page.mouse.click(at.x, at.y);
  await expect(selected(page)).toHaveAttribute('data-id', 'S47');
  await expect(page.getByLabel('Title')).toHaveValue('Step 47');

  // A box around the second and third row of four columns; the pointer starts between two cards.
  const [from, to] = [await middleOf(page, 20), await middleOf(page, 43)];
  await page.mouse.move(from.x - 4, from.y - 12);
  await page.mouse.move(from.x - 26, from.y - 12);
  await page.mouse.down();
  await page.mouse.move(to.x, to.y, { steps: 5 });
  await page.mouse.up();
  await expect(page.getByRole('toolbar').getByText('8 selected')).toBeVisible();

  const grip = await middleOf(page, 22);
  await page.mouse.move(grip.x, grip.y);
  await expect(window.node('S22')).toBeVisible();
  await page.mouse.down();
  await page.mouse.move(grip.x + 10, grip.y + 60, { steps: 4 });
  await page.mouse.move(grip.x + 10, grip.y + 90, { steps: 4 });
  await page.mouse.up();
  await expect(window.unsaved).toBeVisible();
  const moved = await window.node('S22').boundingBox();
  expect(moved?.y).toBeGreaterThan(grip.y + 40);

  const far = await middleOf(page, 250);
  await page.mouse.move(far.x, far.y);
  await expect(window.node('S250')).toBeVisible();
  await page.mouse.dblclick(far.x, far.y);
  await expect(page.getByRole('button', { name: '80 %' })).toBeVisible();
  await expect(window.card('Step 250')).toBeInViewport();
});

test('the outline and the arrows reach every node of the surface', async ({ studio }) => {
  const window = await opensFar(studio, 300);
  const { page } = window;
  await expect(surface(page)).toBeVisible();
  await window.node('S0').focus();
  await page.keyboard.press('ArrowRight');
  await expect(window.node('S1')).toBeFocused();
  await expect(window.card('Step 1')).toBeInViewport();
});

test('cards stay mounted where the system asks for contrast, unless the flow is large', async ({ studio }) => {
  const { page, nodes } = await opensFar(studio, 120);
  await expect(surface(page)).toBeVisible();
  await page.emulateMedia({ forcedColors: 'active' });
  await expect(surface(page)).toHaveCount(0);
  await expect(nodes).toHaveCount(120);
});

test('ports are hit within 20 pixels at every zoom that has them', async ({ studio }) => {
  const { page } = await opensFar(studio, 3);
  for (const turns of [0, 2, 3]) {
    await page.keyboard.press('Control+0');
    for (let turn = 0; turn < turns; turn++) await page.getByRole('button', { name: 'Zoom out' }).click();
    const handle = page.locator('.react-flow__node[data-id="S1"] .react-flow__handle.source');
    await expect(handle).toBeVisible();
    await expect
      .poll(() =>
        handle.evaluate((element) => {
          const { x, y, width, height } = element.getBoundingClientRect();
          const offsets = [-9, 9].flatMap((dx) => [-9, 9].map((dy) => [dx, dy] as const));
          return offsets.every(([dx, dy]) => document.elementFromPoint(x + width / 2 + dx, y + height / 2 + dy) === element);
        }),
      )
      .toBe(true);
  }
});

test('only the card under the pointer has a spot for a breakpoint and handles that listen', async ({ studio }) => {
  const window = await opensFar(studio, 3);
  const { page } = window;
  await page.keyboard.press('Control+0');
  const handle = (key: string) => window.node(key).locator('.react-flow__handle.source');
  await expect(handle('S1')).toBeVisible();
  const kept = await Promise.all(['S0', 'S1'].map((key) => handle(key).elementHandle()));
  const isKept = () => Promise.all(kept.map((element) => element?.evaluate(({ isConnected }) => isConnected)));
  const spots = page.getByRole('button', { name: 'Set a breakpoint (F9)' });
  await expect(spots).toHaveCount(0);
  await window.node('S1').hover();
  await expect(spots).toHaveCount(1);
  // React Flow's own handle has taken the place of the one that only looks like it.
  expect(await isKept()).toEqual([true, false]);
  // A wire can end at every card.
  await handle('S1').hover();
  await page.mouse.down();
  await window.node('S2').hover({ position: { x: 100, y: 10 } });
  await expect.poll(isKept).toEqual([false, false]);
  await page.keyboard.press('Escape');
  await page.mouse.up();
});

test('breakpoints and the selection are drawn on the surface at both levels', async ({ studio }) => {
  const window = await opensFar(studio, 300);
  const { page } = window;
  await expect(surface(page)).toHaveAttribute('data-surface', 'blocks');
  const at = await middleOf(page, 47);
  await page.mouse.move(at.x, at.y);
  await expect(window.node('S47')).toBeVisible();
  await page.mouse.click(at.x, at.y);
  await expect(selected(page)).toHaveAttribute('data-id', 'S47');
  const [error, ring] = ['--error', '--focus-ring'];
  await expect.poll(() => drawn(page, 47, ring)).toBe(true);
  expect(await drawn(page, 47, error)).toBe(false);
  await page.keyboard.press('F9');
  await expect.poll(() => drawn(page, 47, error)).toBe(true);
  expect(await drawn(page, 48, error)).toBe(false);
  for (let turn = 0; turn < 3; turn++) await page.getByRole('button', { name: 'Zoom out' }).click();
  await expect(surface(page)).toHaveAttribute('data-surface', 'map');
  await expect.poll(() => drawn(page, 47, error)).toBe(true);
  await expect.poll(() => drawn(page, 47, ring)).toBe(true);
});
