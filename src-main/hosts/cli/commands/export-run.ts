import { resolve } from 'node:path';
import { contentsOf } from '#main/capsule/capsule-contents.ts';
import { capsuleText } from '#main/capsule/capsule-text.ts';
import { makeCapsule } from '#main/capsule/make-capsule.ts';
import { historyOptions } from '#main/history/history-options.ts';
import { exitCodes, UsageError } from '#main/hosts/cli/exit-codes.ts';
import { runSource } from '#main/hosts/cli/run-source.ts';
import { tellingRefusals } from '#main/hosts/cli/session.ts';
import { alignedRows, printLine, printNote, styled } from '#main/hosts/cli/terminal.ts';
import { chooseWorkspace } from '#main/hosts/cli/workspace.ts';
import { closeJournals, openExistingJournals } from '#main/journal/workspace-journals.ts';
import { fileFailure } from '#main/workspace/file-failure.ts';
import { replaceFile } from '#main/workspace/replace-file.ts';
import type { CapsuleContents } from '#shared/contract/time-travel.ts';

export interface ExportOptions {
  readonly folder?: string;
  readonly json?: boolean;
  readonly out?: string;
  readonly dryRun?: boolean;
  readonly redact: readonly string[];
  readonly redactText: readonly string[];
}

/** `pravah export-run RUN --out FILE`: takes a run along in one file, after showing what it holds. */
export async function exportRun(given: string, options: ExportOptions): Promise<number> {
  const { out, dryRun = false, json = false } = options;
  if (out === undefined && !dryRun)
    throw new UsageError('Say where to: --out FILE. With --dry-run only what the file would hold is shown.');
  const folder = await chooseWorkspace(options.folder);
  return tellingRefusals(given, json, async () => {
    const journals = await openExistingJournals(folder);
    try {
      const { secrets } = await historyOptions(folder);
      const { journal, run_id } = await runSource(journals, given);
      const capsule = makeCapsule(journal, run_id, { places: [...options.redact], texts: [...options.redactText] }, secrets);
      const contents = await contentsOf(capsule);
      if (json) printLine(JSON.stringify(contents));
      else tellContents(contents);
      if (dryRun || out === undefined) return exitCodes.success;
      await replaceFile(resolve(out), capsuleText(capsule)).catch((error: unknown) => {
        throw fileFailure('cannot be written', out, error);
      });
      if (!json) printLine(`written  ${out}`);
      return exitCodes.success;
    } finally {
      closeJournals(journals);
    }
  });
}

/** Prints what a capsule holds. */
export function tellContents(contents: CapsuleContents): void {
  const { flow_name, flow_path, run_id, status, records, size, masked, not_replayable } = contents;
  printLine(`${styled('bold', flow_name)}  ${flow_path}  ${styled('dim', run_id)}`);
  printLine(`${status}  ${records} steps, ${bytes(size)}`);
  const rows = [
    ...contents.sources.map(({ path, bytes: held }) => ['file', path, '', bytes(held)]),
    ...contents.states.map(({ name, times, bytes: held }) => ['state', name, `${times}×`, bytes(held)]),
    ...contents.effects.map(({ kind, name, times, bytes: held }) => [kind, name, `${times}×`, bytes(held)]),
    ...contents.conversations.map(({ node, messages, bytes: held }) => ['conversation', node, `${messages} messages`, bytes(held)]),
  ];
  for (const line of alignedRows(rows)) printLine(`  ${line}`);
  for (const { path, reason } of masked) printLine(`  ${styled('yellow', 'masked')}  ${path}  ${reason}`);
  if (not_replayable) printNote(`It cannot serve as a test. ${not_replayable}`);
}

function bytes(count: number): string {
  if (count < 1024) return `${count} B`;
  return count < 1024 * 1024 ? `${(count / 1024).toFixed(1)} KiB` : `${(count / 1024 / 1024).toFixed(1)} MiB`;
}
