import type { BuiltFlow } from '#shared/flow/build-flow.ts';
import type { ValidationReport } from '#shared/flow/problem.ts';
import { analyse } from '#shared/flow/soundness/analyse.ts';

/** What is told of a built flow: by `pravah validate`, in the studio's problems and over the API. The proof is made here, since running needs none. */
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
