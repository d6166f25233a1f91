import { readdirSync } from 'node:fs';
import { cp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { expect, type StudioUnderTest, test } from './fixtures/studio.ts';
import { repository } from './fixtures/studio-process.ts';
import { StudioPage } from './pages/studio-page.ts';

function chainOf(length: number): string {
  const nodes = Array.from({ length }, (_, index) => `  - { kind: work, title: Step number ${index}, from: S${index}, to: S${index + 1} }`);
  const schemas = Array.from({ length: length + 1 }, (_, index) => `  S${index}: { type: object }`);
  return ['pravah: 1', 'name: Chain', 'input: S0', `output: S${length}`, 'schemas:', ...schemas, 'nodes:', ...nodes, ''].join('\n');
}

const fillWithChain = (folder: string) => writeFile(join(folder, 'chain.flow.yaml'), chainOf(24));
const sizes = [
  [720, 450],
  [1280, 800],
  [1440, 900],
  [1920, 1080],
] as const;

/** Sizes on the screen of the titles that are in sight, in pixels. */
const titleSizes = (page: Page) =>
  page.locator('.react-flow__node [class*="_title_"]:visible').evaluateAll((titles) =>
    titles.map((title) => {
      const card = title.closest<HTMLElement>('.react-flow__node');
      const zoom = card ? card.getBoundingClientRect().width / card.offsetWidth : 0;
      return Number.parseFloat(getComputedStyle(title).fontSize) * zoom;
    }),
  );

const viewport = (page: Page) => page.locator('.react-flow__viewport').evaluate((element: HTMLElement) => element.style.transform);

async function opens(studio: StudioUnderTest, fill: (folder: string) => Promise<void>): Promise<StudioPage> {
  await fill(studio.folder);
  const window = new StudioPage(await studio.start());
  const trust = window.page.getByRole('button', { name: 'Trust this folder' });
  // Both may be there at once.
  await expect(window.nodes.first().or(trust).first()).toBeVisible();
  // A flow in code can only be drawn in a trusted folder.
  if ((await window.nodes.count()) === 0) await window.trustFolder();
  await expect(window.nodes.first()).toBeVisible();
  return window;
}

const examples = join(repository, 'resources', 'examples');
const folders = readdirSync(examples, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));

for (const [what, fill] of [
  ...folders.map((name) => [name, (folder: string) => cp(join(examples, name), folder, { recursive: true })] as const),
  ['a chain of 24 nodes', fillWithChain] as const,
]) {
  test(`${what} opens with titles of at least 11 pixels in every window, and keeps them at every zoom`, async ({ studio }) => {
    const window = await opens(studio, fill);
    const { page } = window;
    for (const [width, height] of sizes) {
      await page.setViewportSize({ width, height });
      await page.reload();
      await expect(window.nodes.first()).toBeVisible();
      const found = await titleSizes(page);
      expect(found.length).toBeGreaterThan(0);
      expect(Math.min(...found)).toBeGreaterThanOrEqual(10.99);
    }
    const level = page.locator('[data-detail]');
    for (let turn = 0; turn < 8; turn++) {
      await page.getByRole('button', { name: 'Zoom out' }).click();
      const least = (await level.getAttribute('data-detail')) === 'full' ? 11 : 12;
      await expect.poll(async () => Math.min(least, ...(await titleSizes(page)))).toBeGreaterThanOrEqual(least - 0.01);
    }
  });
}

test('icons of cards have the colours of the theme, or those of the system', async ({ studio }) => {
  const window = await opens(studio, fillWithChain);
  const { page } = window;
  const icon = window.nodes.first().locator('[data-icon]').first();
  const variable = (name: string) => page.evaluate((of) => getComputedStyle(document.documentElement).getPropertyValue(of), name);
  const stroke = () =>
    icon.evaluate((element) => decodeURIComponent(getComputedStyle(element).backgroundImage).match(/stroke="([^"]+)"/)?.[1]);
  const colors = new Set<string>();
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme });
    // Until the page has changed its theme, the icon still has the colour of the one before, too.
    await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', colorScheme);
    await expect.poll(async () => (await stroke()) === (await variable('--kind-work'))).toBe(true);
    colors.add(await variable('--kind-work'));
  }
  expect(colors.size).toBe(2);
  await page.emulateMedia({ forcedColors: 'active' });
  await expect.poll(async () => (await stroke()) === (await page.evaluate(() => getComputedStyle(document.body).color))).toBe(true);
});

test('titles that are one long identifier break between its words', async ({ studio }) => {
  const title = 'normalizeAddress';
  const window = await opens(studio, (folder) => writeFile(join(folder, 'chain.flow.yaml'), chainOf(2).replace('Step number 0', title)));
  const { page } = window;
  const shown = window.card(title).locator('[class*="_title_"]');
  // Below 45 %, low cards have one line, which ends with an ellipsis.
  for (const zoom of ['83 %', '69 %', '58 %', '48 %']) {
    await page.getByRole('button', { name: 'Zoom out' }).click();
    await expect(page.getByRole('button', { name: zoom })).toBeVisible();
    if ((await page.locator('[data-detail]').getAttribute('data-detail')) !== 'titles') continue;
    await expect(shown).toHaveText(title);
    const lines = await shown.evaluate((element) =>
      [...element.childNodes].flatMap((node) => {
        const range = document.createRange();
        range.selectNode(node);
        return node.nodeType === Node.TEXT_NODE ? [[...range.getClientRects()].filter(({ width }) => width > 1).length] : [];
      }),
    );
    expect(lines).toEqual([1, 1]);
  }
});

test('a chain of 24 nodes is folded into rows, and all of it is in sight', async ({ studio }) => {
  const window = await opens(studio, fillWithChain);
  const { page } = window;
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.reload();
  await expect(window.nodes).toHaveCount(24);
  const canvas = await page.locator('[data-canvas]').boundingBox();
  for (const node of await window.nodes.all()) {
    const box = await node.boundingBox();
    expect(box?.x).toBeGreaterThanOrEqual(canvas?.x ?? 0);
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual((canvas?.x ?? 0) + (canvas?.width ?? 0));
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual((canvas?.y ?? 0) + (canvas?.height ?? 0));
  }
});

test('a flow that is arranged keeps its layout, and opens at its entry', async ({ studio }) => {
  const places = Object.fromEntries(Array.from({ length: 24 }, (_, index) => [`S${index}`, { x: index * 300, y: 0 }]));
  const window = await opens(studio, async (folder) => {
    await fillWithChain(folder);
    await writeFile(join(folder, 'chain.layout.json'), JSON.stringify({ pravah_layout: 1, nodes: places }));
  });
  await expect(window.card('Step number 0')).toBeInViewport();
  await expect(window.card('Step number 20')).toHaveCount(0);
  await expect(window.page.getByRole('button', { name: '80 %' })).toBeVisible();
});

test('the canvas follows a run while it is stepped and while the past is walked through, unless that is off', async ({ studio }) => {
  const window = await opens(studio, fillWithChain);
  const { page } = window;
  await page.emulateMedia({ reducedMotion: 'reduce' });
  // So close that a few cards fill the canvas.
  for (let turn = 0; turn < 4; turn++) await page.getByRole('button', { name: 'Zoom in' }).click();
  await window.startPaused();
  const inSight = async (title: string) => expect(window.card(title)).toBeInViewport({ ratio: 0.99 });
  for (let step = 1; step <= 9; step++) {
    await window.step('F10', step);
    await inSight(`Step number ${step}`);
  }
  await page.keyboard.press('Home');
  await window.transitions.nth(2).click();
  await inSight('Step number 2');

  await page.keyboard.press('F5');
  await inSight('Step number 9');
  await page.locator('[data-canvas]').focus();
  await page.keyboard.press('Shift+F');
  await expect(page.getByRole('button', { name: 'Follow run' })).toHaveAttribute('aria-pressed', 'false');
  const before = await viewport(page);
  for (let step = 10; step <= 16; step++) await window.step('F10', step);
  expect(await viewport(page)).toBe(before);
});

test('a movement of the canvas by hand pauses following until the next step, and a free run does not zoom', async ({ studio }) => {
  const window = await opens(studio, fillWithChain);
  const { page } = window;
  await page.emulateMedia({ reducedMotion: 'reduce' });
  for (let turn = 0; turn < 4; turn++) await page.getByRole('button', { name: 'Zoom in' }).click();
  await window.startPaused();
  await window.step('F10', 1);
  const inSight = async (title: string) => expect(window.card(title)).toBeInViewport({ ratio: 0.99 });
  await inSight('Step number 1');
  const follow = page.getByRole('button', { name: 'Follow run' });
  await page.locator('[data-canvas]').hover();
  await page.mouse.wheel(0, 3000);
  await expect(follow).toHaveAttribute('data-paused', 'true');
  await expect(window.card('Step number 1')).not.toBeInViewport();
  await window.step('F10', 2);
  await inSight('Step number 2');
  await expect(follow).toHaveAttribute('data-paused', 'false');

  // Far away: a step asked for is shown closer, a run that continues keeps the zoom.
  const percent = page.getByRole('toolbar', { name: 'Zoom' }).getByRole('button', { name: /%/ });
  const zoomFarOut = async () => {
    for (let turn = 0; turn < 11; turn++) await page.getByRole('button', { name: 'Zoom out' }).click();
    await expect(percent).toHaveText(/^(\d|1\d|2\d) %$/);
  };
  await zoomFarOut();
  await window.step('F10', 3);
  await expect(percent).toHaveText('80 %');
  await zoomFarOut();
  const zoom = async () => /scale\(.+?\)/.exec(await viewport(page))?.[0];
  const before = await zoom();
  await window.give('Continue', 'F5');
  await expect(window.runStatus).toHaveText('done');
  expect(await zoom()).toBe(before);
});
