import { readableFailure } from '#main/debug/readable-failure.ts';
import type { Journal } from '#main/journal/journal.ts';
import { nodeNames } from '#main/runner/run-frames.ts';
import type { EventPrinterOptions } from './run-output.ts';

/** How the runs of a journal name their nodes in lines for people. */
export function namesIn(journal: Journal): Required<Pick<EventPrinterOptions, 'nameOf' | 'readable'>> {
  return { nameOf: nodeNames(journal), readable: (runId, error) => readableFailure(journal.graphOf(journal.row(runId)), error) };
}
