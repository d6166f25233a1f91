import type { TimelineRow } from '#main/journal/rows.ts';
import type { RunReader } from '#main/journal/run-reader.ts';
import type { FoldStep } from '#main/journal/state-fold.ts';

/** One record of a run: its timeline row and its changes. */
export interface RecordedStep {
  readonly row: TimelineRow;
  readonly step: FoldStep;
}

/** Number of timeline rows read at once. */
const readAtOnce = 256;

/** Iterates over the records of a run from record `from` on, read in pages. */
export function* recordedSteps(reader: RunReader, from = 1): Generator<RecordedStep, void> {
  const steps = reader.steps(from);
  for (let at = from; ; at += readAtOnce) {
    const rows = reader.timeline(at, readAtOnce);
    for (const row of rows) {
      const { value: step } = steps.next();
      if (!step) return;
      yield { row, step };
    }
    if (rows.length < readAtOnce) return;
  }
}
