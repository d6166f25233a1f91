import { createStore } from 'zustand/vanilla';
import { runSessionStore } from '#renderer/runs/model/run-stores.ts';
import { texts } from '#renderer/runs/model/texts.ts';
import { noticeProblem } from '#renderer/shell/notices.ts';

/** A run whose model responses the user wants to save as a script. */
export interface RecordRequest {
  readonly run_id: string;
  /** The file that the dialog proposes. */
  readonly path: string;
}

export const recordRequestStore = createStore<{ readonly request: RecordRequest | null }>()(() => ({ request: null }));

/** Asks where to save the model responses of the shown run. */
export function recordShownRun(): void {
  const { view } = runSessionStore.getState();
  if (!view) {
    noticeProblem(texts.noRun.title, texts.noRun.message);
    return;
  }
  const name = (view.flow_path.split('/').at(-1) ?? '').replace(/\.flow\.[^.]+$/, '');
  recordRequestStore.setState({ request: { run_id: view.run_id, path: `models/${name || 'run'}.script.json` } });
}

export function closeRecordRequest(): void {
  recordRequestStore.setState({ request: null });
}
