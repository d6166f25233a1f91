import type { RunSummary } from '#shared/contract/runs.ts';

/** The run in which a run was continued with its edited flow, the last one; null if there is none. */
export function continuationOf(runs: readonly RunSummary[], run_id: string): RunSummary | null {
  const next = runs.filter(({ forked_from }) => forked_from?.continues && forked_from.run_id === run_id);
  return next.reduce<RunSummary | null>((last, run) => (last && last.created_at >= run.created_at ? last : run), null);
}
