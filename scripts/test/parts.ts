import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { note } from '#main/testing/note.ts';
import { ROOT, SOURCE_FOLDERS } from '#scripts/checks/source-files.ts';
import { startCommandServer } from './command-server/server.ts';
import {
  add,
  type Counts,
  endedByEngine,
  lastLineCounts,
  nothing,
  playwrightCounts,
  single,
  skippedStories,
  vitestCounts,
  withExitCode,
} from './counts.ts';
import { provisioned, type TestPart } from './provision-beside.ts';
import { runProgram } from './run-program.ts';

/** One named part of `npm test`. */
export interface Part {
  readonly name: string;
  /** What is brought for it, begun when the tests begin. */
  readonly needs?: readonly TestPart[];
  readonly run: () => Promise<Counts>;
}

const REPORTS = join(ROOT, 'out', 'test-reports');
const SHARED = join(ROOT, '..', 'shared');

/** In the names of tests on a real Ollama server: it takes minutes to build, in parallel with all other parts, so they come last. */
const OLLAMA = 'ollama-server';

/** The server, called by programs that others wrote. */
const SERVER_API = 'tests/server';

/** The npm packages, packed and installed. They need the build, and install from a registry. */
const PACKAGES = 'tests/package';

/** The engine in browsers and edge runtimes. */
const ENGINE = 'tests/engine';

const ARROWS = ['scripts/checks/arrows.test.ts', 'scripts/checks/layer-types.test.ts'];

/** All parts in the order in which they run: quick checks first, builds before what runs on them. */
export const PARTS: readonly Part[] = [
  { name: 'types', run: types },
  { name: 'lint', run: () => check(tool('@biomejs/biome/bin/biome'), ['check', '--error-on-warnings']) },
  { name: 'arrows', run: () => vitest('arrows', ARROWS) },
  { name: 'licences', run: () => vitest('licences', ['scripts/checks', ...ARROWS.flatMap((file) => ['--exclude', file])]) },
  { name: 'unused', run: () => check(tool('knip/bin/knip.js'), ['--no-progress']) },
  { name: 'build', run: builds },
  { name: 'vitest', needs: ['git', 'postgres', 'localModel'], run: unitTests },
  { name: 'package', run: () => vitest('package', [PACKAGES]) },
  { name: 'conformance', run: () => conformance('conformance', []) },
  { name: 'conformance-pyflow', run: pyflowCases },
  { name: 'oracle', run: oracle },
  { name: 'oracle-apart', run: () => conformance('conformance-oracle', ['--apart']) },
  {
    name: 'server-api',
    needs: ['postgres', 'schemathesis', 'mcpInspector'],
    run: () => withPrograms('server-api', SERVER_API, ['postgres', 'schemathesis', 'mcpInspector']),
  },
  { name: 'engine', needs: ['chromium', 'workerd'], run: () => withPrograms('engine', ENGINE, ['chromium', 'workerd']) },
  { name: 'e2e-web', needs: ['chromium'], run: webStories },
  { name: 'e2e-electron', needs: ['virtualDisplay', 'electronVehicle', 'secretService'], run: electronStories },
  { name: 'ollama', needs: ['localModel', 'ollamaServer'], run: ollamaTests },
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
  for (const part of ['main', 'cli', 'runtime', 'renderer', 'electron-vehicle', 'vscode'])
    counts = add(counts, await check(join(ROOT, 'scripts', 'build.mjs'), [part]));
  return counts;
}

async function vitest(name: string, selection: readonly string[]): Promise<Counts> {
  const { ok, printed, report } = await runVitest(name, selection);
  const ended = ok ? [] : endedByEngine(printed);
  if (ended.length === 0) return withExitCode(readReport(report, vitestCounts), ok);
  for (const file of ended) note(`V8 ended the process of ${relative(ROOT, file)} by a check of its own: its tests ran once more.`);
  const again = await runVitest(`${name}-again`, ended);
  const others = readReport(report, (read) => vitestCounts(read, ended));
  return add(others, withExitCode(readReport(again.report, vitestCounts), again.ok));
}

async function runVitest(name: string, selection: readonly string[]) {
  const report = reportPath(name);
  const args = ['run', ...selection, '--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const { ok, output, errors } = await runProgram(process.execPath, [tool('vitest/vitest.mjs'), ...args]);
  return { ok, printed: errors + output, report };
}

async function unitTests(): Promise<Counts> {
  await provisioned('git');
  const postgres = await provisioned('postgres');
  if ('reason' in postgres) console.log(`Without PostgreSQL: ${postgres.reason}.`);
  // Tests with real models skip themselves where there are none.
  const model = await provisioned('localModel');
  if ('reason' in model) console.log(`Without local model: ${model.reason}.`);
  return vitest('vitest', [
    '--exclude',
    'scripts/checks/**',
    '--exclude',
    `**/${OLLAMA}*`,
    '--exclude',
    `${SERVER_API}/**`,
    '--exclude',
    `${PACKAGES}/**`,
    '--exclude',
    `${ENGINE}/**`,
  ]);
}

/** Tests of programs that are missing skip themselves. */
async function withPrograms(part: string, folder: string, programs: readonly TestPart[]): Promise<Counts> {
  for (const name of programs) {
    const found = await provisioned(name);
    if ('reason' in found) console.log(`Without ${name}: ${found.reason}.`);
  }
  return vitest(part, [folder]);
}

async function ollamaTests(): Promise<Counts> {
  for (const part of ['localModel', 'ollamaServer'] as const) {
    const found = await provisioned(part);
    if ('reason' in found) return skipped(`no real Ollama server (${part}): ${found.reason}`);
  }
  return vitest('ollama', [OLLAMA]);
}

/** Hundreds of small cases, whose commands share a few processes. Those of the other suites have a process each. */
async function oracle(): Promise<Counts> {
  await using server = await startCommandServer();
  return await conformance('conformance-oracle', [], server);
}

/** PyFlow's workflows. Some call Python functions, callbacks and tools of their project. */
async function pyflowCases(): Promise<Counts> {
  if (spawnSync('python3', ['--version']).status === 0) return await conformance('conformance-pyflow', []);
  note('Without Python: the workflows that call Python functions do not run.');
  return await conformance('conformance-pyflow', ['--skip', 'python']);
}

interface Command {
  readonly command: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

const executable: Command = { command: [join(ROOT, 'bin', 'pravah')], env: {} };

/** Cases next to the checkout, run against the command line. */
async function conformance(suite: string, args: readonly string[], { command, env }: Command = executable): Promise<Counts> {
  const runner = join(SHARED, suite, 'run.mjs');
  if (!existsSync(runner)) return skipped(`the cases of ${suite} do not lie beside the checkout`);
  const options = ['--cmd', command.join(' '), '--jobs', '2'];
  const { ok, output } = await runProgram(process.execPath, [runner, ...options, ...args], { env });
  return withExitCode(lastLineCounts(output) ?? nothing, ok);
}

async function webStories(): Promise<Counts> {
  const browser = await provisioned('chromium');
  if (!('path' in browser)) return skipped(`no Chromium here: ${browser.reason}`);
  return playwright('web', []);
}

async function electronStories(): Promise<Counts> {
  const vehicle = await provisioned('electronVehicle');
  if (!('path' in vehicle)) return skipped(`no Electron to test in: ${vehicle.reason}`);
  // Stories that keep keys in it skip themselves where there is none.
  await provisioned('secretService');
  if (process.platform !== 'linux' || process.env.DISPLAY) return playwright('electron', []);
  const display = await provisioned('virtualDisplay');
  if (!('path' in display)) return skipped(`no display for Electron: ${display.reason}`);
  // Without -noreset the display restarts whenever its last window closes, and the next test may find no display.
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
  if (existsSync(report)) for (const line of skippedStories(JSON.parse(readFileSync(report, 'utf8')))) note(line);
  return withExitCode(readReport(report, playwrightCounts), ok);
}

function skipped(reason: string): Counts {
  note(`Skipped: ${reason}.`);
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
