import { expect, it } from 'vitest';
import type { RunSummary } from '#shared/contract/runs.ts';
import { compareCandidates } from './compare-candidates.ts';

function summary(run_id: string, updated_at: number, change: Partial<RunSummary> = {}): RunSummary {
  return { run_id, flow_path: 'a.flow.yaml', updated_at, forked_from: null, ...change } as RunSummary;
}

it('lists the parent and forks of a run first, then runs of the same flow', () => {
  const run = {
    run_id: 'me',
    flow_path: 'a.flow.yaml',
    flow_name: 'A',
    flow_text: '',
    seq: 3,
    titles: {},
    forked_from: { run_id: 'parent', seq: 1 },
  };
  const runs = [
    summary('elsewhere', 90, { flow_path: 'b.flow.yaml' }),
    summary('me', 80),
    summary('newer', 70),
    summary('older', 60),
    summary('sibling', 50, { forked_from: { run_id: 'parent', seq: 2 } }),
    summary('fork', 40, { forked_from: { run_id: 'me', seq: 2 } }),
    summary('parent', 30),
  ];
  expect(compareCandidates(run, runs).map((one) => `${one.run.run_id} ${one.relation}`)).toEqual([
    'parent parent',
    'fork fork',
    'sibling sibling',
    'newer same_flow',
    'older same_flow',
    'elsewhere other',
  ]);
});
