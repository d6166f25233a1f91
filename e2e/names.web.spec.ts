import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { expect, test } from './fixtures/studio.ts';
import { StudioPage } from './pages/studio-page.ts';

const hebrew = 'לקבל את ההחלטה הסופית על הבקשה של הלקוח';
const flow = `pravah: 1
name: Names
input: A
output: D
schemas: { A: { type: object }, B: { type: object }, C: { type: object }, D: { type: object } }
nodes:
  - { kind: work, title: "Send \\u202Eevil\\u202C", from: A, to: B }
  - { kind: suspend, title: "Ask\\u200B twice", from: B, to: C }
  - { kind: work, title: "${hebrew}", from: C, to: D }
`;

/** Contrasts of the texts of a card with its background, by the colours that are computed, opacity of all around them included. */
function contrasts(page: Page, title: string): Promise<number[]> {
  return page.evaluate((name) => {
    const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
    const rgb = (colour: string): number[] => {
      if (!canvas) throw new Error('no canvas');
      canvas.clearRect(0, 0, 1, 1);
      canvas.fillStyle = colour;
      canvas.fillRect(0, 0, 1, 1);
      return [...canvas.getImageData(0, 0, 1, 1).data];
    };
    const luminance = (colour: number[]): number => {
      const [r = 0, g = 0, b = 0] = colour.map((part) =>
        part / 255 <= 0.04045 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4,
      );
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const card = [...document.querySelectorAll('.react-flow__node [data-kind]')].find((one) => one.textContent?.includes(name));
    if (!card) throw new Error(`no card ${name}`);
    const ground = rgb(getComputedStyle(card).backgroundColor);
    const walker = document.createTreeWalker(card, NodeFilter.SHOW_TEXT);
    const found: number[] = [];
    for (let text = walker.nextNode(); text; text = walker.nextNode()) {
      const element = text.parentElement;
      if (!element || text.textContent?.trim() === '') continue;
      let opacity = 1;
      for (let each: Element | null = element; each; each = each.parentElement) opacity *= Number(getComputedStyle(each).opacity);
      const colour = rgb(getComputedStyle(element).color).map((part, index) => part * opacity + (ground[index] ?? 0) * (1 - opacity));
      const [one, other] = [luminance(colour), luminance(ground)];
      found.push((Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05));
    }
    return found;
  }, title);
}

test('hidden signs of names are shown, names of every script keep their beginning, and muted nodes stay readable', async ({ studio }) => {
  await writeFile(join(studio.folder, 'names.flow.yaml'), flow);
  const window = new StudioPage(await studio.start());
  const { page } = window;
  await window.drawn(3);
  const card = page.locator('.react-flow__node', { hasText: 'Send' });
  await expect(card).toContainText('Send U+202EevilU+202C');
  await card.click();
  await expect(page.getByRole('heading', { name: /Send/ })).toContainText('U+202E');
  await page.getByRole('tab', { name: 'Outline' }).click();
  await expect(page.getByRole('treeitem', { name: /Send/ }).first()).toContainText('U+202E');
  expect(
    await page
      .locator('.react-flow__node', { hasText: hebrew })
      .getByText(hebrew)
      .evaluate((node) => getComputedStyle(node).direction),
  ).toBe('rtl');

  await window.run();
  await expect(page.getByRole('heading', { name: /Needs your input/ })).toContainText('AskU+200B twice');
  await expect(window.transitions.first()).toBeVisible();
  await expect(page.getByRole('listbox', { name: 'Transitions' })).toContainText('Send ⟨U+202E⟩evil');
  for (const scheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: scheme });
    await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', scheme);
    await page.waitForFunction(() => document.getAnimations().every((animation) => animation.playState !== 'running'));
    const found = await contrasts(page, hebrew);
    expect(found.length).toBeGreaterThan(2);
    expect(Math.min(...found), scheme).toBeGreaterThanOrEqual(4.5);
  }
});
