import { globSync } from 'node:fs';
import { join } from 'node:path';

/** Folders that hold source code. */
export const SOURCE_FOLDERS = ['src-shared', 'src-main', 'src-renderer', 'e2e', 'scripts', 'tests', 'editors'] as const;

/** The checkout. */
export const ROOT: string = join(import.meta.dirname, '..', '..');

/** All source files, relative to the root, with `/`. */
export function sourceFiles(root: string = ROOT): string[] {
  const patterns = SOURCE_FOLDERS.map((folder) => `${folder}/**/*.{ts,tsx,mjs,cjs,js}`);
  return globSync(patterns, { cwd: root }).map((path) => path.replaceAll('\\', '/'));
}
