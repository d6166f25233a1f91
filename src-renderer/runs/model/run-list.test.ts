import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RunSummary } from '#shared/contract/runs.ts';
import { waitingOf, withSummary } from './run-list.ts';

function summary(run_id: string, updated_at: number, change: Partial<RunSummary> = {}): RunSummary {
  return {
    run_id,
    flow_path: 'a.flow.yaml',
    flow_name: 'A',
    status: 'paused',
    seq: updated_at,
    created_at: 0,
    updated_at,
    error: null,
    suspensions: [],
    tokens: 0,
    forked_from: null,
    read_only: false,
    ...change,
  };
}

const question = (id: string, since: number) => ({
  reason: 'call' as const,
  tool_id: `N::${id}`,
  node: 'N',
  tool_call_id: id,
  value: {},
  since,
});

describe('the list of runs', () => {
  it('ends with the newest summary of each run, in any order of arrival', () => {
    const news = fc.uniqueArray(fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.nat(30)), { selector: ([run, at]) => `${run}${at}` });
    fc.assert(
      fc.property(news, (arrivals) => {
        const list = arrivals.reduce<readonly RunSummary[]>((runs, [run, at]) => withSummary(runs, summary(run, at)), []);
        for (const run of new Set(arrivals.map(([name]) => name))) {
          const newest = Math.max(...arrivals.filter(([name]) => name === run).map(([, at]) => at));
          expect(list.filter(({ run_id }) => run_id === run).map(({ updated_at }) => updated_at)).toEqual([newest]);
        }
        expect(list.map(({ updated_at }) => updated_at)).toEqual(list.map(({ updated_at }) => updated_at).sort((a, b) => b - a));
      }),
      { seed: 3 },
    );
  });
});

describe('the questions to the user', () => {
  it('are the first question of each waiting run, the oldest first', () => {
    const runs = [
      summary('a', 9, { status: 'suspended', suspensions: [question('a1', 5), question('a2', 6)] }),
      summary('b', 8, { status: 'suspended', suspensions: [question('b1', 2)] }),
      summary('c', 7),
      summary('d', 6, { status: 'cancelled', suspensions: [question('d1', 1)] }),
    ];
    expect(waitingOf(runs).map(({ suspension }) => suspension.tool_call_id)).toEqual(['b1', 'a1']);
  });

  it('leave out a run that was continued with its edited flow, whose question is asked there', () => {
    const runs = [
      summary('old', 9, { status: 'suspended', suspensions: [question('first', 1)] }),
      summary('new', 10, {
        status: 'suspended',
        suspensions: [question('again', 1)],
        forked_from: { run_id: 'old', seq: 9, continues: true },
      }),
      summary('fork', 11, { status: 'suspended', suspensions: [question('fork', 2)], forked_from: { run_id: 'new', seq: 9 } }),
    ];
    expect(waitingOf(runs).map(({ suspension }) => suspension.tool_call_id)).toEqual(['again', 'fork']);
  });
});
