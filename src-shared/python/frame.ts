import type { PyValue } from './values.ts';

/** The variables of a call or comprehension in progress. */
export interface Frame {
  readonly slots: (PyValue | undefined)[];
  readonly outer: Frame | undefined;
  readonly globals: Map<string, PyValue>;
}

/** The frame of the whole expression. */
export const globalFrame = (globals: Map<string, PyValue>): Frame => ({ slots: [], outer: undefined, globals });

/** A frame within another. */
export const innerFrame = (outer: Frame): Frame => ({ slots: [], outer, globals: outer.globals });
