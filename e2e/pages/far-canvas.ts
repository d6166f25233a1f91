import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import type { StudioUnderTest } from '#e2e/fixtures/studio.ts';
import { StudioPage } from './studio-page.ts';

const columns = 20;
const [pitchX, pitchY] = [260, 130];
/** Where a card lies, in canvas pixels at 100 %. */
export const place = (index: number) => ({ x: (index % columns) * pitchX, y: Math.floor(index / columns) * pitchY });

/** Opens a chain of nodes in rows of 20, and fits it into the canvas. */
export async function opensFar(studio: StudioUnderTest, count: number, groups: readonly object[] = []): Promise<StudioPage> {
  const names = Array.from({ length: count + 1 }, (_, index) => `S${index}`);
  const nodes = names.slice(0, -1).map((from, index) => ({ kind: 'work', title: `Step ${index}`, from, to: names[index + 1] }));
  const schemas = Object.fromEntries(names.map((name) => [name, { type: 'object' }]));
  const flow = { pravah: 1, name: 'Chain', input: names[0], output: names[count], schemas, nodes };
  const places = Object.fromEntries(nodes.map((_, index) => [`S${index}`, place(index)]));
  await writeFile(join(studio.folder, 'chain.flow.json'), JSON.stringify(flow));
  await writeFile(join(studio.folder, 'chain.layout.json'), JSON.stringify({ pravah_layout: 2, nodes: places, groups }));
  const window = new StudioPage(await studio.start());
  await window.counted(count);
  await showAll(window.page);
  return window;
}

/** Fits the whole flow into the canvas. */
export async function showAll(page: Page): Promise<void> {
  await page.locator('[data-canvas]').focus();
  await page.keyboard.press('Shift+1');
}

/** The canvas on which cards and wires are drawn from far away. */
export const surface = (page: Page): Locator => page.locator('[data-surface]');
/** Where the middle of a card is on the screen. */
export async function middleOf(page: Page, index: number): Promise<{ x: number; y: number }> {
  const { x, y } = place(index);
  return onScreen(page, { x: x + 102, y: y + 32 });
}

/** Where a point of the flow is on the screen. */
export async function onScreen(page: Page, at: { readonly x: number; readonly y: number }): Promise<{ x: number; y: number }> {
  return page.evaluate(
    ([left, top]) => {
      const frame = document.querySelector('[data-canvas]')?.getBoundingClientRect();
      const transform = new DOMMatrix(getComputedStyle(document.querySelector('.react-flow__viewport') as Element).transform);
      const point = transform.transformPoint({ x: left, y: top });
      return { x: point.x + (frame?.x ?? 0), y: point.y + (frame?.y ?? 0) };
    },
    [at.x, at.y] as const,
  );
}

/** Whether the picture of the surface has a colour of the theme on a card, or within this many pixels of it. */
export async function drawn(page: Page, index: number, color: string, beside = 6): Promise<boolean> {
  const { x, y } = await middleOf(page, index);
  return page.evaluate(
    ([middleX, middleY, name, more]) => {
      const canvas = document.querySelector<HTMLCanvasElement>('[data-surface]');
      const zoom = new DOMMatrix(getComputedStyle(document.querySelector('.react-flow__viewport') as Element).transform).a;
      const context = canvas?.getContext('2d');
      if (!canvas || !context) return false;
      const box = canvas.getBoundingClientRect();
      const scale = canvas.width / box.width;
      const probe = document.createElement('canvas').getContext('2d') as CanvasRenderingContext2D;
      probe.fillStyle = getComputedStyle(canvas).getPropertyValue(name);
      probe.fillRect(0, 0, 1, 1);
      const wanted = probe.getImageData(0, 0, 1, 1).data;
      const [wide, high] = [Math.ceil((115 * zoom + more) * scale), Math.ceil((45 * zoom + more) * scale)];
      const { data } = context.getImageData((middleX - box.x) * scale - wide, (middleY - box.y) * scale - high, 2 * wide, 2 * high);
      for (let at = 0; at < data.length; at += 4) {
        if ([0, 1, 2].every((part) => Math.abs((data[at + part] ?? 0) - (wanted[part] ?? 0)) < 12) && (data[at + 3] ?? 0) > 200)
          return true;
      }
      return false;
    },
    [x, y, color, beside] as const,
  );
}
