import { useEffect, useState } from 'react';
import { failureOf } from '#renderer/api/failure.ts';
import { studio } from '#renderer/api/studio.ts';
import type { RestorePreview } from '#shared/contract/time-travel.ts';
import type { TransferableError } from '#shared/run/error.ts';

interface Previewed {
  readonly preview: RestorePreview | null;
  readonly failure: TransferableError | null;
}

/** Previews what restoring the files of a step would change. Loads again with every new `count`. */
export function useRestorePreview(run_id: string, seq: number, count: number): Previewed {
  const [previewed, setPreviewed] = useState<Previewed>({ preview: null, failure: null });
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new count asks for a new reading
  useEffect(() => {
    let mine = true;
    studio.runs.restorePreview({ run_id, seq }).then(
      (preview) => mine && setPreviewed({ preview, failure: null }),
      (thrown) => mine && setPreviewed({ preview: null, failure: failureOf(thrown) }),
    );
    return () => {
      mine = false;
    };
  }, [run_id, seq, count]);
  return previewed;
}
