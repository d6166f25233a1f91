import { useRunSession } from '#renderer/runs/model/use-run-session.ts';

/** The number of questions of the shown run, for the Inbox tab. */
export function useWaitingCount(): number {
  return useRunSession(({ view }) => (view?.status === 'suspended' && !view.read_only ? view.suspensions.length : 0));
}
