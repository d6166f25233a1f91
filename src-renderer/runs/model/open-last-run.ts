import { studio } from '#renderer/api/studio.ts';
import { isDirty } from '#renderer/document/editing/open-flow.ts';
import { currentFlow } from '#renderer/document/flows/editor.ts';
import { runSessionStore } from './run-stores.ts';
import { runSubjectStore } from './run-subject.ts';

/**
 * Shows the last run of a flow when the flow is opened for the first time, unless another run is shown or the flow has unsaved edits. Imported runs are
 * not shown by themselves. Returns the function that stops this.
 */
export function openLastRuns(): () => void {
  const opened = new Set<string>();
  const follow = () => {
    const { flow } = runSubjectStore.getState();
    if (!flow || flow.within?.length || opened.has(flow.path)) return;
    opened.add(flow.path);
    void openLastRun(flow.path);
  };
  follow();
  return runSubjectStore.subscribe(follow);
}

async function openLastRun(flow_path: string): Promise<void> {
  // A run that cannot be read is reported when the user opens it.
  const [last] = await studio.runs.list({ flow_path, limit: 1 }).catch(() => []);
  const { view, call, open } = runSessionStore.getState();
  const { flow } = runSubjectStore.getState();
  const shown = currentFlow();
  if (!last || last.read_only || view || call || flow?.path !== flow_path || flow.within?.length) return;
  if (shown && isDirty(shown)) return;
  await open(last.run_id);
}
