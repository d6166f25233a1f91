import { useEffect, useMemo } from 'react';
import { useStore } from 'zustand';
import { studio } from '#renderer/api/studio.ts';
import { noticeFailure } from '#renderer/shell/notices.ts';
import type { AnswerDraft } from '#shared/contract/answer-drafts.ts';
import type { JsonSchema } from '#shared/json.ts';
import { type AnswerEntry, type AnswerKey, createAnswerDrafts, entryOf } from './answer-drafts.ts';
import { texts } from './texts.ts';

/** Pause in typing after which a draft is saved, in milliseconds. */
const saveDelay = 100;

/** The page's drafts of answers. */
export const answerDraftsStore = createAnswerDrafts(studio.runs, saveDelay, (thrown) => noticeFailure(texts.draft.notSaved, thrown));

export interface DraftOfAnswer extends AnswerEntry {
  readonly key: AnswerKey;
  change(change: Partial<AnswerDraft>): void;
}

/** The draft of one question: what was typed here, else what is stored on disk. `schema` is that of the answer. */
export function useAnswerDraft({ run_id, tool_call_id }: AnswerKey, schema: JsonSchema): DraftOfAnswer {
  const key = useMemo(() => ({ run_id, tool_call_id }), [run_id, tool_call_id]);
  const entry = useStore(answerDraftsStore, (state) => entryOf(state, key));
  const { loaded } = entry;
  useEffect(() => {
    // A question may be asked again under the same id, after its draft was dropped.
    if (!loaded) void answerDraftsStore.getState().load(key, schema);
  }, [loaded, key, schema]);
  return { ...entry, key, change: (change) => answerDraftsStore.getState().change(key, change) };
}
