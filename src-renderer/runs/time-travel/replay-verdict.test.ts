import { describe, expect, it } from 'vitest';
import type { ReplayReport } from '#shared/contract/time-travel.ts';
import { replayVerdict } from './replay-verdict.ts';

const report: ReplayReport = { run_id: 'r', flow: 'recorded', steps: 9, total: 9, effects: 4, divergence: null, notes: [] };

describe('the verdict of a replay', () => {
  it('says that all steps are the same and nothing ran outside', () => {
    expect(replayVerdict(report)).toBe('Replayed: all 9 steps are the same. 4 recorded results were reused; nothing ran outside.');
    expect(replayVerdict({ ...report, total: 1, steps: 1, effects: 0, flow: 'current' })).toBe(
      'Replayed with the current flow: the only step is the same.',
    );
  });

  it('names the first difference', () => {
    const divergence = { seq: 6, what: 'states' as const, node: 'A', message: 'Draft differs.', path: '/Draft/title' };
    expect(replayVerdict({ ...report, steps: 5, divergence })).toBe(
      'Replayed: 5 of 9 steps are the same. First difference in step 6. Draft differs.',
    );
    expect(replayVerdict({ ...report, steps: 0, divergence: { ...divergence, seq: 1 } })).toMatch(
      /differs from the first step\. Draft differs\.$/,
    );
  });
});
