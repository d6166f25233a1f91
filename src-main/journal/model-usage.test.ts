import { expect, test } from 'vitest';
import { costOf } from '#shared/run/model-cost.ts';
import { usageOf } from './model-usage.ts';

test('the recorded usage of a call has its cached tokens, which cost what their price says', () => {
  const usage = usageOf({ result: { usage: { tokens_in: 1000, tokens_out: 10, tokens_cached: 900 } } });
  expect(usage).toEqual({ tokens_in: 1000, tokens_out: 10, tokens_cached: 900 });
  expect(costOf(usage as NonNullable<typeof usage>, { input: 10, output: 0, cached_input: 1 })).toBeCloseTo(0.0019, 12);
  expect(usageOf({ result: { usage: { tokens_in: 1, tokens_out: 1 } } })).toEqual({ tokens_in: 1, tokens_out: 1 });
  expect(usageOf({ error: {} })).toBe(null);
});
