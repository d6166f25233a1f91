import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { minifySync } from 'vite';
import { externalsOf } from './externals.ts';
import { manifestOf, type TopManifest } from './manifest.ts';
import type { Product } from './products.ts';

/**
 * Writes a product to `folder`, ready for `npm pack`: its built files made smaller and without source maps, README, LICENSE and a manifest computed from what
 * the files load. Replaces what was there. The product's build parts have to be built.
 */
export function stage(root: string, product: Product, folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  const copy = (path: string, target = path) => {
    mkdirSync(dirname(join(folder, target)), { recursive: true });
    cpSync(join(root, path), join(folder, target), { recursive: true, filter: (source) => !source.endsWith('.map') });
  };
  for (const path of [...product.files, 'LICENSE']) copy(path);
  copy(product.readme, 'README.md');
  const externals = new Set<string>();
  for (const file of scriptsBelow(join(folder, 'out'))) {
    // Before its names get shorter, `createRequire` among them.
    for (const name of externalsOf(file)) externals.add(name);
    writeFileSync(file, minified(file, { function: product.keepsFunctionNames, class: true }));
  }
  for (const file of filesBelow(join(folder, 'out'), /\.d\.ts$/)) rewrite(file, (text) => text.replace(/^[ \t]+/gm, ''));
  for (const file of filesBelow(join(folder, 'out'), /\.py$/)) rewrite(file, withoutDocstrings);
  for (const file of filesBelow(join(folder, 'resources/schemas'), /\.json$/))
    writeFileSync(file, JSON.stringify(JSON.parse(readFileSync(file, 'utf8'))));
  if (!product.keepsHashes) shortenNames(join(folder, 'out'));
  const top = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as TopManifest;
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifestOf(product, externals, top), null, 2)}\n`);
}

function rewrite(file: string, change: (text: string) => string): void {
  writeFileSync(file, change(readFileSync(file, 'utf8')));
}

/**
 * Leaves the hashes out of the names of chunks of a package of which nothing is cached by its name. A name that two files of a folder would share stays.
 */
function shortenNames(folder: string): void {
  const files = filesBelow(folder, /\.(?:[cm]?js|d\.ts|py)$/);
  const shortened = Map.groupBy(
    files.filter((file) => hashedName.test(basename(file))),
    (file) => join(dirname(file), basename(file).replace(hashedName, '$1$2')),
  );
  const renamed = [...shortened].flatMap(([to, [from, second]]) => (from && !second && !existsSync(to) ? [{ from, to }] : []));
  // Declarations name each other as scripts.
  const nameOf = (file: string) => basename(file).replace(/\.d\.ts$/, '.js');
  const names = new Map(renamed.map(({ from, to }) => [nameOf(from), nameOf(to)]));
  for (const file of files) rewrite(file, (text) => text.replace(/[\w.-]+-[\w-]{8}\.(?:[cm]?js|py)/g, (name) => names.get(name) ?? name));
  for (const { from, to } of renamed) renameSync(from, to);
}

const hashedName = /^(.+)-[\w-]{8}(\.(?:[cm]?js|d\.ts|py))$/;

/** Python without the docstrings that stand before other statements of their module, class or function. */
export function withoutDocstrings(python: string): string {
  return python.replace(/(^|:\n)([ \t]*)"""(?:(?!""")[^\\])*"""\n(?=\n*\2[^\s])/g, '$1');
}

/** A built script made smaller. What keeps its name can be found in a stack trace. */
function minified(file: string, keepNames: { readonly function: boolean; readonly class: boolean }): string {
  const text = readFileSync(file, 'utf8').replace(/\n\/\/# sourceMappingURL=\S+\s*$/, '\n');
  const { code, errors } = minifySync(file, text, {
    compress: { target: 'es2023', keepNames },
    mangle: { keepNames },
    codegen: true,
  });
  if (errors.length > 0) throw new Error(`${file} cannot be made smaller: ${errors[0]?.message}`);
  return code;
}

/** The built scripts that Node runs. The page's are bundled for browsers, which load no packages. */
function scriptsBelow(folder: string): string[] {
  return filesBelow(folder, /^(?!(?:renderer|swagger-ui)[\\/]).*\.[cm]?js$/);
}

function filesBelow(folder: string, wanted: RegExp): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => wanted.test(path))
    .map((path) => join(folder, path))
    .filter((path) => statSync(path).isFile());
}
