import { studio } from '#renderer/api/studio.ts';
import { nodeTitlesOf } from '#renderer/document/graph/node-titles.ts';
import { breakpointStore } from '#renderer/runs/breakpoints/breakpoint-store.ts';
import { showFrame } from '#renderer/runs/breakpoints/show-frame.ts';
import { hasAnswerDraft } from '#renderer/runs/inbox/answer-drafts.ts';
import { texts as inboxTexts } from '#renderer/runs/inbox/texts.ts';
import { answerDraftsStore } from '#renderer/runs/inbox/use-answer-draft.ts';
import type { RunView } from '#renderer/runs/model/run-fold.ts';
import { runSessionStore } from '#renderer/runs/model/run-stores.ts';
import { announce } from '#renderer/shell/announcer.ts';
import { noticeProblem } from '#renderer/shell/notices.ts';
import { panelsStore } from '#renderer/shell/panels.ts';
import { isTextField } from '#renderer/shell/shortcut.ts';
import { runNews } from './run-news.ts';

/** The call that waits first; undefined while none does. */
function asked(view: RunView | null): string | undefined {
  return view?.status === 'suspended' && !view.read_only ? view.suspensions[0]?.tool_call_id : undefined;
}

/** Notifies a user who was typing an answer that the question was answered elsewhere. */
function noticeOtherAnswer(before: RunView | null, now: RunView): void {
  const was = before?.run_id === now.run_id ? asked(before) : undefined;
  if (was === undefined || was === asked(now) || runSessionStore.getState().call === 'answer') return;
  const drafts = answerDraftsStore.getState();
  const key = { run_id: now.run_id, tool_call_id: was };
  if (!hasAnswerDraft(drafts, key)) return;
  drafts.drop(key);
  // Reading the draft of a settled question makes the studio delete it.
  studio.runs.readAnswerDraft(key).catch(() => undefined);
  noticeProblem(inboxTexts.alreadyAnswered.title, inboxTexts.alreadyAnswered.message);
}

/** Whether a breakpoint has just stopped the run. */
function isNewStop(before: RunView | null, now: RunView): boolean {
  if (now.status !== 'paused' || !now.stop || now.stop.breakpoints.length === 0 || before?.run_id !== now.run_id) return false;
  return before.status !== 'paused' || before.seq !== now.seq;
}

/**
 * Follows the shown run: announces what happens to it, goes to the breakpoint that stopped it, and shows the Inbox for a new question, without taking the focus and never while the
 * user types. Returns the function that stops this.
 */
export function watchRun(): () => void {
  // The last announced view. Stale views are skipped, as they are reloading.
  let announced: RunView | null = null;
  return runSessionStore.subscribe(({ view }) => {
    if (view === announced || view?.stale) return;
    const before = announced;
    announced = view;
    if (!view) return;
    const news = runNews(before, view, nodeTitlesOf(view.flow_text, view.flow_path, view.titles), breakpointStore.getState().breakpoints);
    if (news) announce(news);
    noticeOtherAnswer(before, view);
    if (isNewStop(before, view)) void showFrame(view.stop?.place ?? [], false);
    const isNew = asked(view) !== undefined && asked(view) !== asked(before);
    if (isNew && !isTextField(document.activeElement)) panelsStore.getState().showRight('waiting');
  });
}
