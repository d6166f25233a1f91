import type { BuiltFlow } from '#shared/flow/build-flow.ts';
import type { ValidationReport } from '#shared/flow/problem.ts';

/** What is told of a built flow: by `pravah validate`, in the studio's problems and over the API. */
export function validationReport({ graph, problems, terminals, node_count }: BuiltFlow): ValidationReport {
  return {
    valid: graph !== null,
    problems: [...problems],
    soundness: { status: 'unknown', trace: [] },
    terminals: [...terminals],
    nodes: node_count,
  };
}
