import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { makeProfileFolder } from '#main/platform/profile.ts';
import { redirectPage } from './redirect-page.ts';

/** A file that redirects a browser to an address that other users of the machine must not learn. */
export interface LinkFile {
  /** Of the file, for a browser's arguments. */
  readonly url: string;
  /** Removes the file if it exists. */
  remove(): void;
}

const folderName = 'links';

/**
 * Writes a page that redirects to `address` into the profile, readable by its owner only: a program's arguments, by which a browser is
 * started, can be read by every user of the machine. The file is removed after `life` milliseconds; files left by ended processes are removed now. Throws
 * Node's errors.
 */
export async function writeLinkFile(address: string, life: number): Promise<LinkFile> {
  const folder = await makeProfileFolder(folderName);
  await removeOld(folder, life);
  const path = join(folder, `${randomUUID()}.html`);
  await writeFile(path, redirectPage(address), { mode: 0o600, flag: 'wx' });
  const remove = () => {
    clearTimeout(timer);
    rmSync(path, { force: true });
  };
  const timer = setTimeout(remove, life).unref();
  return { url: pathToFileURL(path).href, remove };
}

async function removeOld(folder: string, life: number): Promise<void> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    const found = await stat(path).catch(() => null);
    if (found && found.mtimeMs + life < Date.now()) await rm(path, { force: true });
  }
}
