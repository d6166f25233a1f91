import type { RunSummary } from '#shared/contract/runs.ts';

/** A line of the Runs tab. */
export interface RunTreeRow {
  readonly run: RunSummary;
  /** 1 for a run that began with an input, one more for each fork on the way to it. */
  readonly level: number;
  /** The number of its forks in the list. */
  readonly forks: number;
  readonly open: boolean;
  /** Number of this run among its siblings, from 1, and how many there are. */
  readonly position: number;
  readonly siblings: number;
}

/** The runs as a tree: forks below the run that they came from, the last started first. A fork of a run that is not listed is listed as a run of its own. */
export function runTree(runs: readonly RunSummary[], folded: ReadonlySet<string>): readonly RunTreeRow[] {
  const listed = new Set(runs.map(({ run_id }) => run_id));
  const families = new Map<string | null, RunSummary[]>();
  for (const run of runs) {
    const parent =
      run.forked_from && run.forked_from.run_id !== run.run_id && listed.has(run.forked_from.run_id) ? run.forked_from.run_id : null;
    families.set(parent, [...(families.get(parent) ?? []), run]);
  }
  const rows: RunTreeRow[] = [];
  const seen = new Set<string>();
  const add = (parent: string | null, level: number) => {
    const family = (families.get(parent) ?? []).toSorted((one, other) => other.created_at - one.created_at);
    for (const [index, run] of family.entries()) {
      // An altered journal may contain runs that are forks of each other.
      if (seen.has(run.run_id)) continue;
      seen.add(run.run_id);
      const forks = families.get(run.run_id)?.length ?? 0;
      const open = !folded.has(run.run_id);
      rows.push({ run, level, forks, open, position: index + 1, siblings: family.length });
      if (open) add(run.run_id, level + 1);
    }
  };
  add(null, 1);
  return rows;
}
