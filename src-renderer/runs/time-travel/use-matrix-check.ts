import { useEffect, useState } from 'react';
import { failureOf } from '#renderer/api/failure.ts';
import { studio } from '#renderer/api/studio.ts';
import { type MatrixCheck, mostVariants, type Variant } from '#shared/contract/matrix.ts';
import type { TransferableError } from '#shared/run/error.ts';

/** Pause after the last change before the variants are checked, in milliseconds. */
const checkDelay = 300;

interface Checked {
  readonly check: MatrixCheck | null;
  readonly failure: TransferableError | null;
}

const none: Checked = { check: null, failure: null };

/** Checks the variants of a matrix, again after every change; null until the check of the current ones has finished. */
export function useMatrixCheck(run_id: string, seq: number, variants: readonly Variant[]): Checked {
  const [checked, setChecked] = useState<Checked>(none);
  // Each rendering makes new objects of the same variants.
  const of = JSON.stringify(variants);
  useEffect(() => {
    setChecked(none);
    const current = JSON.parse(of) as Variant[];
    if (current.length === 0 || current.length > mostVariants) return;
    let mine = true;
    const timer = setTimeout(() => {
      studio.runs.matrixCheck({ run_id, seq, variants: current }).then(
        (check) => mine && setChecked({ check, failure: null }),
        (thrown) => mine && setChecked({ check: null, failure: failureOf(thrown) }),
      );
    }, checkDelay);
    return () => {
      mine = false;
      clearTimeout(timer);
    };
  }, [run_id, seq, of]);
  return checked;
}
