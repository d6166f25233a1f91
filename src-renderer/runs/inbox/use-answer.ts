import { useState } from 'react';
import { runSessionStore } from '#renderer/runs/model/run-stores.ts';
import { useRunSession } from '#renderer/runs/model/use-run-session.ts';
import { announce } from '#renderer/shell/announcer.ts';
import { noticeProblem } from '#renderer/shell/notices.ts';
import type { FieldFault } from '#renderer/ui/forms/field-faults.ts';
import { inputFaults } from '#renderer/ui/forms/input-faults.ts';
import type { Json } from '#shared/json.ts';
import type { TransferableError } from '#shared/run/error.ts';
import type { WaitingSuspension } from './questions.ts';
import { texts } from './texts.ts';
import { answerDraftsStore } from './use-answer-draft.ts';

export interface Answering {
  /** True while an answer is being sent; a second one is ignored. */
  readonly busy: boolean;
  readonly failure: TransferableError | null;
  /** Errors at the fields of the answer. */
  readonly faults: readonly FieldFault[];
  /** Sends the answer; `done` is announced once it was accepted. */
  answer(payload: Json, done: string): void;
}

/** Whether the shown run still waits for this answer. */
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
    // The run has reloaded and the question is settled: the failure would disappear with this card.
    drop();
    noticeProblem(texts.alreadyAnswered.title, texts.alreadyAnswered.message);
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
