import { waitingTitle } from '#renderer/inbox/waiting-words.ts';
import { shortRunName } from '#renderer/runs/run-name.ts';
import type { RunView } from '#renderer/stores/run-fold.ts';
import type { NodeTitles } from './node-titles.ts';

/** What has just happened to the shown run, in a sentence for those who cannot see it; null when nothing is worth one. */
export function runNews(before: RunView | null, now: RunView, titles: NodeTitles): string | null {
  const known = before?.run_id === now.run_id ? before : null;
  const statusChanged = known?.status !== now.status;
  const question = now.suspensions[0];
  if (now.read_only)
    return known ? null : `Run ${shortRunName(now.run_id)} of ${now.flow_name} is shown. It can be looked at and forked, not driven.`;
  if (now.status === 'suspended' && question && question.tool_call_id !== known?.suspensions[0]?.tool_call_id)
    return `Waiting: ${waitingTitle(question, titles(question.node))}. The answer is given in the Waiting panel.`;
  if (now.status === 'queued') return statusChanged ? 'Queued: the run starts when another one rests.' : null;
  if (now.status === 'running') return known && statusChanged ? 'Running' : null;
  if (statusChanged && now.status === 'success') return `The run is done after ${steps(now.seq)}.`;
  if (statusChanged && now.status === 'error')
    return `The run failed${now.error?.node ? ` in ${titles(now.error.node)}` : ''}: ${now.error?.message ?? ''}`;
  if (statusChanged && now.status === 'cancelled') return 'The run was stopped.';
  if (now.status !== 'paused' || (known?.seq === now.seq && !statusChanged)) return null;
  return [stepNews(now, titles), now.current.next === null ? null : `Next: ${titles(now.current.next)}.`].filter(Boolean).join(' ');
}

function steps(count: number): string {
  return count === 1 ? '1 step' : `${count} steps`;
}

function stepNews({ seq, timeline }: RunView, titles: NodeTitles): string {
  const entry = timeline.findLast((one) => one.seq <= seq);
  if (!entry) return 'The run has begun.';
  const produced = entry.produced.length > 0 ? ` produced ${entry.produced.join(' and ')}` : '';
  return `Step ${entry.seq}: ${titles(entry.node)}${produced}.`;
}
