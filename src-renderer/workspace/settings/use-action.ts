import { useState } from 'react';
import { failureOf } from '#renderer/api/failure.ts';
import { announce } from '#renderer/shell/announcer.ts';
import type { TransferableError } from '#shared/run/error.ts';

/** The last action and its result. Only one runs at a time; a second click meanwhile does nothing. */
export interface Action {
  readonly busy: boolean;
  readonly failure: TransferableError | null;
  /** The message about its result. */
  readonly done: string | null;
  /** Runs an action that resolves to a message for the user, to a failure, or to null for no message. */
  run(act: () => Promise<string | TransferableError | null>): void;
}

/** One action of a form, with its result. */
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
