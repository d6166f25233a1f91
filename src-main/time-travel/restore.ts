import type { FileChange } from '#main/engine/ports/recorder.ts';
import type { ChangeRow } from '#main/journal/file-backups.ts';
import type { Journal } from '#main/journal/journal.ts';
import { leaseHolder } from '#main/journal/lease.ts';
import type { RunRow } from '#main/journal/rows.ts';
import { RunReader } from '#main/journal/run-reader.ts';
import { removeFile, writeBytes } from '#main/platform/files/change-file.ts';
import { type FileState, fileState } from '#main/platform/files/file-state.ts';
import { type PathScope, type ResolvedPath, resolveWritable } from '#main/platform/files/resolve-path.ts';
import type { FileRestore, RestorePreview, RestoreResult } from '#shared/contract/time-travel.ts';
import { FlowError, ToolError, toTransferable } from '#shared/run/error.ts';

/** Maximum size of a displayed text, in bytes. */
const longestShown = 256 * 1024;

/** A file that the user wants to restore, in the state in which the user saw it. */
export interface WantedFile {
  readonly path: string;
  readonly before_hash: string | null;
}

/** The target state of a file: a content by its hash, or no file. */
interface Target {
  readonly path: string;
  readonly hash: string | null;
  /** Why its content is not recorded; else empty. */
  readonly note: string;
  /** Contents known to the run: any other content was written outside it. */
  readonly known: ReadonlySet<string | null>;
}

/**
 * Previews restoring a folder's files to their contents after record `seq`. Covers the files that tools wrote in this run (flows inside it
 * included) and, for a fork, in its ancestors: a file that the fork had not written yet is restored to the parent's content at the fork. Files that forks of
 * this run wrote are not included. Throws `NotFound`, and `Conflict` for an imported run.
 */
export async function previewRestore(journal: Journal, runId: string, seq: number, scope: PathScope): Promise<RestorePreview> {
  const row = ownRow(journal, runId);
  // Throws for a number that the run doesn't have.
  new RunReader(journal, row).foldAt(seq);
  const files: FileRestore[] = [];
  for (const target of targetsAt(journal, row, seq).values()) files.push(await previewFile(journal, scope, target));
  const [last] = journal.files.restores(row);
  const undoable = last ? { restore_id: last.restore, seq: last.seq, restored_at: last.restored_at } : null;
  return { run_id: runId, seq, files, undoable };
}

/**
 * Restores these files, each completely or not at all. A file that has changed since the user saw it is skipped. Replaced content is backed up first. Throws `Conflict` while
 * the run is driven.
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

/** Undoes a restore of this run for the files that have not changed since. Throws `NotFound`. */
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
    throw new FlowError('NotFound', `Run ${runId} has no restore number ${restoreId}.`, {
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

/** Returns the state after a record of each file that the run or an ancestor wrote, by path. */
function targetsAt(journal: Journal, row: RunRow, seq: number): ReadonlyMap<string, Target> {
  const found = new Map<string, Target>();
  for (const { run, upTo } of lineOf(journal, row, seq)) {
    // A variant of a matrix that had a copy of the folder has changed nothing in the folder.
    if (journal.runOriginOf(run)?.copy) continue;
    const byPath = Map.groupBy(journal.files.changes(run), ({ path }) => path);
    for (const [path, changes] of byPath) found.set(path, targetAfter(path, changes, upTo, found.get(path)));
  }
  return found;
}

/** Returns a run's ancestors, oldest first, each with the record at which the next one was forked; the run itself is last. */
function lineOf(journal: Journal, row: RunRow, seq: number): readonly { readonly run: RunRow; readonly upTo: number }[] {
  const line = [{ run: row, upTo: seq }];
  const seen = new Set([row.run_id]);
  for (let origin = journal.forkOriginOf(row); origin && !seen.has(origin.run_id); ) {
    seen.add(origin.run_id);
    // A parent that was removed, or is in a capsule or another journal, is not available.
    if (!journal.has(origin.run_id)) break;
    const run = journal.row(origin.run_id);
    line.unshift({ run, upTo: origin.seq });
    origin = journal.forkOriginOf(run);
  }
  return line;
}

/** Returns a file's state after a record: before its next change, else after its last change until then, else the parent's state. */
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
  const note = conflict ? 'Changed outside the run since then.' : '';
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
    if (change.note) throw new ToolError('Io', `${change.path} was not changed: its current content can't be backed up. ${change.note}`);
    journal.writing(() => journal.files.recordRestored(restore, change));
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
  if (!target) throw new FlowError('NotFound', `Can't restore ${path}: neither this run nor its parents wrote it.`, { details: { path } });
  const place = await resolvePlace(scope, path);
  if (target.hash === null) {
    if (before_hash !== null) await removeFile(scope, place, before_hash);
    return;
  }
  const content = journal.files.content(target.hash);
  // The content of an unchanged file need not be recorded.
  if (content) await writeBytes(scope, place, content, before_hash);
  else if (before_hash !== target.hash) throw new FlowError('NotFound', whyMissing(target), { details: { path } });
}

/** Resolves a recorded path. Refuses a path that now contains a link, which would lead elsewhere. */
async function resolvePlace(scope: PathScope, path: string): Promise<ResolvedPath> {
  const place = await resolveWritable(scope, path);
  if (place.segments.join('/') === path) return place;
  throw new ToolError('PathEscape', `${JSON.stringify(path)} is refused: its path now contains a link.`, { details: { path } });
}

function whyMissing({ path, note }: Target): string {
  return note || `The content of ${path} at this step is not recorded: it wasn't changed afterwards, or only outside the run.`;
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
  throw new FlowError('Conflict', `Run ${runId} was imported and did not write to this folder, so there is nothing to restore.`);
}

function restingRow(journal: Journal, runId: string, now: number): RunRow {
  const row = ownRow(journal, runId);
  if (!leaseHolder(row, now)) return row;
  throw new FlowError('Conflict', `Run ${runId} is running and may write files. Stop it before you restore.`);
}
