import { createHash } from 'node:crypto';
import { chmod, mkdir, readdir, readFile, realpath, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import { z } from 'zod';
import { replaceFile } from './replace-file.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Returns the user's folder for this application: `PRAVAH_HOME`, else the system's location. It may not exist yet. */
export function profileFolder(env: Environment = process.env, platform: NodeJS.Platform = process.platform): string {
  if (env.PRAVAH_HOME) return resolve(env.PRAVAH_HOME);
  if (platform === 'win32') return join(env.LOCALAPPDATA ?? join(homedir(), 'AppData', 'Local'), 'Pravah Studio');
  if (platform === 'darwin') return join(homedir(), 'Library', 'Application Support', 'Pravah Studio');
  // The XDG base directory specification requires ignoring relative values.
  const data = env.XDG_DATA_HOME && isAbsolute(env.XDG_DATA_HOME) ? env.XDG_DATA_HOME : join(homedir(), '.local', 'share');
  return join(data, 'pravah-studio');
}

/** Makes a folder inside the profile (or the profile itself), readable by its owner only, and returns its path. */
export async function makeProfileFolder(...names: string[]): Promise<string> {
  const root = profileFolder();
  await mkdir(root, { recursive: true, mode: 0o700 });
  await chmod(root, 0o700);
  const folder = join(root, ...names);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  return folder;
}

/**
 * Per-folder data in the profile, keyed by real path (and by `item` for several entries of one folder): one small
 * file per entry, so that windows and command lines never overwrite each other's. An unreadable entry counts as
 * absent.
 */
export class FolderRecords<T extends object> {
  private readonly name: string;
  private readonly schema: z.ZodType<T>;

  constructor(name: string, schema: z.ZodType<T>) {
    this.name = name;
    this.schema = schema;
  }

  async get(folder: string, item?: string): Promise<T | null> {
    const path = await realpath(folder);
    const entry = await this.read(join(profileFolder(), this.name, fileName(path, item)));
    // The name is a hash; the content contains the folder.
    return entry?.folder === path && entry.item === item ? entry.value : null;
  }

  async set(folder: string, value: T, item?: string): Promise<void> {
    const path = await realpath(folder);
    const entry = `${JSON.stringify({ folder: path, item, value: this.schema.parse(value) }, null, 2)}\n`;
    await replaceFile(join(await makeProfileFolder(this.name), fileName(path, item)), entry, { mode: 0o600 });
  }

  async remove(folder: string, item?: string): Promise<void> {
    // Entries of deleted folders can also be removed, by the path that `list` returns.
    const path = await realpath(folder).catch(() => folder);
    await rm(join(profileFolder(), this.name, fileName(path, item)), { force: true });
  }

  /** Returns all entries, unordered, including those of deleted folders. */
  async list(): Promise<{ folder: string; item?: string | undefined; value: T }[]> {
    const root = join(profileFolder(), this.name);
    const names = await readdir(root).catch(() => []);
    const entries = await Promise.all(names.filter((name) => name.endsWith('.json')).map((name) => this.read(join(root, name))));
    return entries.filter((entry) => entry !== null);
  }

  private async read(file: string): Promise<{ folder: string; item?: string | undefined; value: T } | null> {
    try {
      return z
        .object({ folder: z.string(), item: z.string().optional(), value: this.schema })
        .parse(JSON.parse(await readFile(file, 'utf8')));
    } catch {
      return null;
    }
  }
}

function fileName(path: string, item?: string): string {
  const key = item === undefined ? path : `${path}\0${item}`;
  return `${createHash('sha256').update(key).digest('hex')}.json`;
}

const recentFolders = new FolderRecords('recent', z.object({ opened_at: z.number() }));

/** Records that a folder was opened. */
export async function rememberFolder(folder: string, openedAt: number): Promise<void> {
  await recentFolders.set(folder, { opened_at: openedAt });
}

/** Returns the recently opened folders, latest first. */
export async function recentlyOpened(limit = 20): Promise<{ folder: string; opened_at: number }[]> {
  const entries = (await recentFolders.list()).map(({ folder, value }) => ({ folder, opened_at: value.opened_at }));
  return entries.sort((one, other) => other.opened_at - one.opened_at).slice(0, limit);
}

const journals = new FolderRecords('journals', z.object({ journal_id: z.string().min(1) }));

/** Returns the id of the journal that this user's runs created in a folder, if any. A `runs.db` with another id is not ours. */
export async function journalIdOf(folder: string): Promise<string | null> {
  return (await journals.get(folder))?.journal_id ?? null;
}

export async function rememberJournalId(folder: string, journalId: string): Promise<void> {
  await journals.set(folder, { journal_id: journalId });
}
