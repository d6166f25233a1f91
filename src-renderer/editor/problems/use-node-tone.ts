import type { OpenFlow } from '#renderer/document/editing/open-flow.ts';
import { useCurrentFlow } from '#renderer/document/flows/use-current-flow.ts';
import type { ValidationReport } from '#shared/flow/problem.ts';
import { type ProblemTone, toneOf, worseTone } from './problem-tone.ts';

type Tones = ReadonlyMap<string, ProblemTone>;

const tonesOf = new WeakMap<ValidationReport, Tones>();
const none: Tones = new Map();

/** The worst finding about a node of the shown flow, or null. */
export function useNodeTone(id: string): ProblemTone | null {
  return useCurrentFlow((flow) => tones(flow).get(id) ?? null);
}

/** The worst finding about each node of the shown flow, by the node's id. */
export function useNodeTones(): Tones {
  return useCurrentFlow(tones);
}

/** Computed once for each report, not for each node. */
function tones(flow: OpenFlow | null): Tones {
  const report = flow?.report;
  if (!report) return none;
  let found = tonesOf.get(report);
  if (!found) {
    const worst = new Map<string, ProblemTone>();
    for (const problem of report.problems) {
      for (const id of problem.nodes) worst.set(id, worseTone(worst.get(id), toneOf(problem)));
    }
    found = worst;
    tonesOf.set(report, found);
  }
  return found;
}
