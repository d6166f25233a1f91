import { createStore } from 'zustand/vanilla';
import { studio } from '#renderer/api/studio.ts';
import { runSessionStore } from './run-stores.ts';

interface RecordedSources {
  /** The run that they are of. */
  readonly run_id: string | null;
  /** Texts of the files that its flow was built from, except its document, by path. Empty until they have loaded. */
  readonly sources: Readonly<Record<string, string>>;
}

const none: RecordedSources = { run_id: null, sources: {} };

/** The recorded files of the shown run's flow, with which edited nested flows are compared. */
export const recordedSourcesStore = createStore<RecordedSources>()(() => none);

/** Loads them for each run that is shown. Returns the function that stops this. */
export function followRecordedSources(): () => void {
  return runSessionStore.subscribe(({ view }) => {
    const run_id = view?.run_id ?? null;
    if (recordedSourcesStore.getState().run_id === run_id) return;
    recordedSourcesStore.setState({ run_id, sources: {} });
    if (run_id === null) return;
    studio.runs.sources({ run_id }).then(
      (sources) => recordedSourcesStore.getState().run_id === run_id && recordedSourcesStore.setState({ sources }),
      // Without them, only the flow itself and unsaved edits are compared.
      () => undefined,
    );
  });
}
