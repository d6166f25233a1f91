import { findInRun } from '#main/debug/find.ts';
import { lineage as lineageOf } from '#main/debug/lineage.ts';
import { exitCodes } from '#main/hosts/cli/options/exit-codes.ts';
import { foundText, parseNamedValue, printLineage } from '#main/hosts/cli/output/lineage-output.ts';
import { printLine } from '#main/hosts/cli/output/terminal.ts';
import { runSource } from '#main/hosts/cli/session/run-source.ts';
import { printingRefusals } from '#main/hosts/cli/session/session.ts';
import { chooseWorkspace } from '#main/hosts/cli/session/workspace.ts';
import type { Journal } from '#main/journal/journal.ts';
import type { RunRow } from '#main/journal/rows.ts';
import { closeJournals, openExistingJournals } from '#main/journal/workspace-journals.ts';
import { readPrices } from '#main/models/settings/prices.ts';

interface ReadOptions {
  readonly folder?: string;
  readonly json?: boolean;
}

/** `pravah lineage RUN STATE[/PATH]`: prints where a state or value came from, or with `--forward` what used it. */
export function lineage(source: string, value: string, options: ReadOptions & { readonly step?: number; readonly forward?: boolean }) {
  return onRecord(source, options, (journal, row) => {
    const direction = options.forward ? 'forth' : 'back';
    const found = lineageOf(journal, row, { ...parseNamedValue(value), seq: options.step ?? row.last_seq, direction });
    if (options.json) printLine(JSON.stringify(found));
    else printLineage(found, direction);
    return exitCodes.success;
  });
}

/** `pravah find RUN EXPR`: prints the first step after (before) `--from` after which an expression is true. Exit code 1 if there is none. */
export function find(source: string, expression: string, options: ReadOptions & { readonly from?: number; readonly back?: boolean }) {
  return onRecord(source, options, async (journal, row, folder) => {
    const direction = options.back ? 'back' : 'forth';
    const from = options.from ?? (options.back ? row.last_seq + 1 : 0);
    const { seq, fault } = findInRun(journal, row, { expression, from, direction, begun: false }, () => true, await readPrices(folder));
    if (options.json) printLine(JSON.stringify({ seq, fault }));
    else printLine(foundText(journal, row.run_id, seq, { expression, direction, fault }));
    return seq === null ? exitCodes.error : exitCodes.success;
  });
}

async function onRecord(
  source: string,
  options: ReadOptions,
  read: (journal: Journal, row: RunRow, folder: string) => number | Promise<number>,
): Promise<number> {
  const folder = await chooseWorkspace(options.folder);
  return printingRefusals(source, options.json ?? false, async () => {
    const journals = await openExistingJournals(folder);
    try {
      const { journal, runId } = await runSource(journals, source);
      return await read(journal, journal.row(runId), folder);
    } finally {
      closeJournals(journals);
    }
  });
}
