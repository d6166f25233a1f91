import { writeFileSync } from 'node:fs';
import { countOf, printNote } from '#main/hosts/cli/output/terminal.ts';
import type { Journal } from '#main/journal/journal.ts';
import { recordedScripts, scriptFiles, scriptText } from '#main/journal/recorded-scripts.ts';
import { RunReader } from '#main/journal/run-reader.ts';

/** Writes the model responses of a run as `script://` files, one per agent. */
export function recordScripts(journal: Journal, runId: string, file: string): void {
  const scripts = recordedScripts(journal, new RunReader(journal, journal.row(runId)));
  const paths = scriptFiles(file, scripts);
  for (const [index, script] of scripts.entries()) {
    const path = paths[index] ?? file;
    try {
      writeFileSync(path, scriptText(script));
    } catch (error) {
      printNote(
        `--record: can't write ${path}: ${error instanceof Error ? error.message : String(error)}. The run itself is not affected.`,
      );
      return;
    }
    const turns = countOf(script.turns.length, 'turn');
    printNote(`Recorded ${turns} of ${script.node} in ${path}`);
  }
  if (scripts.length === 0) printNote('Nothing was recorded: no model responded in this run.');
}
