// node bench/window.ts [--rounds N] [--sizes 1000,10000]: the cost of a large flow in the window, relative to one of ten nodes. Needs the built web host
// and page (npm run build -- main renderer), Linux and Chromium. Counted is the processor time of the page's main thread, so that other work on
// the machine counts little; each figure is a ratio to the flow of ten nodes in the same round, and `open` is in milliseconds by the clock, too.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Browser, chromium, type Locator, type Page } from '@playwright/test';
import { startWebStudio } from '#e2e/fixtures/web-studio.ts';
import { chromium as installed, pathOf } from '#scripts/test-parts.mjs';

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '5' }, sizes: { type: 'string', default: '1000,10000' } } });
const small = 10;
const sizes = values.sizes.split(',').map(Number);

/** Processor time of one action in milliseconds, by name; `open_ms` is by the clock. */
type Sample = Readonly<Record<string, number>>;

/** A chain of `count` nodes, each with a body of three lines. */
function chain(count: number): string {
  const states = Array.from(
    { length: count + 1 },
    (_, index) => `  S${index}: { type: object, properties: { count: { type: integer } } }\n`,
  );
  const node = (index: number) =>
    `  - kind: work\n    from: S${index}\n    to: S${index + 1}\n    run: |\n      (input) => {\n        return { count: input.count + ${index} };\n      }\n`;
  const nodes = Array.from({ length: count }, (_, index) => node(index));
  return `pravah: 1\nname: Chain of ${count}\ninput: S0\noutput: S${count}\nschemas:\n${states.join('')}nodes:\n${nodes.join('')}`;
}

/** Processor time so far of a process's main thread, in milliseconds. */
function mainThreadTime(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
}

/** The process that draws the page: the renderer that has worked most since the browser was started for it alone. */
async function drawingProcess(browser: Browser): Promise<number> {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  const renderers = processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => id);
  return renderers.reduce((most, id) => (mainThreadTime(id) > mainThreadTime(most) ? id : most));
}

async function sampleOf(count: number): Promise<Sample> {
  const home = mkdtempSync(join(tmpdir(), 'pravah-window-'));
  const folder = join(home, 'folder');
  const browser = await chromium.launch({
    executablePath: pathOf(installed()) ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu'],
  });
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  mkdirSync(folder);
  writeFileSync(join(folder, 'a.flow.yaml'), chain(1));
  writeFileSync(join(folder, 'big.flow.yaml'), chain(count));
  const studio = await startWebStudio(page, { home, folder, env: {} });
  try {
    return await measured(browser, page);
  } finally {
    await browser.close();
    await studio.close();
    rmSync(home, { recursive: true, force: true });
  }
}

async function measured(browser: Browser, page: Page): Promise<Sample> {
  const node = (id: string): Locator => page.locator(`.react-flow__node[data-id="${id}"]`);
  await node('S0').waitFor();
  await page.getByRole('tab', { name: 'Flows' }).click();
  const pid = await drawingProcess(browser);
  const sample: Record<string, number> = {};
  /** Settles before and after, so that what an action starts (drafts, the proof, drawing) is counted with it. */
  const cost = async (name: string, times: number, act: () => Promise<void>) => {
    await page.waitForTimeout(700);
    const before = mainThreadTime(pid);
    await act();
    await page.waitForTimeout(700);
    sample[name] = (mainThreadTime(pid) - before) / times;
  };
  await cost('open', 1, async () => {
    const start = performance.now();
    await page.getByRole('tabpanel', { name: 'Flows' }).getByRole('button', { name: 'big', exact: true }).click();
    await node('S1').waitFor();
    sample.open_ms = performance.now() - start;
    await page.getByText('Sound: always ends').waitFor({ timeout: 60_000 });
  });
  await node('S1').click();
  await page.keyboard.press('Shift+2');
  await page.waitForTimeout(500);
  const box = await page.locator('[data-canvas]').boundingBox();
  if (!box) throw new Error('The canvas is not in the page.');
  await page.mouse.move(box.x + box.width / 2, box.y + box.height - 60);
  await cost('pan by one notch', 40, async () => {
    for (let at = 0; at < 40; at += 1) await page.mouse.wheel(at % 20 < 10 ? 60 : -60, 0);
  });
  const grip = await node('S1').boundingBox();
  if (!grip) throw new Error('The node is not in sight.');
  await cost('drag by one movement', 40, async () => {
    await page.mouse.move(grip.x + 80, grip.y + 14);
    await page.mouse.down();
    for (let at = 1; at <= 40; at += 1) await page.mouse.move(grip.x + 80 + at, grip.y + 14 + 2 * at);
    await page.mouse.up();
  });
  await page.getByLabel('Title').click();
  await cost('type one key of a title', 20, async () => {
    for (let at = 0; at < 20; at += 1) {
      await page.keyboard.press('k');
      await page.waitForTimeout(60);
    }
  });
  return sample;
}

const rounds: ReadonlyMap<number, Sample>[] = [];
for (let round = 0; round < Number(values.rounds); round += 1) {
  const samples = new Map<number, Sample>();
  for (const count of [small, ...sizes]) samples.set(count, await sampleOf(count));
  rounds.push(samples);
  console.error(
    `${round + 1}/${values.rounds} ${[...samples].map(([count, { open_ms }]) => `${count}: ${open_ms?.toFixed(0)} ms`).join(', ')}`,
  );
}

console.log(
  `${rounds.length} rounds, load ${loadavg()[0]?.toFixed(1)} at the end. Processor time of the page, to a flow of ${small} nodes.\n`,
);
console.log('| work | nodes | min | median | max | median of the difference, ms |\n|---|---:|---:|---:|---:|---:|');
for (const name of Object.keys(rounds[0]?.get(small) ?? {})) {
  for (const count of sizes) {
    const pairs = rounds.map((round) => [round.get(count)?.[name] ?? 0, round.get(small)?.[name] ?? 0] as const);
    const ratios = pairs.map(([large, base]) => large / base).sort((a, b) => a - b);
    const more = pairs.map(([large, base]) => large - base).sort((a, b) => a - b);
    const middle = Math.floor(ratios.length / 2);
    const row = [ratios[0], ratios[middle], ratios.at(-1)].map((ratio) => (ratio ?? 0).toPrecision(2));
    console.log(`| ${name.replace('open_ms', 'open, by the clock')} | ${count} | ${row.join(' | ')} | ${more[middle]?.toFixed(1)} |`);
  }
}
