import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import type { Json } from '#shared/json.ts';

/** What a person has typed into a card so far. It outlives the card, which goes when another panel is shown. */
export interface AnswerDraft {
  readonly mode: 'view' | 'edit' | 'refuse';
  /** The edited input or the answer; undefined while nothing was changed. */
  readonly value: Json | undefined;
  readonly reason: string;
}

const blank: AnswerDraft = { mode: 'view', value: undefined, reason: '' };

const draftsStore = createStore<{ readonly drafts: Readonly<Record<string, AnswerDraft>> }>()(() => ({ drafts: {} }));

/** The draft of one question, by the id of its call. */
export function useAnswerDraft(tool_call_id: string): AnswerDraft {
  return useStore(draftsStore, ({ drafts }) => drafts[tool_call_id] ?? blank);
}

export function changeAnswerDraft(tool_call_id: string, change: Partial<AnswerDraft>): void {
  draftsStore.setState(({ drafts }) => ({ drafts: { ...drafts, [tool_call_id]: { ...(drafts[tool_call_id] ?? blank), ...change } } }));
}

/** Forgets a draft: the question has been answered. */
export function dropAnswerDraft(tool_call_id: string): void {
  draftsStore.setState(({ drafts: { [tool_call_id]: _dropped, ...drafts } }) => ({ drafts }));
}

/** True when something was typed into a card that has not been answered from here. */
export function hasAnswerDraft(tool_call_id: string): boolean {
  const draft = draftsStore.getState().drafts[tool_call_id];
  return draft !== undefined && (draft.value !== undefined || draft.reason !== '');
}
