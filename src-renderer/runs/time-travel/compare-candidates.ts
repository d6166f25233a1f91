import type { RunSummary } from '#shared/contract/runs.ts';
import type { TravelledRun } from './time-travel-dialogs.ts';

/** How a run that could be compared is related to the one that is shown. */
export type Relation = 'parent' | 'fork' | 'sibling' | 'same_flow' | 'other';

export interface CompareCandidate {
  readonly run: RunSummary;
  readonly relation: Relation;
}

const order: readonly Relation[] = ['parent', 'fork', 'sibling', 'same_flow', 'other'];

function relationOf(run: TravelledRun, other: RunSummary): Relation {
  if (other.run_id === run.forked_from?.run_id) return 'parent';
  if (other.forked_from?.run_id === run.run_id) return 'fork';
  if (run.forked_from && other.forked_from?.run_id === run.forked_from.run_id) return 'sibling';
  return other.flow_path === run.flow_path ? 'same_flow' : 'other';
}

/** Runs to compare a run with: its parent and forks first, then those of the same flow; within each, the last changed first. */
export function compareCandidates(run: TravelledRun, runs: readonly RunSummary[]): readonly CompareCandidate[] {
  return runs
    .filter((other) => other.run_id !== run.run_id)
    .map((other) => ({ run: other, relation: relationOf(run, other) }))
    .sort((a, b) => order.indexOf(a.relation) - order.indexOf(b.relation) || b.run.updated_at - a.run.updated_at);
}
