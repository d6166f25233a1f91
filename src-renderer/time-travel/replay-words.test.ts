import { describe, expect, it } from 'vitest';
import type { ReplayReport } from '#shared/contract/time-travel.ts';
import { replayVerdict } from './replay-words.ts';

const report: ReplayReport = { run_id: 'r', flow: 'recorded', steps: 9, total: 9, effects: 4, divergence: null, notes: [] };

describe('the verdict of a replay', () => {
  it('says that all is the same, and that nothing was done outside', () => {
    expect(replayVerdict(report)).toBe(
      'Replayed: all 9 steps came out the same. 4 recorded effects were handed out; nothing outside was done.',
    );
    expect(replayVerdict({ ...report, total: 1, steps: 1, effects: 0, flow: 'current' })).toBe(
      'Replayed with the flow as it is now: all 1 step came out the same.',
    );
  });

  it('says where it came out differently', () => {
    const divergence = { seq: 6, what: 'states' as const, node: 'A', message: 'Draft differs.', path: '/Draft/title' };
    expect(replayVerdict({ ...report, steps: 5, divergence })).toBe(
      'Replayed: 5 steps of 9 came out the same, then it differs at step 6. Draft differs.',
    );
    expect(replayVerdict({ ...report, steps: 0, divergence: { ...divergence, seq: 1 } })).toMatch(
      /differently from the first step on\. Draft differs\.$/,
    );
  });
});
