import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator } from '@playwright/test';
import { expect, test } from './fixtures/studio.ts';
import { expectAccessible } from './pages/accessibility.ts';
import { StudioPage } from './pages/studio-page.ts';

/** Two choices made apart, and joins that fit only two of the four ways. */
const stuck = `pravah: 1
name: Review
input: Draft
output: Verdict
schemas: { Draft: {}, Text: {}, Picture: {}, TextGood: {}, TextBad: {}, PictureGood: {}, PictureBad: {}, Verdict: {} }
nodes:
  - { kind: fork, from: Draft, to: [Text, Picture] }
  - { kind: either, from: Text, to: [TextGood, TextBad], expr: "true" }
  - { kind: either, from: Picture, to: [PictureGood, PictureBad], expr: "true" }
  - { kind: join, from: [TextGood, PictureGood], to: Verdict, title: Publish }
  - { kind: join, from: [TextBad, PictureBad], to: Verdict, title: Send back }
`;

test('a counterexample is played on the canvas, by keyboard and by mouse, until the flow is changed', async ({ studio }) => {
  await writeFile(join(studio.folder, 'review.flow.yaml'), stuck);
  const window = new StudioPage(await studio.start());
  const { page } = window;
  // Where less motion is asked for, nothing moves by itself.
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await window.drawn(5);
  await page.getByRole('button', { name: 'Show how', exact: true }).click();

  const bar = page.getByRole('region', { name: 'Counterexample' });
  await expect(bar.getByText('The flow starts: Draft waits.')).toBeVisible();
  await expect(bar.getByRole('button', { name: 'Play', exact: true })).toBeFocused();
  await expect(window.token('Draft')).toBeVisible();
  await page.keyboard.press('ArrowRight');
  await expect(bar.getByText('Step 1 of 3: “Draft” splits Draft into Text and Picture.')).toBeVisible();
  await expect(window.token('Text')).toBeVisible();
  await expect(window.token('Picture')).toBeVisible();
  await expect(window.token('Draft')).toHaveCount(0);

  await page.keyboard.press('End');
  await expect(bar).toContainText(/“Publish” has \w+ and waits for \w+, which no remaining node can produce\./);
  await expect(page.getByRole('status').filter({ hasText: 'Verdict is never reached' })).toBeAttached();
  await expect(status(window.card('Publish'))).toHaveText('stuck');
  await expect(status(window.card('Send back'))).toHaveText('stuck');
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await expectAccessible(page, 'a counterexample');

  await page.keyboard.press('Escape');
  await expect(bar).toHaveCount(0);
  await expect(window.token('Text')).toHaveCount(0);

  // From the problem itself, and with motion: it goes on by itself.
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  await window.tab('Problems').click();
  await page.getByRole('button', { name: /^Show how: The flow can get stuck/ }).click();
  await expect(bar.getByText('1 / 3')).toBeVisible();
  await bar.getByRole('slider').fill('2');
  await expect(bar.getByText('2 / 3')).toBeVisible();

  await window.card('Publish').click();
  await page.keyboard.press('Delete');
  await expect(bar).toHaveCount(0);
  await window.drawn(4);
});

/** The word on a card that says how its node fares. */
function status(card: Locator): Locator {
  return card.getByText(/^(stuck|next|unused|fails)$/);
}
