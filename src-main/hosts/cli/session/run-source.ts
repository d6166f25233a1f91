import { readFileSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { openCapsule } from '#main/capsule/open-capsule.ts';
import { UsageError } from '#main/hosts/cli/options/exit-codes.ts';
import type { Journal } from '#main/journal/journal.ts';
import { journalOf, type WorkspaceJournals } from '#main/journal/workspace-journals.ts';

/** A run that a command names, in the journal that holds it. */
export interface RunSource {
  readonly journal: Journal;
  readonly runId: string;
}

/** The run of this id in the workspace, or the one in a capsule where a file of this name is there. Throws `NotFound` and `SnapLoadError`. */
export async function runSource(journals: WorkspaceJournals, given: string): Promise<RunSource> {
  if (!statSync(given, { throwIfNoEntry: false })?.isFile()) return { journal: journalOf(journals, given), runId: given };
  const { journal, runId } = await openCapsule(readCapsuleFile(given), basename(given));
  return { journal, runId };
}

/** The text of a capsule's file. */
export function readCapsuleFile(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new UsageError(`Can't read ${path}: ${error instanceof Error ? error.message : String(error)}`);
  }
}
