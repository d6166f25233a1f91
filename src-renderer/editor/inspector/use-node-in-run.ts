import { useStore } from 'zustand';
import { nodeInRun, wayInto } from '#renderer/runs/model/run-inside.ts';
import { runSubjectStore } from '#renderer/runs/model/run-subject.ts';
import { useRunSession } from '#renderer/runs/model/use-run-session.ts';

/** The id in the shown run of a node of the shown flow; null while no run of the flow is shown. */
export function useNodeInRun(id: string | null): string | null {
  const subject = useStore(runSubjectStore, (state) => state.flow);
  return useRunSession(({ view, selected, shown }) => {
    const way = view && wayInto(view, subject);
    return id !== null && view && way ? nodeInRun(view, selected === null ? 'now' : { seq: selected, state: shown }, way, id) : null;
  });
}
