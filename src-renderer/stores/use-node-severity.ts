import type { OpenFlow } from '#renderer/editing/open-flow.ts';
import type { Problem, ValidationReport } from '#shared/flow/problem.ts';
import { useCurrentFlow } from './use-current-flow.ts';

type Severities = ReadonlyMap<string, Problem['severity']>;

const severitiesOf = new WeakMap<ValidationReport, Severities>();
const none: Severities = new Map();

/** The worst finding about a node of the flow shown, or null. */
export function useNodeSeverity(id: string): Problem['severity'] | null {
  return useCurrentFlow((flow) => severities(flow).get(id) ?? null);
}

/** Computed once a report, not once a node. */
function severities(flow: OpenFlow | null): Severities {
  const report = flow?.report;
  if (!report) return none;
  let found = severitiesOf.get(report);
  if (!found) {
    const worst = new Map<string, Problem['severity']>();
    for (const { severity, nodes } of report.problems) {
      for (const id of nodes) if (severity === 'error' || !worst.has(id)) worst.set(id, severity);
    }
    found = worst;
    severitiesOf.set(report, found);
  }
  return found;
}
