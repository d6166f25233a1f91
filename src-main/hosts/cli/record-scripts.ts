import { writeFileSync } from 'node:fs';
import { printNote } from '#main/hosts/cli/terminal.ts';
import type { Journal } from '#main/journal/journal.ts';
import { recordedScripts, scriptFiles, scriptText } from '#main/journal/recorded-scripts.ts';
import { RunReader } from '#main/journal/run-reader.ts';

/** Writes what the models of a run answered as `script://` files, one an agent. */
export function recordScripts(journal: Journal, runId: string, file: string): void {
  const scripts = recordedScripts(journal, new RunReader(journal, journal.row(runId)));
  const paths = scriptFiles(file, scripts);
  for (const [index, script] of scripts.entries()) {
    const path = paths[index] ?? file;
    try {
      writeFileSync(path, scriptText(script));
    } catch (error) {
      printNote(
        `--record: ${path} cannot be written: ${error instanceof Error ? error.message : String(error)}. The run itself is not concerned.`,
      );
      return;
    }
    const { length } = script.turns;
    printNote(`Recorded ${length} ${length === 1 ? 'turn' : 'turns'} of ${script.node} in ${path}`);
  }
  if (scripts.length === 0) printNote('No model answered in this run, so nothing was recorded.');
}
