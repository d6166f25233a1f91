import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { slowness } from '#main/testing/slowness.ts';
import { productNamed } from '#scripts/package/products.ts';

const root = join(import.meta.dirname, '../..');

/** The strictest options of a user's `tsconfig.json`. */
const compilerOptions = {
  module: 'nodenext',
  target: 'es2022',
  strict: true,
  noEmit: true,
  types: ['node'],
  skipLibCheck: false,
  allowImportingTsExtensions: true,
};

/** A user's project with only the built packages installed. */
export class UserProject {
  readonly folder: string;

  /** Builds the packages and installs them in a new temporary folder. */
  constructor() {
    execFileSync(process.execPath, [join(root, 'scripts/build.mjs'), 'runtime'], { stdio: 'ignore' });
    this.folder = mkdtempSync(join(tmpdir(), 'pravah-package-'));
    for (const name of ['pravah', 'pravah-studio']) {
      const installed = join(this.folder, 'node_modules', name);
      mkdirSync(installed, { recursive: true });
      const exports = productNamed(name).exports;
      writeFileSync(join(installed, 'package.json'), JSON.stringify({ name, type: 'module', exports }));
      for (const folder of ['out/runtime', 'out/runtime-chunks', 'out/library-types'])
        cpSync(join(root, folder), join(installed, folder), { recursive: true });
    }
    const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { dependencies: Record<string, string> };
    for (const name of [...Object.keys(dependencies), '@types/node', 'undici-types']) {
      if (name === 'electron') continue;
      const link = join(this.folder, 'node_modules', name);
      mkdirSync(dirname(link), { recursive: true });
      symlinkSync(join(root, 'node_modules', name), link, 'junction');
    }
    writeFileSync(join(this.folder, 'package.json'), '{ "type": "module" }');
  }

  write(name: string, text: string): void {
    writeFileSync(join(this.folder, name), text);
  }

  /** Runs a file with Node and returns its output. Throws if it fails. */
  run(name: string, args: readonly string[] = [], env: NodeJS.ProcessEnv = {}): string {
    const options = { cwd: this.folder, encoding: 'utf8', timeout: 60_000 * slowness, env: { ...process.env, ...env } } as const;
    return execFileSync(process.execPath, [name, ...args], options);
  }

  /** The compiler's messages about these files; empty when there are none. */
  typeErrors(files: readonly string[]): string {
    this.write('tsconfig.json', JSON.stringify({ compilerOptions, files }));
    const tsc = join(root, 'node_modules/typescript/lib/tsc.js');
    return spawnSync(process.execPath, [tsc, '-p', this.folder], { cwd: this.folder, encoding: 'utf8' }).stdout;
  }

  [Symbol.dispose](): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
