import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** The figures of one sample. A missing figure is NaN. */
export interface Result {
  /** Steps, iterations or runs a second. */
  readonly perSec: number;
  /** Milliseconds from the start of the process to its first step. */
  readonly ms: number;
  /** Memory of the process at its end, in bytes. */
  readonly rss: number;
  /** What the files have grown by, in bytes a step. */
  readonly bytesPerStep: number;
}

/** A scratch copy of the peers' harness, with our engine among the peers. Nothing is written into the original. */
export class Harness implements Disposable {
  readonly #folder: string;

  private constructor(folder: string) {
    this.#folder = folder;
  }

  /** Copies the harness, and its packages by reference, which are installed into the copy where the original has none. */
  static copyOf(original: string, root: string): Harness {
    if (!existsSync(join(original, 'measure.mjs'))) throw new Error(`${original} holds no harness. Name its folder: --harness DIR.`);
    const folder = mkdtempSync(join(tmpdir(), 'pravah-bench-'));
    for (const name of ['lib', 'peers', 'measure.mjs', 'startup.mjs', 'package.json']) {
      cpSync(join(original, name), join(folder, name), { recursive: true });
    }
    cpSync(join(root, 'bench', 'peers'), join(folder, 'peers'), { recursive: true });
    mkdirSync(join(folder, 'data'));
    const packages = join(original, 'node_modules');
    if (existsSync(packages)) linkAll(packages, join(folder, 'node_modules'));
    else spawnSync('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: folder, stdio: 'inherit' });
    symlinkSync(root, join(folder, 'node_modules', 'pravah-studio'), 'junction');
    return new Harness(folder);
  }

  /** Where the adapters are. */
  get peers(): string {
    return join(this.#folder, 'peers');
  }

  /** Measures once, in a process of its own. Throws with what it printed when it fails. */
  sample(peer: string, measure: Readonly<Record<string, unknown>> | undefined): Result {
    const [name = '', mode] = peer.split('/');
    const args = measure
      ? ['measure.mjs', name, JSON.stringify({ ...measure, ...(mode && { mode }) })]
      : ['startup.mjs', name, ...(mode ? [mode] : [])];
    const env = { ...process.env, NODE_ENV: 'production', MASTRA_TELEMETRY_DISABLED: '1', LANGSMITH_TRACING: 'false' };
    const { stdout, stderr } = spawnSync(process.execPath, args, { cwd: this.#folder, encoding: 'utf8', timeout: 60_000, env });
    const line = stdout.split('\n').findLast((text) => text.startsWith('RESULT '));
    if (!line) throw new Error(`${peer} has failed: ${(stderr || stdout).trim().slice(-500) || 'no result in a minute'}`);
    const unknown = { perSec: Number.NaN, ms: Number.NaN, rss: Number.NaN, bytesPerStep: Number.NaN };
    return { ...unknown, ...(JSON.parse(line.slice('RESULT '.length)) as Partial<Result>) };
  }

  [Symbol.dispose](): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

function linkAll(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true });
  mkdirSync(to);
  for (const name of readdirSync(from)) symlinkSync(join(from, name), join(to, name), 'junction');
}
