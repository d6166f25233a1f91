import { fillWithReleaseNotes } from './fixtures/example-folders.ts';
import { expect, test } from './fixtures/studio.ts';
import { StudioPage } from './pages/studio-page.ts';

test('all panels are hidden and shown by a key, and each is opened again by its button, and the flow stays in view', async ({ studio }) => {
  await fillWithReleaseNotes(studio.folder);
  const window = new StudioPage(await studio.start());
  const { page } = window;
  const canvas = page.locator('[data-canvas]');
  const bottom = page.getByRole('region', { name: 'Timeline and problems' });
  const panels = [
    page.getByRole('complementary', { name: 'Library and flows' }),
    bottom,
    page.getByRole('complementary', { name: 'Inspector' }),
  ];
  await expect(canvas).toBeVisible();
  await page.keyboard.press('Control+Alt+f');
  for (const panel of panels) await expect(panel).toBeHidden();
  await page.setViewportSize({ width: 720, height: 450 });
  const box = await canvas.boundingBox();
  expect(box?.width).toBeGreaterThanOrEqual(320);
  expect(box?.height).toBeGreaterThanOrEqual(200);
  // The flow is fitted again, since the canvas was not moved by hand.
  await expect(window.card('Read the log')).toBeInViewport({ ratio: 1 });
  const button = page.getByRole('toolbar', { name: 'Panels' }).getByRole('button', { name: /^Bottom panel/ });
  await expect(button).toHaveAttribute('aria-pressed', 'false');
  await button.click();
  await expect(bottom).toBeVisible();
  await button.click();
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.keyboard.press('Control+Alt+f');
  for (const panel of panels) await expect(panel).toBeVisible();
});
