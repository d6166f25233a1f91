import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ROOT, SOURCE_FOLDERS } from './source-files.ts';

/** A copy of the sources in which a test can plant a violation. */
export interface PlantedCheckout extends Disposable {
  readonly root: string;
  /** Writes a file and creates its folder if it is missing. */
  plant(path: string, text: string): void;
}

/**
 * Copies the configuration, and the sources where `withSources` says so, into a temporary folder; `node_modules` is a link.
 */
export function copyCheckout({ withSources }: { readonly withSources: boolean }): PlantedCheckout {
  const root = mkdtempSync(join(tmpdir(), 'pravah-planted-'));
  const configs = readdirSync(ROOT).filter((name) => /\.(json|ts|cjs)$/.test(name));
  const folders = SOURCE_FOLDERS.map((folder) => (withSources ? folder : join(folder, 'tsconfig.json')));
  for (const name of [...folders, ...configs]) cpSync(join(ROOT, name), join(root, name), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(root, 'node_modules'), 'junction');
  return {
    root,
    plant(path, text) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    },
    [Symbol.dispose]: () => rmSync(root, { recursive: true, force: true }),
  };
}
