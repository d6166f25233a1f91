import { lstat, realpath, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { isOurs } from '#main/platform/owner.ts';

/** The workspace of a flow. */
export interface FoundWorkspace {
  /** Real path. */
  readonly folder: string;
  /** Whether it is a parent of the folder where the search started. */
  readonly above: boolean;
  /** One line on why a parent folder with `pravah.json` was skipped; null if none was. */
  readonly notice: string | null;
}

/**
 * Returns the nearest folder, from `folder` upwards, that contains `pravah.json`; without one, `folder` itself. Parents are searched only as
 * far as they belong to the user and lie on the same file system, and below the home folder: settings that others can write, or that were
 * left in the home folder for something else, must not decide what a flow may do. The home folder is a workspace only for flows that lie in
 * it directly.
 */
export async function findWorkspace(folder: string): Promise<FoundWorkspace> {
  const start = await realpath(folder);
  const { dev } = await stat(start);
  const home = await realpath(homedir()).catch(() => homedir());
  const own: FoundWorkspace = { folder: start, above: false, notice: null };
  if (await settingsIn(start)) return own;
  for (let below = start, current = dirname(start); current !== below && below !== home; below = current, current = dirname(current)) {
    if (current === home) return own;
    const found = await stat(current);
    if (found.dev !== dev) return own;
    const settings = await settingsIn(current);
    if (settings && (!isOurs(found) || !isOurs(settings))) return { ...own, notice: foreignNotice(current, isOurs(found)) };
    if (!isOurs(found)) return own;
    if (settings) return { folder: current, above: true, notice: null };
  }
  return own;
}

/** Returns the stat of a folder's `pravah.json` (of the link itself if it is one); null without one. */
async function settingsIn(folder: string): Promise<{ readonly uid: number } | null> {
  const path = join(folder, 'pravah.json');
  const isFile = await stat(path).then(
    (found) => found.isFile(),
    () => false,
  );
  return isFile ? lstat(path) : null;
}

function foreignNotice(folder: string, folderIsOurs: boolean): string {
  const what = folderIsOurs ? join(folder, 'pravah.json') : folder;
  return `${folder} is not used as the workspace: ${what} belongs to another user. To use it anyway, pass it with --folder.`;
}
