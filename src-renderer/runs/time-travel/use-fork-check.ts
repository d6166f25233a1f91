import { useEffect, useState } from 'react';
import { failureOf } from '#renderer/api/failure.ts';
import { studio } from '#renderer/api/studio.ts';
import type { FlowChoice, ForkCheck } from '#shared/contract/time-travel.ts';
import type { TransferableError } from '#shared/run/error.ts';
import { type ForkEdits, requestOf } from './fork-edits.ts';

/** Pause after the last key before the fork is checked, in milliseconds. */
const checkDelay = 150;

interface Checked {
  /** The last check; it stays until the next one has finished. */
  readonly check: ForkCheck | null;
  readonly failure: TransferableError | null;
  /** Whether `check` is of the current edits. */
  readonly current: boolean;
}

/** Checks a fork, again after every edit. */
export function useForkCheck(run_id: string, seq: number, edits: ForkEdits, flow: FlowChoice): Checked {
  const [checked, setChecked] = useState<Checked>({ check: null, failure: null, current: false });
  useEffect(() => {
    let mine = true;
    setChecked((before) => ({ ...before, current: false }));
    const timer = setTimeout(() => {
      studio.runs.forkCheck({ run_id, seq, flow, ...requestOf(edits) }).then(
        (check) => mine && setChecked({ check, failure: null, current: true }),
        (thrown) => mine && setChecked({ check: null, failure: failureOf(thrown), current: true }),
      );
    }, checkDelay);
    return () => {
      mine = false;
      clearTimeout(timer);
    };
  }, [run_id, seq, edits, flow]);
  return checked;
}
