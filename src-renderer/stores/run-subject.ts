import { createStore } from 'zustand/vanilla';

/** The flow that the run commands act on: the one that the canvas shows, as it stands there, saved or not. */
export interface RunSubject {
  readonly path: string;
  readonly text: string;
  /** Errors that keep it from running, as far as they have been found. */
  readonly errors: number;
  /** Where the flow was reached through others: the outer flows with the nodes gone into, the outermost first. */
  readonly within?: readonly OuterStep[];
}

/** A flow on the way into the shown one, and the node of it that runs the next. */
export interface OuterStep {
  readonly flow: Omit<RunSubject, 'within'>;
  readonly kind: 'flow' | 'each';
  /** The node's id in its own flow. */
  readonly node: string;
  /** States that the next flow begins and ends with. */
  readonly input: string;
  readonly output: string;
}

/** Written by the editor, read by the debugger; neither knows the other. */
export const runSubjectStore = createStore<{ readonly flow: RunSubject | null }>()(() => ({ flow: null }));
