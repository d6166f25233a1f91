import { extname } from 'node:path';
import type { Plugin } from 'vite';

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.ttf': 'font/ttf',
  '.woff': 'font/woff',
  '.woff2': 'font/woff2',
};

/**
 * Writes `files.json` next to the page: an object of content types by path (`"assets/index-1a2b.js": "text/javascript…"`). Both hosts
 * serve what is in that list and nothing else. A file of an unknown kind fails the build.
 */
export function fileList(): Plugin {
  return {
    name: 'pravah:file-list',
    apply: 'build',
    enforce: 'post',
    generateBundle(_options, bundle) {
      const paths = Object.keys(bundle).filter((path) => !path.endsWith('.map'));
      const types = paths.sort().map((path) => [path, contentType(path)] as const);
      this.emitFile({ type: 'asset', fileName: 'files.json', source: `${JSON.stringify(Object.fromEntries(types), null, 1)}\n` });
    },
  };
}

/** The content type of a file by its name's ending. */
export function contentType(path: string): string {
  const type = CONTENT_TYPES[extname(path)];
  if (!type) throw new Error(`files.json: no content type is known for ${path}; add it to scripts/build/file-list.ts`);
  return type;
}
