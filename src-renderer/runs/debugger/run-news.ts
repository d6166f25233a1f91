import type { NodeTitles } from '#renderer/document/graph/node-titles.ts';
import { stopText } from '#renderer/runs/breakpoints/breakpoint-text.ts';
import { waitingTitle } from '#renderer/runs/inbox/questions.ts';
import type { RunView } from '#renderer/runs/model/run-fold.ts';
import { shortRunName } from '#renderer/runs/model/run-name.ts';
import type { Breakpoint } from '#shared/contract/breakpoint.ts';
import { texts } from './texts.ts';

/** Describes for screen readers what has just happened to the shown run; null when there is nothing to announce. */
export function runNews(before: RunView | null, now: RunView, titles: NodeTitles, breakpoints: readonly Breakpoint[] = []): string | null {
  const known = before?.run_id === now.run_id ? before : null;
  const statusChanged = known?.status !== now.status;
  const question = now.suspensions[0];
  if (now.read_only) return known ? null : texts.news.shown(shortRunName(now.run_id), now.flow_name);
  if (now.status === 'suspended' && question && question.tool_call_id !== known?.suspensions[0]?.tool_call_id)
    return texts.news.waiting(waitingTitle(question, titles(question.node)));
  if (now.status === 'queued') return statusChanged ? texts.news.queued : null;
  if (now.status === 'running') {
    if (now.stop?.point === 'hold') return known?.stop?.text === now.stop.text ? null : stopText(now.stop, breakpoints);
    return known && (statusChanged || known.stop) ? texts.news.running : null;
  }
  if (statusChanged && now.status === 'success') return texts.news.done(now.seq);
  if (statusChanged && now.status === 'error')
    return texts.news.failed(now.error?.node ? titles(now.error.node) : null, now.error?.message ?? '');
  if (statusChanged && now.status === 'cancelled') return texts.news.stopped;
  if (now.status !== 'paused' || (known?.seq === now.seq && !statusChanged)) return null;
  return [
    stepNews(now, titles),
    (now.stop && stopText(now.stop, breakpoints)) ?? (now.current.next === null ? null : texts.news.next(titles(now.current.next))),
  ]
    .filter(Boolean)
    .join(' ');
}

function stepNews({ seq, timeline }: RunView, titles: NodeTitles): string {
  const entry = timeline.findLast((one) => one.seq <= seq);
  return entry ? texts.news.step(entry.seq, titles(entry.node), entry.produced) : texts.news.started;
}
