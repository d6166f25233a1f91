import { analyse } from '#shared/flow/soundness/analyse.ts';
import type { BuiltFlow } from './build-flow.ts';
import type { ValidationReport } from './problem.ts';

/** The report of a built flow, for `pravah validate`, the studio's problems and the API. It includes the soundness proof, which running does not need. */
export function validationReport({ graph, problems, terminals, node_count }: BuiltFlow): ValidationReport {
  const soundness = graph && analyse(graph);
  return {
    valid: graph !== null,
    problems: [...problems, ...(soundness?.problems ?? [])],
    soundness: { status: soundness?.status ?? 'unknown', trace: [...(soundness?.trace ?? [])] },
    terminals: [...terminals],
    nodes: node_count,
  };
}
