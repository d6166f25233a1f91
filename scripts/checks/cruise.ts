import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { SOURCE_FOLDERS } from './source-files.ts';

export interface Import {
  /** File that imports. */
  readonly from: string;
  readonly to: string;
}

export interface Violation extends Import {
  readonly rule: string;
}

export interface Cruise {
  /** Every file below the source folders that was examined. */
  readonly examined: readonly string[];
  readonly violations: readonly Violation[];
  readonly imports: readonly Import[];
}

interface CruiserOutput {
  readonly modules: readonly { readonly source: string; readonly dependencies: readonly { readonly resolved: string }[] }[];
  readonly summary: {
    readonly violations: readonly { readonly from: string; readonly to: string; readonly rule: { readonly name: string } }[];
  };
}

/** Examines the imports of a checkout with its `.dependency-cruiser.cjs`. */
export function cruise(root: string): Cruise {
  const program = join(root, 'node_modules', 'dependency-cruiser', 'bin', 'dependency-cruiser.mjs');
  const args = [program, '--config', '.dependency-cruiser.cjs', '--output-type', 'json', ...SOURCE_FOLDERS];
  const result = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8', maxBuffer: 256 * 1024 * 1024 });
  if (!result.stdout.startsWith('{')) throw new Error(`dependency-cruiser answered no JSON: ${result.stderr || result.stdout}`);
  const { modules, summary } = JSON.parse(result.stdout) as CruiserOutput;
  return {
    examined: modules.map(({ source }) => source).filter((source) => SOURCE_FOLDERS.some((folder) => source.startsWith(`${folder}/`))),
    violations: summary.violations.map(({ from, to, rule }) => ({ from, to, rule: rule.name })),
    imports: modules.flatMap(({ source, dependencies }) => dependencies.map(({ resolved }) => ({ from: source, to: resolved }))),
  };
}
