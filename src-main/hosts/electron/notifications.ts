import { Notification } from 'electron';
import type { RunSummary } from '#shared/contract/runs.ts';
import { withHiddenSignsShown } from '#shared/hidden-signs.ts';

export interface NotifierOptions {
  /** Whether somebody looks at the studio now, who needs no notification. */
  readonly isWatched: () => boolean;
  /** Called when a notification is clicked. */
  readonly onClick: (runId: string) => void;
}

/** Tells the person, once each, of what waits for an answer. Answering is done in the studio. */
export function notifier({ isWatched, onClick }: NotifierOptions): (run: RunSummary) => void {
  const told = new Set<string>();
  return (run) => {
    const [waiting] = run.suspensions;
    if (run.status !== 'suspended' || !waiting) return;
    // The ids of calls are unique within their run only.
    const question = `${run.run_id} ${waiting.tool_call_id}`;
    if (told.has(question)) return;
    told.add(question);
    if (isWatched() || !Notification.isSupported()) return;
    const notification = new Notification({
      title: `${run.flow_name} waits for you`,
      body: `${withHiddenSignsShown(waiting.title ?? waiting.node)} asks for an answer.`,
    });
    notification.on('click', () => onClick(run.run_id));
    notification.show();
  };
}
