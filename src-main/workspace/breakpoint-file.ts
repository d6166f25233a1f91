import { randomUUID } from 'node:crypto';
import { type FSWatcher, watch } from 'node:fs';
import { lstat, mkdir, open, rename, rm, rmdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import { codeOf, fileFailure, isMissing } from '#main/platform/file-failure.ts';
import { isOurs } from '#main/platform/owner.ts';
import { FolderRecords } from '#main/platform/profile.ts';
import { replaceFile } from '#main/platform/replace-file.ts';
import { type DebugFile, debugFileSchema } from '#shared/contract/breakpoint.ts';
import { FlowError } from '#shared/run/error.ts';
import { makePravahFolder } from './pravah-folder.ts';

const fileName = 'breakpoints.json';
/** A larger file is not ours. In bytes. */
const largestFile = 8 * 1024 * 1024;
/** A lock of this age is left over from a process that was killed, in milliseconds. */
const staleLock = 5000;
const lockPause = 10;
/** Changes within this time are reported once, in milliseconds. */
const quiet = 50;

/** What a breakpoint file holds. `notice`: why the file was not read, for the user. */
export interface ReadBreakpoints {
  readonly file: DebugFile;
  readonly notice: string | null;
  /** The file came with the folder, and the user has not taken it over. */
  readonly foreign: boolean;
}

/** Ids of the files that this user has made or taken over, by folder. */
const ownFiles = new FolderRecords('breakpoints', z.object({ id: z.string() }));

const empty: DebugFile = { pravah_debug: 1, breakpoints: [], watches: [], supplied: [] };

/**
 * The breakpoints and watches of a folder, in `.pravah/breakpoints.json`, readable by its owner only. Every process reads the file again before it changes
 * it, so changes of two processes are merged by id.
 */
export class BreakpointFile {
  readonly #workspace: string;
  #last: Promise<unknown> = Promise.resolve();

  constructor(workspace: string) {
    this.#workspace = workspace;
  }

  get path(): string {
    return join(this.#workspace, '.pravah', fileName);
  }

  /** Reads the file. A file that can't be read as breakpoints is renamed to end in `.broken`, which is reported once. */
  async read(): Promise<ReadBreakpoints> {
    const text = await readOwn(this.path);
    if (text === null) return { file: empty, notice: null, foreign: false };
    const own = await ownFiles.get(this.#workspace);
    return own ? this.#read(text, ({ id }) => id === own.id) : this.#foreign();
  }

  /** Makes a file that came with the folder this user's own. */
  async takeOver(): Promise<void> {
    await this.#inTurn(async () => {
      const text = await readOwn(this.path);
      if (text === null) return;
      const { file, notice } = await this.#read(text, () => true);
      if (notice === null) await this.#write(file);
    });
  }

  #foreign(): ReadBreakpoints {
    const notice = `${this.path} came with the folder, so its breakpoints, pins and mocks are off. Use them with the button in the studio's Debug tab.`;
    return { file: empty, notice, foreign: true };
  }

  async #read(text: string, isOwn: (file: DebugFile) => boolean): Promise<ReadBreakpoints> {
    const parsed = parse(text);
    if (parsed.ok) return isOwn(parsed.file) ? { file: parsed.file, notice: null, foreign: false } : this.#foreign();
    const aside = `${this.path}.broken`;
    await rename(this.path, aside).catch((error: unknown) => {
      if (!isMissing(error)) throw fileFailure('could not be read', this.path, error);
    });
    return {
      file: empty,
      notice: `The breakpoints could not be read: ${parsed.message}. The file was renamed to ${aside}. Set them again.`,
      foreign: false,
    };
  }

  /** Changes the newest content and writes it whole. Throws `FlowError` if the folder is not writable, and `Conflict` if the file came with the folder. */
  async change(edit: (file: DebugFile) => DebugFile): Promise<ReadBreakpoints> {
    return this.#inTurn(async () => {
      const { file, notice, foreign } = await this.read();
      if (foreign) throw new FlowError('Conflict', `Breakpoints can't be stored: ${notice}`);
      const edited = edit(file);
      if (edited !== file) await this.#write(edited);
      return { file: edited, notice, foreign };
    });
  }

  /** The id is in the profile before it is in the file, so that no other process takes the file for a foreign one. */
  async #write(file: DebugFile): Promise<void> {
    const id = (await ownFiles.get(this.#workspace))?.id ?? randomUUID();
    await ownFiles.set(this.#workspace, { id });
    await replaceFile(this.path, `${JSON.stringify({ ...file, id }, null, 2)}\n`, { mode: 0o600 });
  }

  /** Acts after earlier changes of this process, and without other processes. */
  #inTurn<T>(act: () => Promise<T>): Promise<T> {
    const acted = this.#last.then(async () => {
      try {
        makePravahFolder(this.#workspace);
        return await this.#locked(act);
      } catch (error) {
        throw error instanceof FlowError ? error : fileFailure('could not be written', this.path, error);
      }
    });
    this.#last = acted.catch(() => undefined);
    return acted;
  }

  /** Keeps other processes from writing between reading and writing. */
  async #locked<T>(act: () => Promise<T>): Promise<T> {
    const lock = `${this.path}.lock`;
    while (!(await tryLock(lock))) await wait(lockPause);
    try {
      return await act();
    } finally {
      await rmdir(lock).catch(() => undefined);
    }
  }

  /** Calls `onChange` after the file was written by any process, until the returned function is called. */
  watch(onChange: () => void): () => void {
    let timer: NodeJS.Timeout | undefined;
    let inner: FSWatcher | undefined;
    const notice = () => {
      timer ??= setTimeout(() => {
        timer = undefined;
        onChange();
      }, quiet);
    };
    const watchFolder = () => {
      inner ??= tryWatch(join(this.#workspace, '.pravah'), (name) => {
        if (name === null || name === fileName) notice();
      });
    };
    watchFolder();
    // The folder may be created later.
    const outer = tryWatch(this.#workspace, (name) => {
      if (name !== '.pravah' || inner) return;
      watchFolder();
      notice();
    });
    return () => {
      clearTimeout(timer);
      inner?.close();
      outer?.close();
    };
  }
}

function tryWatch(path: string, listener: (name: string | null) => void): FSWatcher | undefined {
  try {
    const watcher = watch(path, { persistent: false }, (_event, name) => listener(name));
    watcher.on('error', () => watcher.close());
    return watcher;
  } catch {
    // It is missing, or the system's watch limit is reached.
    return undefined;
  }
}

async function tryLock(path: string): Promise<boolean> {
  try {
    await mkdir(path, { mode: 0o700 });
    return true;
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
    const found = await stat(path).catch(() => null);
    if (found && Date.now() - found.mtimeMs > staleLock) await rm(path, { recursive: true, force: true });
    return false;
  }
}

/** Returns the text of a regular file of this user; null if there is none. */
async function readOwn(path: string): Promise<string | null> {
  try {
    const found = await lstat(path);
    if (!found.isFile() || !isOurs(found) || found.size > largestFile) return null;
    const handle = await open(path, 'r');
    try {
      return await handle.readFile('utf8');
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (isMissing(error)) return null;
    throw fileFailure('could not be read', path, error);
  }
}

type Parsed = { readonly ok: true; readonly file: DebugFile } | { readonly ok: false; readonly message: string };

function parse(text: string): Parsed {
  try {
    const parsed = debugFileSchema.safeParse(JSON.parse(text));
    if (parsed.success) return { ok: true, file: parsed.data };
    const [issue] = parsed.error.issues;
    return { ok: false, message: `${issue?.message ?? 'it has another form'} at /${issue?.path.join('/') ?? ''}` };
  } catch (error) {
    return { ok: false, message: error instanceof Error ? error.message : String(error) };
  }
}
