// npm run bench -- canvas [--rounds N] [--sizes 1000,5000,10000] [--write]: the studio's canvas beside bare React Flow, with the same gestures on the
// same grid, and runs that are watched; `--runs` leaves out the comparison. A fresh browser for each sample; within a round the two follow each other,
// in turning order. Needs Chromium.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { chromium, type Page } from '@playwright/test';
import { build } from 'vite';
import { startWebStudio } from '#e2e/fixtures/web-studio.ts';
import { chromium as installed, pathOf } from '#scripts/test-parts.mjs';
import { gestures } from './gestures.ts';
import { chainFiles } from './graph.ts';
import { pacedLoop, pacedTurns } from './paced-loop.ts';
import { p95, watchedRun } from './watched-run.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    sizes: { type: 'string', default: '1000,5000,10000' },
    runs: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
  },
});
if (values.runs && values.write) throw new Error('--write needs the whole table: leave out --runs.');
const sizes = values.runs ? [] : values.sizes.split(',').map(Number);
const rounds = Number(values.rounds);
const frames = 90;
/** The chain that is also run: one of 1,000 has finished before the page has shown its start. */
const runSize = 5000;
/** Nodes of the loops that run paced, and transitions of such a run. */
const pacedSizes = [100, 1000];
const pacedTransitions = 6000;
const root = join(import.meta.dirname, '..', '..');

/** Milliseconds, by what was measured. */
type Sample = Readonly<Record<string, number>>;

const scratch = mkdtempSync(join(tmpdir(), 'pravah-canvas-'));
process.on('exit', () => rmSync(scratch, { recursive: true, force: true }));

/** Builds the page of bare React Flow and returns its address. */
async function barePage(): Promise<string> {
  const out = join(scratch, 'bare');
  await build({
    configFile: false,
    logLevel: 'error',
    define: { 'process.env.NODE_ENV': '"production"' },
    build: {
      outDir: out,
      lib: {
        entry: join(import.meta.dirname, 'bare.tsx'),
        formats: ['iife'],
        name: 'bare',
        fileName: () => 'bare.js',
        cssFileName: 'bare',
      },
    },
  });
  const styles = '<link rel="stylesheet" href="bare.css"><style>html,body,#root{height:100%;margin:0}</style>';
  writeFileSync(
    join(out, 'bare.html'),
    `<!doctype html><meta charset="utf-8">${styles}<div id="root"></div><script src="bare.js"></script>`,
  );
  return pathToFileURL(join(out, 'bare.html')).href;
}

async function withPage(measure: (page: Page) => Promise<Sample>): Promise<Sample> {
  const browser = await chromium.launch({
    executablePath: pathOf(installed()) ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', '--allow-file-access-from-files'],
  });
  try {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    page.setDefaultTimeout(120_000);
    return await measure(page);
  } finally {
    await browser.close();
  }
}

/** Counts what the main thread works while `act` runs, in milliseconds of its own clock. */
async function mainThread<Result>(page: Page, act: () => Promise<Result>): Promise<readonly [number, Result]> {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const worked = async () => {
    const { metrics } = await session.send('Performance.getMetrics');
    return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN) * 1000;
  };
  const before = await worked();
  const result = await act();
  const time = (await worked()) - before;
  await session.detach();
  return [time, result];
}

/** The gestures at 100 % and, after `showAll`, those with everything in sight. */
async function moved(page: Page, open: number, showAll: () => Promise<void>): Promise<Sample> {
  // A pointer over the canvas: the browser looks for what is below it after each movement.
  await page.mouse.move(720, 450);
  await page.waitForTimeout(700);
  const [main, near] = await mainThread(page, () => page.evaluate(gestures, { frames, all: true }));
  await showAll();
  await page.waitForTimeout(1500);
  const far = await page.evaluate(gestures, { frames, all: false });
  return { open, 'pan at 100 %': near.pan.p95, 'main thread at 100 %': main, 'pan, all in sight': far.pan.p95 };
}

function bare(address: string, count: number): Promise<Sample> {
  return withPage(async (page) => {
    await page.goto(address);
    const open = await page.evaluate((size) => window.mount({ count: size, isFitted: false }), count);
    const first = await moved(page, open, async () => {
      await page.goto('about:blank');
      await page.goto(address);
      await page.evaluate((size) => window.mount({ count: size, isFitted: true }), count);
    });
    return first;
  });
}

function studio(count: number): Promise<Sample> {
  return withPage(async (page) => {
    const home = mkdtempSync(join(scratch, 'home-'));
    const folder = join(home, 'folder');
    mkdirSync(folder);
    const [small, large] = [chainFiles(1), chainFiles(count)];
    writeFileSync(join(folder, 'a.flow.yaml'), small.flow);
    writeFileSync(join(folder, 'big.flow.yaml'), large.flow);
    writeFileSync(join(folder, 'big.layout.json'), large.layout);
    writeFileSync(join(home, 'preferences.json'), JSON.stringify({ panning: 'map' }));
    const host = await startWebStudio(page, { home, folder, env: {} });
    try {
      await page.locator('.react-flow__node').first().waitFor();
      await page.getByRole('tab', { name: 'Flows' }).click();
      const button = page.getByRole('tabpanel', { name: 'Flows' }).getByRole('button', { name: 'big', exact: true });
      const open = await button.evaluate(async (element: HTMLElement) => {
        const start = performance.now();
        element.click();
        const next = () => new Promise((resolve) => requestAnimationFrame(resolve));
        while (!document.querySelector('.react-flow__node[data-id="S1"]')) await next();
        await next();
        await next();
        return performance.now() - start;
      });
      await page.getByText('Always completes').waitFor();
      const keys = await typed(page);
      await page.locator('[data-canvas]').focus();
      await page.keyboard.press('Control+Alt+f');
      await page.keyboard.press('Control+0');
      const sample = await moved(page, open, async () => {
        await page.locator('[data-canvas]').focus();
        await page.keyboard.press('Shift+1');
      });
      return { ...sample, ...keys, ...(count === runSize && (await ran(page, count))) };
    } finally {
      await host.close();
      rmSync(home, { recursive: true, force: true });
    }
  });
}

/** What an unpaced run of the whole chain does to the page, and how fast the run is. */
async function ran(page: Page, count: number): Promise<Sample> {
  // The panels show the run, too.
  await page.locator('[data-canvas]').focus();
  await page.keyboard.press('Control+Alt+f');
  const { intervals, duration } = await watchedRun(page);
  return { 'frame while running': p95(intervals), 'transitions a second': (count * 1000) / duration };
}

/** The same of a loop of `count` nodes that makes about 1,000 transitions a second. */
function paced(count: number, turns: number): Promise<Sample> {
  return withPage(async (page) => {
    const home = mkdtempSync(join(scratch, 'home-'));
    const folder = join(home, 'folder');
    mkdirSync(folder);
    const { flow, layout } = pacedLoop(count, pacedTransitions, turns);
    writeFileSync(join(folder, 'loop.flow.yaml'), flow);
    writeFileSync(join(folder, 'loop.layout.json'), layout);
    const host = await startWebStudio(page, { home, folder, env: {} });
    try {
      await page.locator('.react-flow__node').first().waitFor();
      await page.getByText('Always completes').waitFor();
      const [worked, { intervals, duration }] = await mainThread(page, () => watchedRun(page));
      return {
        'frame while running': p95(intervals),
        'transitions a second': (pacedTransitions * 1000) / duration,
        'main thread a second': (worked * 1000) / duration,
      };
    } finally {
      await host.close();
      rmSync(home, { recursive: true, force: true });
    }
  });
}

/** How long the handlers of a key typed in a node's title take, in the median. */
async function typed(page: Page): Promise<Sample> {
  await page.locator('.react-flow__node[data-id="S1"]').click();
  const field = page.getByLabel('Title', { exact: true });
  await field.click();
  // From before the page's listeners to the next task: what a key has the page do before anything else.
  await page.evaluate(() => {
    const spent: number[] = [];
    const { port1, port2 } = new MessageChannel();
    let start = 0;
    port1.onmessage = () => spent.push(performance.now() - start);
    const listen = () => {
      start = performance.now();
      port2.postMessage(null);
    };
    window.addEventListener('input', listen, true);
    Object.assign(window, { spent });
  });
  for (let turn = 0; turn < 20; turn += 1) {
    await page.keyboard.press('k');
    await page.waitForTimeout(80);
  }
  const work = await page.evaluate(() => (window as unknown as { spent: number[] }).spent);
  await page.keyboard.press('Control+z');
  return { 'key typed': middle(work) };
}

const middle = (numbers: readonly number[]) =>
  [...numbers].sort((one, other) => one - other)[Math.floor((numbers.length - 1) / 2)] ?? Number.NaN;

const address = await barePage();
const samples: { readonly count: number; readonly ours: Sample; readonly bare: Sample }[] = [];
const loads: number[] = [];
const pacedSamples: { readonly count: number; readonly sample: Sample }[] = [];
const show = (sample: Sample) =>
  Object.entries(sample)
    .map(([name, time]) => `${name} ${time.toFixed(0)}`)
    .join(', ');
for (let round = 0; round < rounds; round += 1) {
  for (const count of sizes) {
    loads.push(loadavg()[0] ?? 0);
    let [ours, other]: [Sample, Sample] = [{}, {}];
    for (const who of round % 2 === 0 ? ['ours', 'bare'] : ['bare', 'ours']) {
      if (who === 'ours') ours = await studio(count);
      else other = await bare(address, count);
    }
    samples.push({ count, ours, bare: other });
    console.error(`${round + 1}/${rounds} ${count}: ${show(ours)}; bare ${show(other)}; load ${loads.at(-1)?.toFixed(1)}`);
  }
  // The pace is set in each round: it depends on what else the machine does.
  const turns = pacedTurns(join(root, 'out', 'cli', 'main.js'));
  for (const count of pacedSizes) {
    loads.push(loadavg()[0] ?? 0);
    const sample = await paced(count, turns);
    pacedSamples.push({ count, sample });
    console.error(`${round + 1}/${rounds} loop of ${count}: ${show(sample)}; load ${loads.at(-1)?.toFixed(1)}`);
  }
}

const spread = (numbers: readonly number[], digits: number) => {
  const figure = (value: number) => value.toFixed(digits);
  if (numbers.some(Number.isNaN)) return '';
  return `${figure(middle(numbers))} (${figure(Math.min(...numbers))} to ${figure(Math.max(...numbers))})`;
};
const of = (count: number) => samples.filter((sample) => sample.count === count);
const row = (title: string, cell: (count: number) => string) => `| ${title} | ${sizes.map(cell).join(' | ')} |`;
const ratio = (name: string) => (count: number) =>
  `${spread(
    of(count).map(({ ours, bare: other }) => (ours[name] ?? Number.NaN) / (other[name] ?? Number.NaN)),
    2,
  )} ×`;
const valuesOf = (count: number, name: string) => of(count).map(({ ours }) => ours[name] ?? Number.NaN);
const time = (name: string) => (count: number) => {
  const figures = spread(valuesOf(count, name), 0);
  return figures && `${figures} ms`;
};
const pacedRow = (title: string, name: string, unit: string) => {
  const figures = pacedSizes.map((size) =>
    pacedSamples.filter(({ count }) => count === size).map(({ sample }) => sample[name] ?? Number.NaN),
  );
  return `| ${title} | ${figures.map((all) => `${spread(all, 0)}${unit}`).join(' | ')} |`;
};
const comparison = [
  '',
  row('work', (count) => `${count.toLocaleString('en')} nodes`),
  `|---|${sizes.map(() => '---').join('|')}|`,
  row('open at 100 %, until the first card is drawn', ratio('open')),
  row('the same, in the studio', time('open')),
  row('pan at 100 %, 95th percentile of the interval', ratio('pan at 100 %')),
  row('main thread, all gestures at 100 %', ratio('main thread at 100 %')),
  row('pan, all in sight, 95th percentile', ratio('pan, all in sight')),
  row('the same, in the studio', time('pan, all in sight')),
  row('a key typed in the inspector, in the studio', time('key typed')),
  row('a frame while the flow runs, 95th percentile, in the studio', time('frame while running')),
  row('transitions of that run in a second', (count) => spread(valuesOf(count, 'transitions a second'), 0)),
];
const table = [
  `${rounds} rounds, load ${Math.min(...loads).toFixed(1)} to ${Math.max(...loads).toFixed(1)}. Medians with ranges; × is to bare React Flow in the same round.`,
  ...(values.runs ? [] : comparison),
  '',
  `| a run of about 1,000 transitions a second, watched in the studio | ${pacedSizes.map((count) => `${count.toLocaleString('en')} nodes`).join(' | ')} |`,
  `|---|${pacedSizes.map(() => '---').join('|')}|`,
  pacedRow('a frame, 95th percentile', 'frame while running', ' ms'),
  pacedRow('main thread in a second', 'main thread a second', ' ms'),
  pacedRow('transitions in a second', 'transitions a second', ''),
].join('\n');
console.log(table);
if (values.write) {
  const page = join(root, 'docs', 'benchmarks.md');
  const [before, after] = ['<!-- canvas -->', '<!-- /canvas -->'];
  const old = readFileSync(page, 'utf8');
  writeFileSync(page, `${old.slice(0, old.indexOf(before) + before.length)}\n${table}\n${old.slice(old.indexOf(after))}`);
}
