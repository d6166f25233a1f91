import { describe, expect, it } from 'vitest';
import { noMarks } from '#renderer/runs/model/run-marks.ts';
import type { ComparedStep } from '#shared/contract/time-travel.ts';
import { withComparison } from './comparison-marks.ts';

function line(node: string, seq: number | null, other_seq: number | null, differs: ComparedStep['differs'] = []): ComparedStep {
  return { node, kind: 'work', seq, other_seq, differs, tokens: 0, other_tokens: 0, duration_ms: 0, other_duration_ms: 0 };
}

describe('the marks of a comparison', () => {
  const marks = { ...noMarks, nodes: { A: { status: 'ran' as const, count: 1 }, B: { status: 'next' as const, count: 0 } } };

  it('show which nodes ran in only one run, and which differ', () => {
    const lines = [line('A', 1, 1), line('B', 2, 2, ['states']), line('C', 3, null, ['missing']), line('D', null, 3, ['missing'])];
    expect(withComparison(marks, lines).nodes).toEqual({
      A: { status: 'ran', count: 1 },
      B: { status: 'next', count: 0, badge: 'differs', differs: true },
      C: { status: 'ran', count: 0, badge: 'only here', differs: true },
      D: { status: 'ran', count: 0, badge: 'only there', differs: true },
    });
  });

  it('count what is inside a nested flow for its card', () => {
    const lines = [line('A', 1, 1), line('A::X', 2, null, ['missing'])];
    expect(withComparison(marks, lines).nodes.A).toMatchObject({ badge: 'differs' });
  });
});
