import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** An empty folder with packages of the registry, in which programs of other libraries run. */
export class PeersFolder implements Disposable {
  readonly path: string;
  readonly #ours: boolean;

  /** Installs the packages into a temporary folder; with `existing`, takes that folder as it is. */
  constructor(packages: readonly string[], existing?: string) {
    this.#ours = existing === undefined;
    this.path = existing ?? mkdtempSync(join(tmpdir(), 'pravah-bench-peers-'));
    if (!this.#ours) return;
    writeFileSync(join(this.path, 'package.json'), '{ "type": "module", "private": true }');
    const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
    execFileSync(npm, ['install', '--ignore-scripts', '--no-audit', '--no-fund', ...packages], { cwd: this.path, stdio: 'ignore' });
  }

  /** Runs a program as a process of its own. */
  run(program: string): ReturnType<typeof runProgram> {
    return runProgram(this.path, program);
  }

  [Symbol.dispose](): void {
    if (this.#ours) rmSync(this.path, { recursive: true, force: true });
  }
}

/** Runs a program in a folder, without the telemetry of other libraries. */
export function runProgram(folder: string, program: string) {
  const file = join(folder, 'program.mjs');
  writeFileSync(file, program);
  const env = { ...process.env, NODE_ENV: 'production', MASTRA_TELEMETRY_DISABLED: '1', LANGSMITH_TRACING: 'false' };
  const { status, stdout, stderr } = spawnSync(process.execPath, [file], { cwd: folder, encoding: 'utf8', timeout: 120_000, env });
  return { status, stdout: stdout.trim(), stderr: stderr.trim().slice(-2_000) };
}

/** The figure that a program prints last. Throws with what it printed if it fails. */
export function figureOf({ status, stdout, stderr }: ReturnType<typeof runProgram>): number {
  const figure = Number(stdout.split('\n').at(-1));
  if (status !== 0 || Number.isNaN(figure)) throw new Error(`A program failed: ${stderr || stdout}`);
  return figure;
}

/** Median and range of figures, with a unit behind them. */
export function spread(figures: readonly number[], digits: number, unit: string): string {
  const sorted = figures.toSorted((one, other) => one - other);
  const median = sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
  return `${median.toFixed(digits)} (${sorted[0]?.toFixed(digits)} to ${sorted.at(-1)?.toFixed(digits)}) ${unit}`;
}
