import { useState } from 'react';
import { failureOf } from '#renderer/api/failure.ts';
import { announce } from '#renderer/stores/announcer.ts';
import type { TransferableError } from '#shared/runtime/error.ts';

/** What became of the last action: one at a time, and a second click while it is under way does nothing. */
export interface Action {
  readonly busy: boolean;
  readonly failure: TransferableError | null;
  /** What came of it, in words. */
  readonly done: string | null;
  /** Does something that answers with what to say about it; null says nothing. */
  run(act: () => Promise<string | TransferableError | null>): void;
}

/** One action of a form, with how it went. */
export function useAction(): Action {
  const [state, setState] = useState<Pick<Action, 'busy' | 'failure' | 'done'>>({ busy: false, failure: null, done: null });
  const run: Action['run'] = (act) => {
    if (state.busy) return;
    setState({ busy: true, failure: null, done: null });
    act().then(
      (result) => {
        if (result !== null && typeof result === 'object') setState({ busy: false, failure: result, done: null });
        else setState({ busy: false, failure: null, done: result });
        if (typeof result === 'string') announce(result);
      },
      (thrown) => setState({ busy: false, failure: failureOf(thrown), done: null }),
    );
  };
  return { ...state, run };
}
