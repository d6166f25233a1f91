import { createStore } from 'zustand/vanilla';
import { currentFlow, editorStore } from './editor.ts';

/** The flow that the run commands act on: the one that the canvas shows, as it stands there, saved or not. */
export interface RunSubject {
  readonly path: string;
  readonly text: string;
  /** Errors that keep it from running, as far as they have been found. */
  readonly errors: number;
}

function subjectNow(): RunSubject | null {
  const flow = currentFlow();
  if (!flow) return null;
  const errors = flow.report?.problems.filter(({ severity }) => severity === 'error').length ?? 0;
  return { path: flow.path, text: flow.parsed.text, errors };
}

/** What of the editor the debugger looks at: changes when its flow does, and not when a node is moved. */
export const runSubjectStore = createStore<{ readonly flow: RunSubject | null }>()(() => ({ flow: subjectNow() }));

editorStore.subscribe(() => {
  const { flow: before } = runSubjectStore.getState();
  const flow = subjectNow();
  if (flow?.path === before?.path && flow?.text === before?.text && flow?.errors === before?.errors) return;
  runSubjectStore.setState({ flow });
});
