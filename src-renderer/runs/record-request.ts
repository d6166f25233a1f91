import { createStore } from 'zustand/vanilla';
import { noticeProblem } from '#renderer/notices/notices.ts';
import { runSessionStore } from '#renderer/stores/run-stores.ts';

/** A run whose models' answers somebody wants to keep as a script. */
export interface RecordRequest {
  readonly run_id: string;
  /** The file that the dialog proposes. */
  readonly path: string;
}

export const recordRequestStore = createStore<{ readonly request: RecordRequest | null }>()(() => ({ request: null }));

/** Asks where the answers of the shown run's models are to be kept. */
export function recordShownRun(): void {
  const { view } = runSessionStore.getState();
  if (!view) {
    noticeProblem('No run is shown', 'Start a run, or open one from the list at the right end of the bottom panel.');
    return;
  }
  const name = (view.flow_path.split('/').at(-1) ?? '').replace(/\.flow\.[^.]+$/, '');
  recordRequestStore.setState({ request: { run_id: view.run_id, path: `models/${name || 'run'}.script.json` } });
}

export function closeRecordRequest(): void {
  recordRequestStore.setState({ request: null });
}
