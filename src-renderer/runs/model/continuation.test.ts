import { expect, test } from 'vitest';
import type { RunSummary } from '#shared/contract/runs.ts';
import { continuationOf } from './continuation.ts';

const run = (run_id: string, created_at: number, forked_from: RunSummary['forked_from']) =>
  ({ run_id, created_at, forked_from }) as RunSummary;

test('a run was continued in the last fork that took its place, not in other forks', () => {
  const runs = [
    run('first', 1, null),
    run('second', 2, { run_id: 'first', seq: 3, continues: true }),
    run('third', 3, { run_id: 'first', seq: 3, continues: true }),
    run('fork', 4, { run_id: 'first', seq: 3 }),
    run('later', 5, { run_id: 'third', seq: 3, continues: true }),
  ];
  expect(continuationOf(runs, 'first')?.run_id).toBe('third');
  expect(continuationOf(runs, 'third')?.run_id).toBe('later');
  expect(continuationOf(runs, 'fork')).toBeNull();
});
