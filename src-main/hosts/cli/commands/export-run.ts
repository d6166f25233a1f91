import { resolve } from 'node:path';
import { contentsOf } from '#main/capsule/capsule-contents.ts';
import { capsuleText } from '#main/capsule/capsule-text.ts';
import { makeCapsule } from '#main/capsule/make-capsule.ts';
import { exitCodes, UsageError } from '#main/hosts/cli/options/exit-codes.ts';
import { alignedRows, countOf, printLine, printNote, styled } from '#main/hosts/cli/output/terminal.ts';
import { runSource } from '#main/hosts/cli/session/run-source.ts';
import { printingRefusals } from '#main/hosts/cli/session/session.ts';
import { chooseWorkspace } from '#main/hosts/cli/session/workspace.ts';
import { closeJournals, openExistingJournals } from '#main/journal/workspace-journals.ts';
import { fileFailure } from '#main/platform/file-failure.ts';
import { replaceFile } from '#main/platform/replace-file.ts';
import { historyOptions } from '#main/time-travel/history-options.ts';
import type { CapsuleContents } from '#shared/contract/time-travel.ts';

export interface ExportOptions {
  readonly folder?: string;
  readonly json?: boolean;
  readonly out?: string;
  readonly dryRun?: boolean;
  readonly redact: readonly string[];
  readonly redactText: readonly string[];
}

/** `pravah export-run RUN --out FILE`: exports a run to one file and prints its contents. */
export async function exportRun(given: string, options: ExportOptions): Promise<number> {
  const { out, dryRun = false, json = false } = options;
  if (out === undefined && !dryRun)
    throw new UsageError('export-run needs --out FILE, or --dry-run to print the contents without writing a file.');
  const folder = await chooseWorkspace(options.folder);
  return printingRefusals(given, json, async () => {
    const journals = await openExistingJournals(folder);
    try {
      const { secrets, settings } = await historyOptions(folder);
      const { journal, runId } = await runSource(journals, given);
      const capsule = makeCapsule(
        journal,
        runId,
        { places: [...options.redact], texts: [...options.redactText], rules: settings.mask },
        secrets,
      );
      const contents = await contentsOf(capsule);
      if (json) printLine(JSON.stringify(contents));
      else printContents(contents);
      if (dryRun || out === undefined) return exitCodes.success;
      await replaceFile(resolve(out), capsuleText(capsule)).catch((error: unknown) => {
        throw fileFailure('could not be written', out, error);
      });
      if (!json) printLine(`written  ${out}`);
      return exitCodes.success;
    } finally {
      closeJournals(journals);
    }
  });
}

/** Prints the contents of a capsule. */
export function printContents(contents: CapsuleContents): void {
  const { flow_name, flow_path, run_id, status, records, size, masked, not_replayable } = contents;
  printLine(`${styled('bold', flow_name)}  ${flow_path}  ${styled('dim', run_id)}`);
  printLine(`${status}  ${countOf(records, 'step')}, ${bytes(size)}`);
  const rows = [
    ...contents.sources.map(({ path, bytes: held }) => ['file', path, '', bytes(held)]),
    ...contents.states.map(({ name, times, bytes: held }) => ['state', name, `${times}×`, bytes(held)]),
    ...contents.effects.map(({ kind, name, times, bytes: held }) => [kind, name, `${times}×`, bytes(held)]),
    ...contents.conversations.map(({ node, messages, bytes: held }) => [
      'conversation',
      node,
      `${countOf(messages, 'message')}`,
      bytes(held),
    ]),
  ];
  for (const line of alignedRows(rows)) printLine(`  ${line}`);
  for (const { path, reason } of masked) printLine(`  ${styled('yellow', 'masked')}  ${path}  ${reason}`);
  if (not_replayable) printNote(`This capsule can't be used as a test. ${not_replayable}`);
}

function bytes(count: number): string {
  if (count < 1024) return `${count} B`;
  return count < 1024 * 1024 ? `${(count / 1024).toFixed(1)} KiB` : `${(count / 1024 / 1024).toFixed(1)} MiB`;
}
