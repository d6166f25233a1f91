import { useEffect, useState } from 'react';
import { studio } from '#renderer/api/studio.ts';
import type { FirstDifference, FlowChoice } from '#shared/contract/time-travel.ts';

/** Compares the steps before a fork with what they would be with the current flow; null until that is known, and for the original flow. */
export function useFirstDifference(run_id: string, seq: number, flow: FlowChoice): FirstDifference | null {
  const [past, setPast] = useState<FirstDifference | null>(null);
  useEffect(() => {
    setPast(null);
    if (flow === 'recorded') return;
    let mine = true;
    studio.runs.forkCheck({ run_id, seq, flow, compare_past: true }).then(
      ({ first_difference }) => mine && setPast(first_difference ?? null),
      // The check of the fork itself reports why.
      () => undefined,
    );
    return () => {
      mine = false;
    };
  }, [run_id, seq, flow]);
  return past;
}
