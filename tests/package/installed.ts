import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { productNamed } from '#scripts/package/products.ts';
import { stage } from '#scripts/package/stage.ts';

const root = join(import.meta.dirname, '../..');
/** npm beside the Node that runs, else the system's. */
const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
/** Failures of npm that say something about the network and nothing about the package. */
const UNREACHABLE = /ENOTFOUND|ECONNREFUSED|ECONNRESET|EAI_AGAIN|ETIMEDOUT|ERR_SOCKET_TIMEOUT/;

/** The paths of all files below a folder. */
export function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8', withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

/** A published package, packed and installed into an empty folder of its own. */
export class Installed {
  readonly folder: string;
  /** The tarball, and its size in bytes. */
  readonly tarball: string;
  readonly packedSize: number;
  /** Why it could not be installed on this machine; undefined where it was. */
  readonly unreachable: string | undefined;

  /** Stages, packs and installs a product with its dependencies and `others` from the registry that npm is configured with. */
  constructor(name: string, others: readonly string[] = []) {
    this.folder = mkdtempSync(join(tmpdir(), `${name}-installed-`));
    const staged = join(this.folder, 'staged');
    stage(root, productNamed(name), staged);
    const { stdout } = this.npm(['pack', '--json', '--ignore-scripts', staged]);
    const [packed] = Object.values(JSON.parse(stdout)) as [{ filename: string; size: number }];
    rmSync(staged, { recursive: true });
    this.packedSize = packed.size;
    this.tarball = join(this.folder, packed.filename);
    this.write('package.json', '{ "private": true, "type": "module" }');
    const install = () => this.npm(['install', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline', this.tarball, ...others]);
    let result = install();
    if (result.status !== 0 && UNREACHABLE.test(result.stderr)) result = install();
    if (result.status === 0) return;
    if (!UNREACHABLE.test(result.stderr)) throw new Error(`npm install failed: ${result.stderr}`);
    this.unreachable = 'no package registry can be reached';
  }

  /** Names and versions of the installed packages. */
  get packages(): string[] {
    const lock = JSON.parse(readFileSync(join(this.folder, 'package-lock.json'), 'utf8')) as { packages: Record<string, object> };
    return Object.keys(lock.packages).filter((path) => path !== '');
  }

  /** Bytes of all installed files. */
  get installedSize(): number {
    const sizes = filesBelow(join(this.folder, 'node_modules')).map((file) => statSync(file).size);
    return sizes.reduce((sum, size) => sum + size, 0);
  }

  write(name: string, text: string): void {
    writeFileSync(join(this.folder, name), text);
  }

  /** Runs a Node program in the folder, with a profile of its own. */
  node(args: readonly string[], node = process.execPath): SpawnSyncReturns<string> {
    return spawnSync(node, args, { cwd: this.folder, encoding: 'utf8', timeout: 120_000, env: this.environment });
  }

  /** Of a machine that has nothing but Node. */
  get environment(): NodeJS.ProcessEnv {
    return { PATH: dirname(process.execPath), HOME: this.folder, USERPROFILE: this.folder, APPDATA: this.folder };
  }

  [Symbol.dispose](): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  private npm(args: readonly string[]): SpawnSyncReturns<string> {
    const options = { cwd: this.folder, encoding: 'utf8', timeout: 180_000, shell: process.platform === 'win32' } as const;
    return spawnSync(npm, args, options);
  }
}
