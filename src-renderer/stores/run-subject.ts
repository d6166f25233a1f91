import { createStore } from 'zustand/vanilla';

/** The flow that the run commands act on: the one that the canvas shows, as it stands there, saved or not. */
export interface RunSubject {
  readonly path: string;
  readonly text: string;
  /** Errors that keep it from running, as far as they have been found. */
  readonly errors: number;
}

/** Written by the editor, read by the debugger; neither knows the other. */
export const runSubjectStore = createStore<{ readonly flow: RunSubject | null }>()(() => ({ flow: null }));
