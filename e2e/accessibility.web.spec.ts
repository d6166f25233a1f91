import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { slowness } from '#main/testing/slowness.ts';
import { fillWithReleaseNotes } from './fixtures/example-folders.ts';
import { expect, test } from './fixtures/studio.ts';
import { expectAccessible } from './pages/accessibility.ts';
import { StudioPage } from './pages/studio-page.ts';

// In one browser: the desktop's window shows the very same page.
test('has no serious accessibility findings in either scheme', async ({ studio }) => {
  // Forty looks at whole screens; on a busy machine one takes seconds.
  test.setTimeout(360_000 * slowness);
  await fillWithReleaseNotes(studio.folder);
  await writeFile(join(studio.folder, 'unfinished.flow.yaml'), 'pravah: 1\nname: Unfinished\ninput: A\noutput: B\nnodes: []\n');
  const window = new StudioPage(await studio.start());
  const { page } = window;
  await window.drawn(8);
  await expectAccessible(page, 'the canvas of a restricted folder');
  await window.trustFolder();

  await window.card('Anything new?').click();
  await expect(page.locator('.monaco-editor').first()).toBeVisible();
  await expectAccessible(page, 'the inspector with code');
  for (const name of ['Flows', 'Outline', 'Flow']) {
    await page.getByRole('tab', { name, exact: true }).click();
    await expectAccessible(page, `the ${name} tab`);
  }
  await withDialog(page, 'Control+k', 'the commands');
  await withDialog(page, 'Control+,', 'the settings');
  await page.keyboard.press('Control+,');
  await page.getByRole('tab', { name: 'Secrets' }).click();
  await expectAccessible(page, 'the settings of secrets', '[role="dialog"]');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await page.locator('[data-canvas]').click({ position: { x: 300, y: 30 } });
  await withDialog(page, '?', 'the shortcuts');
  await withDialog(page, 'Control+o', 'the folder dialog');
  await withDialog(page, 'F5', 'the run dialog');

  await page.keyboard.press('F5');
  await page.getByRole('dialog').getByRole('button', { name: /^Run/ }).click();
  await expect(window.consent.getByText('anything that this program can do').or(window.consent.getByText('git log'))).toBeVisible();
  await expectAccessible(page, 'the question what a flow may reach');
  await window.allowIfAsked();
  await expect(page.getByRole('heading', { name: 'write_file wants to change a file' })).toBeVisible();
  await expectAccessible(page, 'a run that waits');
  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  await expectAccessible(page, 'the form of an approval');
  for (const name of ['State', 'Conversation', 'Output']) {
    await window.tab(name).click();
    await expectAccessible(page, `the ${name} of a run`);
  }
  await page.getByRole('button', { name: /^Inbox: 1/ }).click();
  await expectAccessible(page, 'the inbox');
  await page.keyboard.press('Escape');
  await page.getByRole('tab', { name: 'Flows' }).click();
  await page.getByRole('button', { name: 'unfinished', exact: true }).click();
  await window.tab('Problems').click();
  await expect(window.problems.first()).toBeVisible();
  await expectAccessible(page, 'the problems');
});

async function withDialog(page: Page, keys: string, what: string): Promise<void> {
  await page.keyboard.press(keys);
  await expect(page.getByRole('dialog').first(), what).toBeVisible();
  await expectAccessible(page, what, '[role="dialog"]');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog'), what).toHaveCount(0);
}
