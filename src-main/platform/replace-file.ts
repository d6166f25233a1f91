import { randomBytes } from 'node:crypto';
import { type FileHandle, lstat, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';

export interface ReplaceOptions {
  /** Permission bits of a new file; an existing one keeps its own. Default: 0o666 minus the umask. */
  readonly mode?: number;
  /** A final check just before the rename; if it throws, nothing is changed. */
  readonly check?: () => Promise<void>;
}

/**
 * Replaces the content of `path` atomically, so that a reader, a crash or a full disk never leaves a partial file: temporary file beside it,
 * fsync, rename. A hard link to the old file keeps the old content. If it throws Node's errors, nothing was changed.
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

/** Folders that this process has cleaned of leftover files, by device and inode: an open folder has many paths. */
const cleared = new Set<string>();

/** Removes temporary files of processes that were killed before the rename. Runs once per folder, which may be large. */
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

/** Makes a rename durable. Does nothing on Windows, which can't open a folder. */
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
