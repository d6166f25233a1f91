import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, type Page } from '@playwright/test';
import { repository } from '#e2e/fixtures/studio-process.ts';

// PRAVAH_SCREENSHOTS=1 writes the pictures of the documentation. What is on them is looked at in every run.
export const writesPictures = process.env.PRAVAH_SCREENSHOTS === '1';
const images = join(repository, 'docs', 'images');

/** The first one is the size of the documentation's pictures. 720 × 450 is 1440 × 900 at 200 % zoom. */
const sizes = [
  { width: 1280, height: 800, suffix: '' },
  { width: 1920, height: 1080, suffix: '-wide' },
  { width: 1440, height: 900, suffix: '-1440' },
  { width: 1024, height: 700, suffix: '-1024' },
  { width: 720, height: 450, suffix: '-720' },
] as const;

/** Looks at the screen in both schemes and at all sizes, and takes pictures where they are wanted. */
export async function picture(page: Page, name: string, allSizes = false): Promise<void> {
  for (const size of sizes) {
    await page.setViewportSize(size);
    await page.getByRole('button', { name: 'Fit', exact: true }).click();
    for (const scheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' });
      expect(await cutOff(page), `cut off at ${size.width} × ${size.height}`).toEqual([]);
      // Pictures of one screen at all sizes are enough for the documentation.
      if (!writesPictures || (size.suffix !== '' && !allSizes)) continue;
      await mkdir(images, { recursive: true });
      await page.screenshot({ path: join(images, `${name}-${scheme}${size.suffix}.png`) });
    }
  }
  await page.setViewportSize(sizes[0]);
}

/** What of the frame of the window is wider than its place, or runs into what stands beside it. */
function cutOff(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const faults: string[] = [];
    const frame = document.documentElement;
    if (frame.scrollWidth > innerWidth || frame.scrollHeight > innerHeight)
      faults.push(`the page is ${frame.scrollWidth} × ${frame.scrollHeight} px`);
    for (const part of document.querySelectorAll<HTMLElement>('header, footer, [role="toolbar"], [role="tablist"], [role="tabpanel"]')) {
      const name = `${part.tagName.toLowerCase()} ${part.getAttribute('aria-label') ?? ''}`.trim();
      if (part.scrollWidth > part.clientWidth + 1) faults.push(`${name}: ${part.scrollWidth} px in ${part.clientWidth} px`);
      const box = part.getBoundingClientRect();
      if (box.right > innerWidth + 1 || box.bottom > innerHeight + 1) faults.push(`${name} leaves the window`);
    }
    const buttons = [...document.querySelectorAll<HTMLElement>('header button, footer > * > *')].map((element) => ({
      text: element.textContent,
      box: element.getBoundingClientRect(),
    }));
    for (const [index, one] of buttons.entries())
      for (const other of buttons.slice(index + 1)) {
        const across = Math.min(one.box.right, other.box.right) - Math.max(one.box.left, other.box.left);
        const down = Math.min(one.box.bottom, other.box.bottom) - Math.max(one.box.top, other.box.top);
        if (across > 1 && down > 1) faults.push(`“${one.text}” lies over “${other.text}”`);
      }
    return faults;
  });
}

/** Takes pictures of a dialog in both schemes where they are wanted. */
export async function dialogPicture(page: Page, name: string): Promise<void> {
  for (const scheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' });
    if (writesPictures) await page.screenshot({ path: join(images, `${name}-${scheme}.png`) });
  }
}
