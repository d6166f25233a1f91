import { createHash, randomUUID } from 'node:crypto';
import { accessSync, constants, existsSync, lstatSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { journalIdOf, makeProfileFolder, profileFolder, rememberJournalId } from '#main/platform/profile.ts';
import { makePravahFolder } from '#main/workspace/pravah-folder.ts';
import { FlowError } from '#shared/run/error.ts';
import { openDatabase } from './database.ts';
import { Journal } from './journal.ts';
import type { RunStore } from './run-store.ts';

/** The journals of one workspace: the one for new runs, and others whose runs can be viewed. */
export interface WorkspaceJournals {
  /** Real path of the workspace. */
  readonly folder: string;
  /** New runs are written here. */
  readonly main: Journal;
  /** A journal that came with the folder (read-only), and the profile's journal of it where `main` is the folder's own. */
  readonly others: readonly Journal[];
  /** Notice on where runs are stored if `.pravah/` is not ours or not writable; else null. */
  readonly notice: string | null;
}

/** Whether the folder has, or had when its journals were opened, a journal of its own. */
export function hasOwnJournal(folder: string): boolean {
  return existsSync(ownPath(folder));
}

/**
 * Opens the journals of a workspace for viewing or continuing its runs: like `openWorkspaceJournals`, but creates nothing in the
 * folder. If it has no journal yet, the main one is the profile's journal of it, or an empty one in memory.
 */
export async function openExistingJournals(folder: string): Promise<WorkspaceJournals> {
  if (hasOwnJournal(folder) || !isRealFolder(join(folder, '.pravah'))) return openWorkspaceJournals(folder);
  const [inProfile] = openIfThere(profilePath(folder));
  const notice = isWritable(folder) ? null : `${join(folder, '.pravah')} is not writable. Runs are stored in ${profilePath(folder)}.`;
  return { folder, main: inProfile ?? Journal.open(':memory:'), others: [], notice };
}

/**
 * Opens (or creates) the journals of a workspace, given by its real path. `.pravah/runs.db` is used if its random id is the one that
 * the profile remembers for this folder, or if it did not exist; otherwise new runs go to a journal in the profile.
 */
export async function openWorkspaceJournals(folder: string): Promise<WorkspaceJournals> {
  const own = await openOwn(folder);
  if (own.journal) return { folder, main: own.journal, others: openIfThere(profilePath(folder)), notice: null };
  const main = await openInProfile(folder);
  return { folder, main, others: own.foreign ? [own.foreign] : [], notice: `${own.reason} Runs are stored in ${main.path}.` };
}

/** Opens the journal of a folder as a working copy of the runs in a store. */
export async function openWorkingCopy(folder: string, store: RunStore): Promise<WorkspaceJournals> {
  makePravahFolder(folder);
  return { folder, main: Journal.open(ownPath(folder), { in_use: true, store }), others: [], notice: null };
}

/** Removes what an earlier process left of a working copy. */
export function removeWorkingCopy(folder: string): void {
  for (const suffix of ['', '-wal', '-shm']) rmSync(`${ownPath(folder)}${suffix}`, { force: true });
}

export function closeJournals(journals: WorkspaceJournals): void {
  for (const journal of [journals.main, ...journals.others]) journal.close();
}

/** Returns the journal that contains a run. Throws `NotFound`. */
export function journalOf(journals: WorkspaceJournals, runId: string): Journal {
  const found = [journals.main, ...journals.others].find((journal) => journal.has(runId));
  if (!found) {
    throw new FlowError('NotFound', `There is no run ${runId} in ${journals.folder}. List the runs with: pravah runs.`, {
      details: { run_id: runId },
    });
  }
  return found;
}

type Own = { readonly journal: Journal } | { readonly journal?: undefined; readonly foreign?: Journal; readonly reason: string };

async function openOwn(folder: string): Promise<Own> {
  const path = ownPath(folder);
  if (!isRealFolder(join(folder, '.pravah')))
    return { reason: `${join(folder, '.pravah')} is not used because it is a link or not a folder.` };
  const existing = lstatSync(path, { throwIfNoEntry: false });
  if (existing && !existing.isFile()) return { reason: `${path} is not used because it is a link or not a file.` };
  if (!existing) return makeOwn(folder, path);
  const known = await journalIdOf(folder);
  try {
    if (known === null || known !== readId(path)) return await adoptOrView(folder, path);
    return { journal: Journal.open(path) };
  } catch (error) {
    if (!isUnwritable(error)) throw error;
    return { foreign: Journal.openForeign(path), reason: `${path} is not writable.` };
  }
}

async function makeOwn(folder: string, path: string): Promise<Own> {
  let journal: Journal;
  try {
    makePravahFolder(folder);
    journal = Journal.open(path);
  } catch (error) {
    if (!isUnwritable(error)) throw error;
    return { reason: `${join(folder, '.pravah')} is not writable.` };
  }
  await rememberJournalId(folder, identify(journal));
  return { journal };
}

/** A journal whose id the profile does not know is foreign, unless it is still empty. */
async function adoptOrView(folder: string, path: string): Promise<Own> {
  const reason = `${path} was not created here by you, so its runs can be viewed but not continued.`;
  const foreign = hasNoTables(path) ? null : Journal.openForeign(path);
  const hasRuns = foreign !== null && foreign.rows({ limit: 1 }).length > 0;
  // Another process of this user may have just created it; it stores the id in the profile before its first run.
  if (hasRuns && (await journalIdOf(folder)) !== foreign.id) return { foreign, reason };
  foreign?.close();
  return makeOwn(folder, path);
}

/** Whether a file is empty, or is currently being initialized as a journal. */
function hasNoTables(path: string): boolean {
  if (statSync(path).size === 0) return true;
  const database = openDatabase(path, { readonly: true });
  try {
    const row = database.prepare('SELECT count(*) AS count FROM sqlite_schema').get() as { count: number };
    return row.count === 0;
  } catch {
    return false;
  } finally {
    database.close();
  }
}

async function openInProfile(folder: string): Promise<Journal> {
  await makeProfileFolder('runs', folderName(folder));
  const journal = Journal.open(profilePath(folder));
  identify(journal);
  return journal;
}

function openIfThere(path: string): Journal[] {
  return statSync(path, { throwIfNoEntry: false }) ? [Journal.open(path)] : [];
}

function ownPath(folder: string): string {
  return join(folder, '.pravah', 'runs.db');
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

function profilePath(folder: string): string {
  return join(profileFolder(), 'runs', folderName(folder), 'runs.db');
}

function folderName(folder: string): string {
  return createHash('sha256').update(folder).digest('hex').slice(0, 32);
}

function identify(journal: Journal): string {
  if (journal.id === null) journal.setId(randomUUID());
  return journal.id as string;
}

/** Reads the id in a file without trusting or changing the file. */
function readId(path: string): string | null {
  const database = openDatabase(path, { readonly: true });
  try {
    const row = database.prepare("SELECT value FROM meta WHERE key = 'journal_id'").get() as { value: unknown } | undefined;
    return typeof row?.value === 'string' ? row.value : null;
  } catch {
    return null;
  } finally {
    database.close();
  }
}

function isRealFolder(path: string): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false });
  return found === undefined || found.isDirectory();
}

function isUnwritable(error: unknown): boolean {
  const code = error instanceof FlowError ? error.options.details?.sqlite : (error as NodeJS.ErrnoException).code;
  return ['EACCES', 'EROFS', 'EPERM', 'SQLITE_CANTOPEN', 'SQLITE_READONLY', 'SQLITE_READONLY_DIRECTORY'].includes(String(code));
}
