import { exitCodes, UsageError } from '#main/hosts/cli/options/exit-codes.ts';
import { printLine, printNote, styled } from '#main/hosts/cli/output/terminal.ts';
import { printingRefusals } from '#main/hosts/cli/session/session.ts';
import { chooseWorkspace } from '#main/hosts/cli/session/workspace.ts';
import type { Journal } from '#main/journal/journal.ts';
import { closeJournals, journalOf, openExistingJournals } from '#main/journal/workspace-journals.ts';
import type { PathScope } from '#main/platform/files/resolve-path.ts';
import { align } from '#main/time-travel/align.ts';
import { restoreScope } from '#main/time-travel/history-options.ts';
import { previewRestore, restoreFiles, undoRestore } from '#main/time-travel/restore.ts';
import type { FileRestore, RestoreResult } from '#shared/contract/time-travel.ts';

export interface RestoreOptions {
  readonly folder?: string;
  readonly json?: boolean;
  readonly step?: number;
  readonly file: readonly string[];
  readonly apply?: boolean;
  readonly overwrite?: boolean;
  readonly undo?: number;
}

/** `pravah restore RUN --step N`: prints what restoring the folder's files would change; `--apply` restores them. */
export async function restore(runId: string, options: RestoreOptions): Promise<number> {
  const json = options.json ?? false;
  if ((options.step === undefined) === (options.undo === undefined))
    throw new UsageError('restore needs either --step N or --undo NUMBER.');
  const folder = await chooseWorkspace(options.folder);
  return printingRefusals(runId, json, async () => {
    const journals = await openExistingJournals(folder);
    try {
      const scope = await restoreScope(folder);
      const journal = journalOf(journals, runId);
      if (options.undo === undefined) return await toStep(journal, runId, options.step ?? 0, scope, options);
      return printResult(await undoRestore(journal, runId, options.undo, scope, Date.now()), runId, json);
    } finally {
      closeJournals(journals);
    }
  });
}

async function toStep(journal: Journal, runId: string, seq: number, scope: PathScope, options: RestoreOptions): Promise<number> {
  const json = options.json ?? false;
  const preview = await previewRestore(journal, runId, seq, scope);
  const named = preview.files.filter(({ path }) => options.file.length === 0 || options.file.includes(path));
  const changing = named.filter(({ action }) => action !== 'none');
  const wanted = changing.filter(({ action, conflict }) => action !== 'impossible' && (!conflict || options.overwrite));
  if (!options.apply) {
    if (json) printLine(JSON.stringify({ ...preview, files: named }));
    else printPreview(changing);
    return exitCodes.success;
  }
  if (!json) for (const file of changing) if (!wanted.includes(file)) printLine(lineOf(file));
  if (wanted.length === 0) {
    if (json) printLine(JSON.stringify({ restore_id: null, files: [] }));
    else printLine('No files were restored.');
    return changing.length === 0 ? exitCodes.success : exitCodes.error;
  }
  const code = printResult(await restoreFiles(journal, runId, seq, wanted, scope, Date.now()), runId, json);
  return wanted.length < changing.length ? exitCodes.error : code;
}

function printPreview(files: readonly FileRestore[]): void {
  for (const file of files) {
    printLine(lineOf(file));
    if (file.action !== 'impossible') for (const line of changedLines(file.before ?? '', file.after ?? '')) printLine(`    ${line}`);
  }
  if (files.length === 0) printLine('No changes: the files already match this step.');
  else printNote('Restore them with --apply. Files changed outside the run also need --overwrite.');
}

function lineOf({ action, path, note }: FileRestore): string {
  return `${action.padEnd(10)}  ${path}${note && `  ${styled('yellow', note)}`}`;
}

/** Returns the lines that only one of two texts contains. */
function changedLines(before: string, after: string): string[] {
  const [old, now] = [linesOf(before), linesOf(after)];
  return align(old, now).flatMap(([one, other]) => {
    if (one !== null && other !== null) return [];
    return one === null ? [styled('green', `+ ${now[other as number]}`)] : [styled('red', `- ${old[one]}`)];
  });
}

function linesOf(text: string): string[] {
  return text === '' ? [] : text.replace(/\n$/, '').split('\n');
}

function printResult({ restore_id, files }: RestoreResult, runId: string, json: boolean): number {
  if (json) printLine(JSON.stringify({ restore_id, files }));
  else {
    for (const { path, error } of files) printLine(error ? `${styled('red', 'failed')}    ${path}  ${error.message}` : `restored  ${path}`);
    printNote(`Undo with: pravah restore ${runId} --undo ${restore_id}`);
  }
  return files.every(({ outcome }) => outcome === 'restored') ? exitCodes.success : exitCodes.error;
}
