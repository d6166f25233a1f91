import { describe, expect, it } from 'vitest';
import type { RunSummary } from '#shared/contract/runs.ts';
import { runTree } from './run-tree.ts';

const run = (run_id: string, created_at: number, parent?: string) =>
  ({ run_id, created_at, forked_from: parent === undefined ? null : { run_id: parent, seq: 1 } }) as RunSummary;

const shape = (runs: readonly RunSummary[], folded: readonly string[] = []) =>
  runTree(runs, new Set(folded)).map(({ run: { run_id }, level, forks }) => [run_id, level, forks]);

describe('the tree of runs', () => {
  it('lists forks below their run, the last started first', () => {
    expect(shape([run('a', 1), run('b', 5), run('a2', 3, 'a'), run('a1', 2, 'a'), run('deep', 4, 'a1')])).toEqual([
      ['b', 1, 0],
      ['a', 1, 2],
      ['a2', 2, 0],
      ['a1', 2, 1],
      ['deep', 3, 0],
    ]);
  });

  it('leaves out the forks of a folded run', () => {
    expect(shape([run('a', 1), run('a1', 2, 'a'), run('deep', 4, 'a1')], ['a'])).toEqual([['a', 1, 1]]);
  });

  it('lists the fork of a run that is not listed on its own', () => {
    expect(shape([run('a1', 2, 'gone')])).toEqual([['a1', 1, 0]]);
  });
});
