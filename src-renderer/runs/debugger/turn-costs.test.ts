import { describe, expect, it } from 'vitest';
import type { AgentTurn } from '#shared/contract/runs.ts';
import { costText, turnCosts } from './turn-costs.ts';

const reason = (seq: number, turn: number): AgentTurn => ({
  seq,
  turn,
  phase: 'reason',
  model: 'openai://gpt-5',
  tokens: 1404,
  tokens_in: 1284,
  tokens_out: 120,
  duration_ms: 1400,
  mocked: 0,
});
const act = (seq: number, turn: number): AgentTurn => ({
  ...reason(seq, turn),
  phase: 'act',
  model: null,
  tokens_in: null,
  tokens_out: null,
  duration_ms: 160,
});

describe('the costs of turns', () => {
  it('add the time of tools, and the calls that mocks answered, to the turn that called them, also across an answer', () => {
    const costs = turnCosts(2, [reason(1, 1), { ...act(2, 1), mocked: 2 }, act(5, 1), reason(6, 2)]);
    expect(costs.map((cost) => cost && [cost.seq, cost.turn, cost.tools_ms, cost.mocked])).toEqual([
      [1, 1, 320, 2],
      [6, 2, 0, 0],
    ]);
  });

  it('omit answers of the parent of a fork', () => {
    expect(turnCosts(3, [reason(2, 3)]).map((cost) => cost?.seq ?? null)).toEqual([null, null, 2]);
    expect(turnCosts(1, [])).toEqual([null]);
  });

  it('fit on one line', () => {
    const [cost] = turnCosts(1, [reason(1, 1), act(2, 1)]);
    expect(cost && costText(cost, {})).toBe('gpt-5 · 1,284 tokens in, 120 out · 1.4 s · tools 160 ms');
    expect(cost && costText({ ...cost, model: 'script://talk.json', tokens_in: 0, tokens_out: 0, tools_ms: 0 }, {})).toBe(
      'talk.json · 1.4 s',
    );
    expect(cost && costText(cost, { 'openai://gpt-5': { input: 1.25, output: 10 } })).toBe(
      'gpt-5 · 1,284 tokens in, 120 out · cost 0.00281 · 1.4 s · tools 160 ms',
    );
  });
});
