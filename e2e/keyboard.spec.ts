import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { fillWithReleaseNotes, proposedHeading } from './fixtures/example-folders.ts';
import { expect, test } from './fixtures/studio.ts';
import { StudioPage } from './pages/studio-page.ts';

test('everything from the start to the approval is done by keyboard', async ({ studio }) => {
  await fillWithReleaseNotes(studio.folder);
  const window = new StudioPage(await studio.start());
  const { page } = window;
  await window.drawn(8);
  await tabTo(page, 'Trust this folder');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Trusted folder')).toBeVisible();
  await page.keyboard.press('F10');
  // The form has the focus; the first button that starts is the one that F10 asked for.
  await expect(page.getByRole('textbox', { name: 'Since' })).toBeFocused();
  await page.keyboard.press('Control+Enter');
  // Refused, nothing has begun, and the dialog below it is still there; asked again, it is allowed.
  await expect(window.consent).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByText('Nothing was run')).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'Since' })).toBeVisible();
  // The closed dialog gives the focus back a moment later. A key pressed before that must not be lost.
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
  await page.keyboard.press('Control+Enter');
  await tabTo(page, 'Allow and run');
  await page.keyboard.press('Enter');
  await expect(window.runStatus).toHaveText('paused');
  await window.step('F11', 1);
  await window.give('Continue', 'F5');
  await expect(page.getByRole('heading', { name: 'write_file wants to change a file' })).toBeVisible();
  await tabTo(page, 'Approve');
  await expect(page.getByRole('button', { name: 'Approve', exact: true })).toHaveAttribute('data-ready', 'true');
  await page.keyboard.press('Enter');
  await expect(window.runStatus).toHaveText('done');
  expect(await readFile(join(studio.folder, 'CHANGELOG.md'), 'utf8')).toContain(proposedHeading);
});

/** Presses Tab until the button of this name has the focus. */
async function tabTo(page: Page, name: string): Promise<void> {
  const button = page.getByRole('button', { name, exact: true });
  await expect(button).toBeVisible();
  for (let presses = 0; presses < 120; presses++) {
    if (await button.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab does not reach “${name}”.`);
}
