import { studio } from '#renderer/api/studio.ts';
import { isTextField } from '#renderer/commands/shortcut.ts';
import { hasAnswerDraft } from '#renderer/inbox/answer-drafts.ts';
import { answerDraftsStore } from '#renderer/inbox/use-answer-draft.ts';
import { noticeProblem } from '#renderer/notices/notices.ts';
import { announce } from '#renderer/stores/announcer.ts';
import { panelsStore } from '#renderer/stores/panels.ts';
import type { RunView } from '#renderer/stores/run-fold.ts';
import { runSessionStore } from '#renderer/stores/run-stores.ts';
import { nodeTitlesOf } from './node-titles.ts';
import { runNews } from './run-news.ts';

/** The call that waits first; undefined while none does. */
function asked(view: RunView | null): string | undefined {
  return view?.status === 'suspended' && !view.read_only ? view.suspensions[0]?.tool_call_id : undefined;
}

/** Tells whoever was typing an answer that somebody else has given one. */
function tellOfOtherAnswer(before: RunView | null, now: RunView): void {
  const was = before?.run_id === now.run_id ? asked(before) : undefined;
  if (was === undefined || was === asked(now) || runSessionStore.getState().call === 'answer') return;
  const drafts = answerDraftsStore.getState();
  const key = { run_id: now.run_id, tool_call_id: was };
  if (!hasAnswerDraft(drafts, key)) return;
  drafts.drop(key);
  // The studio removes a draft whose question no longer waits when it is asked for it.
  studio.runs.readAnswerDraft(key).catch(() => undefined);
  noticeProblem('Already answered', 'Somebody answered this in another window or on the command line. What you had typed was not used.');
}

/**
 * Follows the shown run: says what happens to it, and brings the waiting card forward when there is a new one; never while somebody
 * types, and without taking the focus. Answers the function that ends the following.
 */
export function watchRun(): () => void {
  // What was told last: views that are stale are passed over, since what they lack is being read.
  let told: RunView | null = null;
  return runSessionStore.subscribe(({ view }) => {
    if (view === told || view?.stale) return;
    const before = told;
    told = view;
    if (!view) return;
    const news = runNews(before, view, nodeTitlesOf(view.flow_text, view.flow_path, view.titles));
    if (news) announce(news);
    tellOfOtherAnswer(before, view);
    const isNew = asked(view) !== undefined && asked(view) !== asked(before);
    if (isNew && !isTextField(document.activeElement)) panelsStore.getState().showRight('waiting');
  });
}
