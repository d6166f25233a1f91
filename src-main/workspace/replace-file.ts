import { randomBytes } from 'node:crypto';
import { type FileHandle, lstat, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';

export interface ReplaceOptions {
  /** Permission bits of a file that does not exist yet; one that does keeps its own. Default: 0o666 less the umask. */
  readonly mode?: number;
  /** Looks once more just before the new content takes the name; what it throws leaves everything as it was. */
  readonly check?: () => Promise<void>;
}

/**
 * Gives `path` new content so that a reader, a crash or a full disk sees the old or the new file and never a part: temporary file beside it,
 * fsync, rename. A hard link to the old file keeps the old content. Throws Node's errors; nothing has changed then.
 */
export async function replaceFile(path: string, content: string | Uint8Array, options: ReplaceOptions = {}): Promise<void> {
  const folder = dirname(path);
  await clearLeftBehind(folder);
  const temporary = join(folder, `.pravah-${process.pid}-${randomBytes(9).toString('base64url')}.tmp`);
  const former = await permissionsOf(path);
  const handle = await open(temporary, 'wx', former ?? options.mode ?? 0o666);
  try {
    await writeWhole(handle, content, former);
    await options.check?.();
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  await syncFolder(folder);
}

/** Folders in which this process has looked for what others left behind, by device and inode: one that is held open has many paths. */
const cleared = new Set<string>();

/** Removes temporary files of processes that were killed before the rename. Looks once in a folder: it may be large. */
async function clearLeftBehind(folder: string): Promise<void> {
  const found = await stat(folder).catch(() => null);
  const id = found && `${found.dev}:${found.ino}`;
  if (id === null || cleared.has(id)) return;
  cleared.add(id);
  for (const name of await readdir(folder).catch(() => [])) {
    const pid = /^\.pravah-(\d+)-[\w-]{12}\.tmp$/.exec(name)?.[1];
    if (pid !== undefined && hasEnded(Number(pid))) await rm(join(folder, name), { force: true });
  }
}

function hasEnded(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ESRCH';
  }
}

async function writeWhole(handle: FileHandle, content: string | Uint8Array, mode: number | null): Promise<void> {
  try {
    if (mode !== null) await handle.chmod(mode);
    await handle.writeFile(content);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function permissionsOf(path: string): Promise<number | null> {
  try {
    return (await lstat(path)).mode & 0o777;
  } catch {
    return null;
  }
}

/** Makes a rename durable. Windows cannot open a folder; there the rename is as durable as it gets. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => null);
  try {
    await handle?.sync();
  } catch {
    // Some file systems refuse to sync a folder; the content itself is on disk.
  } finally {
    await handle?.close();
  }
}
