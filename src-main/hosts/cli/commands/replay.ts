import { trustOf } from '#main/hosts/cli/options/consent.ts';
import { exitCodes } from '#main/hosts/cli/options/exit-codes.ts';
import { printDivergence } from '#main/hosts/cli/output/history-output.ts';
import { countOf, printLine, printNote, styled } from '#main/hosts/cli/output/terminal.ts';
import { runSource } from '#main/hosts/cli/session/run-source.ts';
import { printingRefusals } from '#main/hosts/cli/session/session.ts';
import { chooseWorkspace } from '#main/hosts/cli/session/workspace.ts';
import { closeJournals, openExistingJournals } from '#main/journal/workspace-journals.ts';
import { historyOptions } from '#main/time-travel/history-options.ts';
import { replayRun } from '#main/time-travel/replay.ts';
import type { ReplayReport } from '#shared/contract/time-travel.ts';

export interface ReplayOptions {
  readonly folder?: string;
  readonly json?: boolean;
  readonly trust?: boolean;
  readonly currentFlow?: boolean;
}

/** `pravah replay RUN`: replays a run from its recorded effects and prints the first difference. */
export async function replay(source: string, options: ReplayOptions): Promise<number> {
  const json = options.json ?? false;
  const folder = await chooseWorkspace(options.folder);
  return printingRefusals(source, json, async () => {
    await trustOf(folder, options);
    const journals = await openExistingJournals(folder);
    try {
      const { journal, runId } = await runSource(journals, source);
      const report = await replayRun(journal, runId, options.currentFlow ? 'current' : 'recorded', await historyOptions(folder));
      if (json) printLine(JSON.stringify(report));
      else printReplay(report);
      return report.divergence ? exitCodes.error : exitCodes.success;
    } finally {
      closeJournals(journals);
    }
  });
}

function printReplay({ steps, total, effects, divergence, notes }: ReplayReport): void {
  const made = `${steps} of ${countOf(total, 'step')}, ${countOf(effects, 'recorded effect')}`;
  if (!divergence) printLine(`${styled('green', 'same')}  ${made}`);
  else {
    printLine(`${styled('red', 'differs')}  ${made}`);
    printDivergence(divergence);
  }
  for (const note of notes) printNote(note);
}
