import type { ProblemCode } from '#shared/flow/problem.ts';

/** Codes of what an import reports about the file of another tool. */
export type ForeignCode = Extract<ProblemCode, `import_${string}`>;

/** Adds a finding. `at` is the line in the file, from 1, or the segments of the JSON Pointer. Only `import_format` and `import_structure` are errors. */
export type ReportForeign = (code: ForeignCode, at: number | readonly (string | number)[], message: string) => void;

/** Whether a finding prevents the import. */
export function preventsImport(code: ForeignCode): boolean {
  return code === 'import_format' || code === 'import_structure';
}
