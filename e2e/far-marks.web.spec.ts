import { expect, test } from './fixtures/studio.ts';
import { drawn, middleOf, onScreen, opensFar, place, showAll, surface } from './pages/far-canvas.ts';

test('wires and tokens on the surface are clicked and have their context menus, as cards have', async ({ studio }) => {
  const window = await opensFar(studio, 60);
  const { page } = window;
  await expect(surface(page)).toHaveAttribute('data-surface', 'blocks');
  const { x, y } = place(28);
  const wire = await onScreen(page, { x: x - 28, y: y + 47 });
  await page.mouse.click(wire.x, wire.y);
  await expect.poll(() => drawn(page, 27, '--focus-ring')).toBe(true);
  await expect(page.locator('.react-flow__pane')).toHaveCSS('cursor', 'pointer');

  await page.mouse.click(wire.x, wire.y, { button: 'right' });
  await expect(page.getByRole('menu', { name: 'Wire S28' })).toBeVisible();
  await page.keyboard.press('Escape');
  const card = await middleOf(page, 31);
  await page.mouse.click(card.x, card.y, { button: 'right' });
  await expect(page.getByRole('menu', { name: 'Node Step 31' })).toBeVisible();
  await page.keyboard.press('Escape');

  await window.startPaused();
  await window.step('F10', 1);
  await showAll(page);
  await expect.poll(() => drawn(page, 1, '--waiting')).toBe(true);
  const token = await onScreen(page, { x: place(1).x - 36, y: place(1).y + 47 });
  await page.mouse.click(token.x, token.y, { button: 'right' });
  await expect(page.getByRole('menu', { name: 'Token S1' })).toBeVisible();
  await page.keyboard.press('Escape');

  const again = await onScreen(page, { x: x - 28, y: y + 47 });
  await page.mouse.click(again.x, again.y);
  await page.keyboard.press('Delete');
  await expect(window.unsaved).toBeVisible();
});

test('layers are drawn on the surface, and a folded group shows the run of its nodes', async ({ studio }) => {
  const group = { id: 'g1', title: 'First two', colour: 'blue', nodes: ['S0', 'S1'], folded: true };
  const window = await opensFar(studio, 60, [group]);
  const { page } = window;
  await expect(surface(page)).toHaveAttribute('data-surface', 'blocks');
  await window.startPaused();
  await showAll(page);
  await expect.poll(() => drawn(page, 0, '--accent')).toBe(true);
  for (let step = 1; step <= 4; step++) await window.step('F10', step);
  await showAll(page);
  await expect.poll(() => drawn(page, 0, '--accent-line')).toBe(true);

  await page.keyboard.press('Control+k');
  await page.getByPlaceholder('Search commands').fill('Show or hide coverage');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('toolbar', { name: 'Layer over the canvas' })).toContainText('4 of 60');
  await showAll(page);
  await expect.poll(() => drawn(page, 45, '--error')).toBe(true);
  expect(await drawn(page, 2, '--error', 0)).toBe(false);
  expect(await drawn(page, 0, '--error', 0)).toBe(false);
  for (let turn = 0; turn < 2; turn++) await page.getByRole('button', { name: 'Zoom out' }).click();
  await expect(surface(page)).toHaveAttribute('data-surface', 'map');
  await expect.poll(() => drawn(page, 45, '--error')).toBe(true);
});
