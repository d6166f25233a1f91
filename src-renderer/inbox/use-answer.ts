import { useState } from 'react';
import type { FieldFault } from '#renderer/forms/field-faults.ts';
import { noticeProblem } from '#renderer/notices/notices.ts';
import { inputFaults } from '#renderer/runs/input-faults.ts';
import { announce } from '#renderer/stores/announcer.ts';
import { runSessionStore } from '#renderer/stores/run-stores.ts';
import { useRunSession } from '#renderer/stores/use-run-session.ts';
import type { Json } from '#shared/json.ts';
import type { TransferableError } from '#shared/runtime/error.ts';
import { answerDraftsStore } from './use-answer-draft.ts';
import type { WaitingSuspension } from './waiting-words.ts';

export interface Answering {
  /** True while an answer is under way: there is no second. */
  readonly busy: boolean;
  readonly failure: TransferableError | null;
  /** The field of the answer that was refused. */
  readonly faults: readonly FieldFault[];
  /** Sends the answer; `done` is said when it was taken. */
  answer(payload: Json, done: string): void;
}

/** Whether a question still waits, as far as the run that is shown knows. */
function stillWaits(tool_call_id: string): boolean {
  const { view } = runSessionStore.getState();
  return view?.status === 'suspended' && view.suspensions[0]?.tool_call_id === tool_call_id;
}

/** Answers one question, once. */
export function useAnswer(run_id: string, { tool_id, tool_call_id }: WaitingSuspension): Answering {
  const busy = useRunSession((state) => state.call !== null);
  const [failure, setFailure] = useState<TransferableError | null>(null);

  async function send(payload: Json, done: string) {
    const drop = () => answerDraftsStore.getState().drop({ run_id, tool_call_id });
    setFailure(null);
    const refused = await runSessionStore.getState().answer({ tool_id, tool_call_id, payload });
    if (!refused) {
      drop();
      announce(done);
      return;
    }
    if (stillWaits(tool_call_id)) return setFailure(refused);
    // The run has been read again meanwhile: what this card asked is settled, and its failure would vanish with it.
    drop();
    noticeProblem(
      'Already answered',
      'Somebody answered this before you, in another window or on the command line. Your answer was not used.',
    );
  }

  return {
    busy,
    failure,
    faults: failure ? inputFaults(failure) : [],
    answer: (payload, done) => {
      if (!busy) void send(payload, done);
    },
  };
}
