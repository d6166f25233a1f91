import type { Problem, ProblemCode, ProblemFix } from '#shared/flow/problem.ts';

const warnings: ReadonlySet<ProblemCode> = new Set<ProblemCode>([
  'deadlock_possible',
  'improper_completion',
  'state_collision',
  'dead_node',
  'unused_schema',
]);

/** Reports one problem, with edits that fix it if there are simple ones. The code decides the severity. */
export type Report = (code: ProblemCode, path: string, nodes: readonly string[], message: string, fixes?: readonly ProblemFix[]) => void;

/** A list of problems and the function that adds to it. */
export function collector(): { readonly problems: Problem[]; readonly report: Report } {
  const problems: Problem[] = [];
  const report: Report = (code, path, nodes, message, fixes = []) => {
    const severity = warnings.has(code) ? 'warning' : 'error';
    problems.push({ code, severity, message, nodes: [...nodes], path, ...(fixes.length > 0 && { fixes: [...fixes] }) });
  };
  return { problems, report };
}

/** Names as a list in a sentence: `A, B and C`. */
export function listed(names: readonly string[]): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}
