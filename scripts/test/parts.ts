import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, SOURCE_FOLDERS } from '../checks/source-files.ts';
import { chromium, electronVehicle, git, localModel, ollamaServer, virtualDisplay } from '../test-parts.mjs';
import { add, type Counts, lastLineCounts, nothing, playwrightCounts, single, vitestCounts, withExitCode } from './counts.ts';
import { runProgram } from './run-program.ts';

/** One named part of `npm test`. */
export interface Part {
  readonly name: string;
  readonly run: () => Promise<Counts>;
}

const REPORTS = join(ROOT, 'out', 'test-reports');
const SHARED = join(ROOT, '..', 'shared');

const ARROWS = ['scripts/checks/arrows.test.ts', 'scripts/checks/layer-types.test.ts'];

/** All parts in the order in which they run: quick checks first, builds before what runs on them. */
export const PARTS: readonly Part[] = [
  { name: 'types', run: types },
  { name: 'lint', run: () => check(tool('@biomejs/biome/bin/biome'), ['check', '--error-on-warnings']) },
  { name: 'arrows', run: () => vitest('arrows', ARROWS) },
  { name: 'licences', run: () => vitest('licences', ['scripts/checks', ...ARROWS.flatMap((file) => ['--exclude', file])]) },
  { name: 'unused', run: () => check(tool('knip/bin/knip.js'), ['--no-progress']) },
  { name: 'build', run: builds },
  { name: 'vitest', run: () => vitest('vitest', ['--exclude', 'scripts/checks/**']) },
  { name: 'conformance', run: () => conformance('conformance', []) },
  { name: 'oracle', run: () => conformance('conformance-oracle', []) },
  { name: 'oracle-apart', run: () => conformance('conformance-oracle', ['--apart']) },
  { name: 'e2e-web', run: webStories },
  { name: 'e2e-electron', run: electronStories },
];

/** The program that a package in node_modules brings. */
const tool = (path: string) => join(ROOT, 'node_modules', path);

const check = async (program: string, args: readonly string[]) => single((await runProgram(process.execPath, [program, ...args])).ok);

/** One check a layer, two at a time. */
async function types(): Promise<Counts> {
  const compile = (layer: string) => check(tool('typescript/lib/tsc.js'), ['-p', layer]);
  let counts = nothing;
  for (let index = 0; index < SOURCE_FOLDERS.length; index += 2) {
    const results = await Promise.all(SOURCE_FOLDERS.slice(index, index + 2).map(compile));
    counts = results.reduce(add, counts);
  }
  return counts;
}

async function builds(): Promise<Counts> {
  let counts = nothing;
  for (const part of ['main', 'cli', 'runtime', 'renderer', 'electron-vehicle'])
    counts = add(counts, await check(join(ROOT, 'scripts', 'build.mjs'), [part]));
  return counts;
}

async function vitest(name: string, selection: readonly string[]): Promise<Counts> {
  git();
  if (name === 'vitest')
    for (const [what, part] of Object.entries({ 'local model': localModel(), Ollama: ollamaServer() })) tellMissing(what, part);
  const report = reportPath(name);
  const args = ['run', ...selection, '--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const { ok } = await runProgram(process.execPath, [tool('vitest/vitest.mjs'), ...args]);
  return withExitCode(readReport(report, vitestCounts), ok);
}

/** Cases that lie beside the checkout, run against the command line. */
async function conformance(suite: string, args: readonly string[]): Promise<Counts> {
  const runner = join(SHARED, suite, 'run.mjs');
  if (!existsSync(runner)) return skipped(`the cases of ${suite} do not lie beside the checkout`);
  const command = ['--cmd', join(ROOT, 'bin', 'pravah'), '--jobs', '2'];
  const { ok, output } = await runProgram(process.execPath, [runner, ...command, ...args]);
  return withExitCode(lastLineCounts(output) ?? nothing, ok);
}

async function webStories(): Promise<Counts> {
  const browser = chromium();
  if (!('path' in browser)) return skipped(`no Chromium here: ${browser.reason}`);
  return playwright('web', []);
}

async function electronStories(): Promise<Counts> {
  const vehicle = electronVehicle();
  if (!('path' in vehicle)) return skipped(`no Electron to test in: ${vehicle.reason}`);
  if (process.platform !== 'linux' || process.env.DISPLAY) return playwright('electron', []);
  const display = virtualDisplay();
  if (!('path' in display)) return skipped(`no display for Electron: ${display.reason}`);
  // Without -noreset the display starts anew whenever its last window closes, and the next test may find none.
  return playwright('electron', [display.path, '-a', '-s', '-screen 0 1400x1000x24 -noreset']);
}

/** `wrapper` is a command that the runner is started by. */
async function playwright(project: string, wrapper: readonly string[]): Promise<Counts> {
  const report = reportPath(`e2e-${project}`);
  // A folder each: a run empties its own at its start, and the other's traces stay.
  const options = [`--project=${project}`, `--output=test-results/${project}`, '--reporter=list,json'];
  const line = [...wrapper, process.execPath, tool('@playwright/test/cli.js'), 'test', ...options];
  const [command = process.execPath, ...args] = line;
  const { ok } = await runProgram(command, args, { env: { PLAYWRIGHT_JSON_OUTPUT_NAME: report }, limitMinutes: 25 });
  return withExitCode(readReport(report, playwrightCounts), ok);
}

/** Tests with real models skip themselves where there are none. */
function tellMissing(what: string, part: { readonly path: string } | { readonly reason: string }): void {
  if ('reason' in part) console.log(`Without ${what}: ${part.reason}.`);
}

function skipped(reason: string): Counts {
  console.log(`Skipped: ${reason}.`);
  return { ...nothing, skipped: 1 };
}

/** Where a runner writes its report; what an earlier run wrote is removed. */
function reportPath(name: string): string {
  mkdirSync(REPORTS, { recursive: true });
  const path = join(REPORTS, `${name}.json`);
  rmSync(path, { force: true });
  return path;
}

/** The counts of a report; none when the runner ended without writing one. */
function readReport(path: string, counts: (report: unknown) => Counts): Counts {
  return existsSync(path) ? counts(JSON.parse(readFileSync(path, 'utf8'))) : nothing;
}
