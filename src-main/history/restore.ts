import type { Journal } from '#main/journal/journal.ts';
import type { ChangeRow } from '#main/journal/kept-files.ts';
import { leaseHolder } from '#main/journal/lease.ts';
import type { RunRow } from '#main/journal/rows.ts';
import { RunReader } from '#main/journal/run-reader.ts';
import type { FileChange } from '#main/runtime/recorder.ts';
import { removeFile, writeBytes } from '#main/tools/files/change-file.ts';
import { type FileState, fileState } from '#main/tools/files/file-state.ts';
import { type PathScope, type ResolvedPath, resolveWritable } from '#main/tools/files/resolve-path.ts';
import type { FileRestore, RestorePreview, RestoreResult } from '#shared/contract/time-travel.ts';
import { FlowError, ToolError, toTransferable } from '#shared/runtime/error.ts';

/** Longer texts are not shown, in bytes. */
const longestShown = 256 * 1024;

/** A file that a person wants restored, as that person saw it. */
export interface WantedFile {
  readonly path: string;
  readonly before_hash: string | null;
}

/** A file as it is to be: a content by its hash, or no file. */
interface Target {
  readonly path: string;
  readonly hash: string | null;
  /** Why its content is not on record; else empty. */
  readonly note: string;
  /** Contents that the run knows of: whatever else stands there is somebody else's. */
  readonly known: ReadonlySet<string | null>;
}

/**
 * What giving a folder's files back the contents that they had after record `seq` would change. Concerns the files that tools wrote in this run (flows inside it
 * included) and, of a fork, in the runs that it comes from: where the fork had not written a file yet, it is to be as the parent had it at the fork. What forks of
 * this run wrote is theirs. Throws `NotFound`, and `Conflict` for a run that came from elsewhere.
 */
export async function previewRestore(journal: Journal, runId: string, seq: number, scope: PathScope): Promise<RestorePreview> {
  const row = ownRow(journal, runId);
  // Says what is wrong with a number that is none of the run's.
  new RunReader(journal, row).foldAt(seq);
  const files: FileRestore[] = [];
  for (const target of targetsAt(journal, row, seq).values()) files.push(await previewFile(journal, scope, target));
  const [last] = journal.files.restores(row);
  const undoable = last ? { restore_id: last.restore, seq: last.seq, restored_at: last.restored_at } : null;
  return { run_id: runId, seq, files, undoable };
}

/**
 * Restores these files, each whole or not at all. One that is not as the person saw it is left alone. What is replaced is kept first. Throws `Conflict` while
 * somebody drives the run.
 */
export async function restoreFiles(
  journal: Journal,
  runId: string,
  seq: number,
  wanted: readonly WantedFile[],
  scope: PathScope,
  now: number,
): Promise<RestoreResult> {
  const row = restingRow(journal, runId, now);
  new RunReader(journal, row).foldAt(seq);
  const known = targetsAt(journal, row, seq);
  const restore = journal.writing(() => journal.files.beginRestore(row, seq, now));
  return apply(journal, restore, wanted, (path) => known.get(path), scope);
}

/** Gives back what a restoring of this run replaced, where the files are still as it left them. Throws `NotFound`. */
export async function undoRestore(
  journal: Journal,
  runId: string,
  restoreId: number,
  scope: PathScope,
  now: number,
): Promise<RestoreResult> {
  const row = restingRow(journal, runId, now);
  const found = journal.files.restores(row).find(({ restore }) => restore === restoreId);
  if (!found)
    throw new FlowError('NotFound', `No files of the run ${runId} were restored under number ${restoreId}.`, {
      details: { run_id: runId },
    });
  const replaced = journal.files.restored(restoreId);
  const known = new Map(
    replaced.map(({ path, before_hash, after_hash, note }): [string, Target] => [
      path,
      { path, hash: before_hash, note, known: new Set([before_hash, after_hash]) },
    ]),
  );
  const restore = journal.writing(() => journal.files.beginRestore(row, found.seq, now, restoreId));
  const wanted = replaced.map(({ path, after_hash }) => ({ path, before_hash: after_hash }));
  return apply(journal, restore, wanted, (path) => known.get(path), scope);
}

/** What each file that the run or one that it comes from wrote was after a record, by path. */
function targetsAt(journal: Journal, row: RunRow, seq: number): ReadonlyMap<string, Target> {
  const found = new Map<string, Target>();
  for (const { run, upTo } of lineOf(journal, row, seq)) {
    const byPath = Map.groupBy(journal.files.changes(run), ({ path }) => path);
    for (const [path, changes] of byPath) found.set(path, targetAfter(path, changes, upTo, found.get(path)));
  }
  return found;
}

/** The runs that a run comes from, the first one first, each with the record at which the next one left it; the run itself is the last. */
function lineOf(journal: Journal, row: RunRow, seq: number): readonly { readonly run: RunRow; readonly upTo: number }[] {
  const line = [{ run: row, upTo: seq }];
  const seen = new Set([row.run_id]);
  for (let origin = journal.forkOriginOf(row); origin && !seen.has(origin.run_id); ) {
    seen.add(origin.run_id);
    // A parent that was removed, or stands in a capsule or another journal, has nothing to tell.
    if (!journal.has(origin.run_id)) break;
    const run = journal.row(origin.run_id);
    line.unshift({ run, upTo: origin.seq });
    origin = journal.forkOriginOf(run);
  }
  return line;
}

/** What a file was after a record: before its first change since, else as its last change until then left it; what the parent had where there was none until then. */
function targetAfter(path: string, changes: readonly ChangeRow[], seq: number, inherited: Target | undefined): Target {
  const hashes = changes.flatMap(({ before_hash, after_hash }) => [before_hash, after_hash]);
  const known = new Set([...(inherited?.known ?? []), ...hashes]);
  if (inherited && changes.every((change) => change.seq > seq)) return { ...inherited, known };
  const next = changes.find((change) => change.seq > seq);
  if (next) return { path, hash: next.before_hash, note: next.note, known };
  return { path, hash: changes.at(-1)?.after_hash ?? null, note: '', known };
}

async function previewFile(journal: Journal, scope: PathScope, target: Target): Promise<FileRestore> {
  const { path, hash, known } = target;
  const impossible = { path, action: 'impossible', before: null, after: null, after_hash: hash, conflict: false } as const;
  let current: FileState;
  try {
    current = await fileState(scope, await resolvePlace(scope, path));
  } catch (error) {
    return { ...impossible, before_hash: null, note: error instanceof Error ? error.message : String(error) };
  }
  const conflict = !known.has(current.hash);
  if (current.hash === hash) {
    return { ...impossible, action: 'none', before_hash: current.hash, note: '' };
  }
  const content = hash === null ? null : journal.files.content(hash);
  const before = textOf(current.bytes);
  if (hash !== null && content === null) {
    return { ...impossible, before_hash: current.hash, before, conflict, note: whyMissing(target) };
  }
  const action = hash === null ? 'remove' : current.hash === null ? 'create' : 'write';
  const note = conflict ? 'Somebody else changed it since.' : '';
  return { path, action, before_hash: current.hash, after_hash: hash, before, after: textOf(content), conflict, note };
}

async function apply(
  journal: Journal,
  restore: number,
  wanted: readonly WantedFile[],
  targetOf: (path: string) => Target | undefined,
  scope: PathScope,
): Promise<RestoreResult> {
  const keepFile = (change: FileChange): void => {
    if (change.note) throw new ToolError('Io', `${change.path} was left as it is: what it holds now cannot be kept. ${change.note}`);
    journal.writing(() => journal.files.keepReplaced(restore, change));
  };
  const keeping = { ...scope, keepFile };
  const files: RestoreResult['files'] = [];
  for (const file of wanted) {
    const { path } = file;
    try {
      await restoreFile(journal, keeping, file, targetOf(path));
      files.push({ path, outcome: 'restored', error: null });
    } catch (error) {
      files.push({ path, outcome: 'failed', error: toTransferable(error) });
    }
  }
  return { restore_id: restore, files };
}

async function restoreFile(
  journal: Journal,
  scope: PathScope,
  { path, before_hash }: WantedFile,
  target: Target | undefined,
): Promise<void> {
  if (!target)
    throw new FlowError(
      'NotFound',
      `Neither this run nor one that it comes from has written a file ${path}, so there is nothing to restore.`,
      { details: { path } },
    );
  const place = await resolvePlace(scope, path);
  if (target.hash === null) {
    if (before_hash !== null) await removeFile(scope, place, before_hash);
    return;
  }
  const content = journal.files.content(target.hash);
  // Where the file is as it was, its content need not be on record.
  if (content) await writeBytes(scope, place, content, before_hash);
  else if (before_hash !== target.hash) throw new FlowError('NotFound', whyMissing(target), { details: { path } });
}

/** The place of a file by its recorded path. It must be that very place still: a link that stands on the way now leads elsewhere. */
async function resolvePlace(scope: PathScope, path: string): Promise<ResolvedPath> {
  const place = await resolveWritable(scope, path);
  if (place.segments.join('/') === path) return place;
  throw new ToolError('PathEscape', `${JSON.stringify(path)} is refused: a link stands on the way to it now`, { details: { path } });
}

function whyMissing({ path, note }: Target): string {
  return note || `What ${path} held then is not on record: it was not changed since, or only by others.`;
}

function textOf(bytes: Uint8Array | null): string | null {
  if (!bytes || bytes.length > longestShown) return null;
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    return text.includes('\0') ? null : text;
  } catch {
    return null;
  }
}

function ownRow(journal: Journal, runId: string): RunRow {
  const row = journal.row(runId);
  if (!journal.readonly) return row;
  throw new FlowError(
    'Conflict',
    `The run ${runId} came from elsewhere: it did not write into this folder, so there is nothing to restore.`,
  );
}

function restingRow(journal: Journal, runId: string, now: number): RunRow {
  const row = ownRow(journal, runId);
  if (!leaseHolder(row, now)) return row;
  throw new FlowError('Conflict', `The run ${runId} is under way and may write files itself. Stop it first, then restore.`);
}
