import { useRunSession } from '#renderer/stores/use-run-session.ts';

/** How many questions the shown run asks, for the tab of the waiting panel. */
export function useWaitingCount(): number {
  return useRunSession(({ view }) => (view?.status === 'suspended' && !view.read_only ? view.suspensions.length : 0));
}
