import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Page } from '@playwright/test';
import { fillWithReleaseNotes } from './fixtures/example-folders.ts';
import { expect, type StudioUnderTest, test } from './fixtures/studio.ts';
import { repository } from './fixtures/studio-process.ts';
import { StudioPage } from './pages/studio-page.ts';

// PRAVAH_SCREENSHOTS=1 writes the pictures of the documentation. What is on them is looked at in every run.
const writesPictures = process.env.PRAVAH_SCREENSHOTS === '1';
const images = join(repository, 'docs', 'images');

/** The first one is the size of the documentation's pictures. 720 × 450 is 1440 × 900 at 200 % zoom. */
const sizes = [
  { width: 1280, height: 800, suffix: '' },
  { width: 1920, height: 1080, suffix: '-wide' },
  { width: 1440, height: 900, suffix: '-1440' },
  { width: 1024, height: 700, suffix: '-1024' },
  { width: 720, height: 450, suffix: '-720' },
] as const;

const pricing = `pravah: 1
name: Pricing
input: Offer
output: Answer
schemas:
  Offer: { type: object }
  Priced: { type: object }
  Answer: { type: object }
nodes:
  - { kind: work, from: Offer, to: Priced, run: "(offer) => ({ total: offer.count * })" }
  - { kind: either, from: Priced, to: [Answer, Rejected] }
`;

const review = `pravah: 1
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

test('the main screens fit their window, in both schemes and at five sizes', async ({ studio }) => {
  test.slow();
  const window = await openExample(studio);
  const { page } = window;
  await picture(page, 'studio');
  await window.card('Anything new?').click();
  await expect(page.locator('.monaco-editor .view-line').first()).toBeVisible();
  await picture(page, 'inspector');
  await window.run();
  await expect(page.getByRole('group', { name: 'Changes to CHANGELOG.md' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Approve', exact: true })).toHaveAttribute('data-ready', 'true');
  await picture(page, 'run-waiting');
  await page.getByRole('tab', { name: 'Flows' }).click();
  await page.getByRole('button', { name: 'zz-pricing', exact: true }).click();
  await window.tab('Problems').click();
  await expect(window.problems.first()).toBeVisible();
  await window.node('Offer').click();
  await picture(page, 'problems');
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.getByRole('button', { name: 'zz-review', exact: true }).click();
  await page.getByRole('button', { name: 'Show how', exact: true }).click();
  await page.getByRole('button', { name: 'Play', exact: true }).press('End');
  await expect(page.getByText('3 / 3')).toBeVisible();
  await picture(page, 'counterexample');
});

async function openExample(studio: StudioUnderTest, settings: Readonly<Record<string, unknown>> = {}): Promise<StudioPage> {
  await fillWithReleaseNotes(studio.folder);
  const file = join(studio.folder, 'pravah.json');
  const own = JSON.parse(await readFile(file, 'utf8')) as Record<string, unknown>;
  await writeFile(file, JSON.stringify({ ...own, ...settings }, null, 2));
  await writeFile(join(studio.folder, 'zz-pricing.flow.yaml'), pricing);
  await writeFile(join(studio.folder, 'zz-review.flow.yaml'), review);
  const window = new StudioPage(await studio.start());
  await window.drawn(8);
  await window.trustFolder();
  return window;
}

/** Looks at the screen in both schemes and at all sizes, and takes pictures where they are wanted. */
async function picture(page: Page, name: string): Promise<void> {
  for (const size of sizes) {
    await page.setViewportSize(size);
    await page.getByRole('button', { name: 'Fit', exact: true }).click();
    for (const scheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' });
      expect(await cutOff(page), `cut off at ${size.width} × ${size.height}`).toEqual([]);
      // Pictures of one screen at all sizes are enough for the documentation.
      if (!writesPictures || (size.suffix !== '' && name !== 'run-waiting')) continue;
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

// Other stories look at these screens; here they only sit for their pictures.
if (writesPictures) test('what agents and tools show is taken for the documentation', takePictures);

async function takePictures({ studio }: { readonly studio: StudioUnderTest }): Promise<void> {
  test.slow();
  const server = createRequire(import.meta.url).resolve('@modelcontextprotocol/server-everything/dist/index.js');
  await mkdir(studio.folder, { recursive: true });
  await writeFile(join(studio.folder, 'everything.mjs'), `await import(${JSON.stringify(pathToFileURL(server).href)});\n`);
  const window = await openExample(studio, { mcp_servers: { everything: { command: 'node', args: ['everything.mjs'] } } });
  const { page } = window;
  await window.card('Write release notes').click();
  await expect(page.getByLabel('User prompt')).toBeVisible();
  await picture(page, 'agent');
  await window.run();
  await expect(page.getByRole('heading', { name: 'write_file wants to change a file' })).toBeVisible();
  await window.decide('Approve');
  await expect(window.runStatus).toHaveText('done');
  await window.tab('Conversation').click();
  await expect(page.getByRole('log', { name: 'Conversation' })).toContainText('submit');
  await picture(page, 'conversation');

  await page.keyboard.press('Control+,');
  const settings = page.getByRole('dialog', { name: 'Settings' });
  await settings.getByRole('tab', { name: 'Models and keys' }).click();
  await expect(settings.getByText('OpenAI', { exact: true })).toBeVisible();
  await dialogPicture(page, 'settings-models');
  await page.keyboard.press('Escape');
  await expect(settings).toHaveCount(0);

  await page.getByRole('tab', { name: 'Library' }).click();
  await page.getByRole('button', { name: 'Browse and try…' }).click();
  const browser = page.getByRole('dialog', { name: 'Tools' });
  await browser.getByRole('button', { name: /^read_file/ }).click();
  await browser.getByLabel('path').fill('CHANGELOG.md');
  await browser.getByRole('button', { name: 'Call the tool' }).click();
  await window.consent.getByRole('button', { name: 'Allow and run' }).click();
  await expect(browser.getByRole('status', { name: 'Result' })).toContainText('# Changelog');
  await dialogPicture(page, 'tool-browser');
  await browser.getByRole('button', { name: /^everything/ }).click();
  await browser.getByRole('button', { name: 'Start', exact: true }).click();
  await expect(browser.getByRole('checkbox').first()).toBeVisible();
  await dialogPicture(page, 'mcp-server');
}

/** Takes pictures of a dialog in both schemes. */
async function dialogPicture(page: Page, name: string): Promise<void> {
  for (const scheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' });
    await page.screenshot({ path: join(images, `${name}-${scheme}.png`) });
  }
}
