import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';

/** `files.json` of a build: content types of the page's files by path, relative and with `/`. */
const fileListSchema = z.record(z.string().min(1), z.string().min(1));

export interface PageFile {
  readonly type: string;
  readonly read: () => Promise<Uint8Array>;
}

/** The page's files by URL path (`/assets/index.js`). What the build did not list does not exist. */
export type PageFiles = ReadonlyMap<string, PageFile>;

/** Reads the list that the build wrote beside the page. */
export async function loadPageFiles(folder: string): Promise<PageFiles> {
  const list = fileListSchema.parse(JSON.parse(await readFile(join(folder, 'files.json'), 'utf8')));
  return new Map(Object.entries(list).map(([path, type]) => [`/${path}`, { type, read: () => readFile(join(folder, path)) }]));
}

/** Returns the folder of the built page, relative to the bundle, the older Electron's bundle or this source. Throws if it is not built. */
export function pageFolder(): string {
  const places = ['../renderer', '../../renderer', '../../out/renderer'].map((path) => join(import.meta.dirname, path));
  const folder = places.find((place) => existsSync(join(place, 'files.json')));
  if (folder === undefined) throw new Error('The studio’s page is not built. Run “npm start” to build it.');
  return folder;
}
