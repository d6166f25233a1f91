import type { ProblemCode } from '#shared/flow/problem.ts';

/** One finding about a PyFlow workflow. A workflow with an error is not imported. */
export interface ImportProblem {
  readonly code: ProblemCode;
  readonly severity: 'error' | 'warning';
  /** What is wrong, where, and how to fix it, as text. */
  readonly message: string;
  /** JSON Pointer into the workflow; `""` is the whole file. */
  readonly path: string;
  /** Line in the workflow's file, from 1. */
  readonly line: number;
}

/** Adds a finding. `path` are the segments of its JSON Pointer. */
export type ReportImport = (code: ProblemCode, path: readonly (string | number)[], message: string, severity?: 'error' | 'warning') => void;
