import { readFile } from 'node:fs/promises';
import { basename, dirname, relative, resolve } from 'node:path';
import type { Plugin } from 'vite';

const FILE_URL = /new URL\(\s*(['"])(\.{1,2}\/[^'"]+\.[a-z]+)\1,\s*import\.meta\.url,?\s*\)/g;

/**
 * Lets Node code refer to a sibling file in the way that also works without a build: `new URL('./worker.ts', import.meta.url)`.
 * In a bundle a TypeScript file becomes an entry of its own in the folder `workers`, named by its path below `sourceFolder` with
 * dashes (for `new Worker`); any other file becomes an asset.
 */
export function fileUrls(sourceFolder: string, workers: string): Plugin {
  return {
    name: 'pravah:file-urls',
    apply: 'build',
    enforce: 'pre',
    async transform(code, id) {
      if (!id.endsWith('.ts') || id.includes('/node_modules/') || !code.includes('import.meta.url')) return null;
      let result = '';
      let end = 0;
      for (const match of code.matchAll(FILE_URL)) {
        const file = resolve(dirname(id), match[2] ?? '');
        const reference = file.endsWith('.ts')
          ? this.emitFile({ type: 'chunk', id: file, fileName: `${workers}/${dashed(relative(sourceFolder, file))}.js` })
          : this.emitFile({ type: 'asset', name: basename(file), source: await readFile(file) });
        result += `${code.slice(end, match.index)}new URL(import.meta.ROLLUP_FILE_URL_${reference})`;
        end = match.index + match[0].length;
      }
      return end === 0 ? null : { code: result + code.slice(end), map: null };
    },
    resolveFileUrl({ relativePath, format }) {
      const path = JSON.stringify(relativePath.startsWith('.') ? relativePath : `./${relativePath}`);
      const base = format === 'cjs' ? "require('node:url').pathToFileURL(__filename)" : 'import.meta.url';
      return `new URL(${path}, ${base}).href`;
    },
  };
}

const dashed = (path: string) => path.replace(/\.ts$/, '').replaceAll(/[\\/]/g, '-');
