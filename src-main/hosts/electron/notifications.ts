import { Notification } from 'electron';
import type { RunSummary } from '#shared/contract/runs.ts';
import { showInvisible } from '#shared/invisible-characters.ts';

export interface NotifierOptions {
  /** Whether the user is looking at the studio and needs no notification. */
  readonly isWatched: () => boolean;
  /** Called when a notification is clicked. */
  readonly onClick: (runId: string) => void;
}

/** Notifies the user once of each question that a run is waiting on. It is answered in the studio. */
export function notifier({ isWatched, onClick }: NotifierOptions): (run: RunSummary) => void {
  const notified = new Set<string>();
  return (run) => {
    const [waiting] = run.suspensions;
    if (run.status !== 'suspended' || !waiting) return;
    // Call ids are unique only within their run.
    const question = `${run.run_id} ${waiting.tool_call_id}`;
    if (notified.has(question)) return;
    notified.add(question);
    if (isWatched() || !Notification.isSupported()) return;
    const notification = new Notification({
      title: `${run.flow_name} needs your input`,
      body: `${showInvisible(waiting.title ?? waiting.node)} is waiting for your answer.`,
    });
    notification.on('click', () => onClick(run.run_id));
    notification.show();
  };
}
