import { createStore } from 'zustand/vanilla';

/** The flow for the run commands: the one on the canvas, with unsaved edits. */
export interface RunSubject {
  readonly path: string;
  readonly text: string;
  /** Errors found so far that prevent it from running. */
  readonly errors: number;
  /** The flows around it with the nodes that were opened, the outermost first. */
  readonly within?: readonly OuterStep[];
}

/** A flow around the shown one, and its node that runs the next. */
export interface OuterStep {
  readonly flow: Omit<RunSubject, 'within'>;
  /** `call`: an agent that calls the next flow as a tool. */
  readonly kind: 'flow' | 'each' | 'call';
  /** The next flow's name among the agent's tools. */
  readonly tool?: string;
  /** The node's id in its own flow. */
  readonly node: string;
  /** States that the next flow begins and ends with. */
  readonly input: string;
  readonly output: string;
}

/** Written by the editor, read by the debugger; neither imports the other. */
export const runSubjectStore = createStore<{ readonly flow: RunSubject | null }>()(() => ({ flow: null }));
