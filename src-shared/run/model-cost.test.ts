import { expect, test } from 'vitest';
import { CostSum, costOf } from './model-cost.ts';

const price = { input: 2.5, output: 10, cached_input: 1.25 };

test('a call costs its tokens at the price per million, cached ones at their own', () => {
  expect(costOf({ tokens_in: 1000, tokens_out: 200 }, price)).toBeCloseTo(0.0045, 12);
  expect(costOf({ tokens_in: 1000, tokens_out: 200, tokens_cached: 400 }, price)).toBeCloseTo(0.004, 12);
  expect(costOf({ tokens_in: 1000, tokens_out: 0, tokens_cached: 400 }, { input: 2, output: 8 })).toBeCloseTo(0.002, 12);
});

test('a sum of a thousand calls agrees with a sum by hand to 1e-9', () => {
  const sum = new CostSum();
  for (let call = 1; call <= 1000; call += 1) sum.add('m://a', { tokens_in: call, tokens_out: 3 }, price);
  expect(Math.abs((sum.amount ?? 0) - (500_500 * 2.5 + 3000 * 10) / 1e6)).toBeLessThan(1e-9);
});

test('a sum is unknown without a price, without reported tokens, and over two currencies, and says why', () => {
  const without = new CostSum();
  without.add('m://a', { tokens_in: 1, tokens_out: 1 }, price);
  without.add('m://b', { tokens_in: 1, tokens_out: 1 }, undefined);
  expect(without).toMatchObject({ amount: null, unknown: 'm://b has no price. Set one with: pravah models price m://b IN OUT' });
  const silent = new CostSum();
  silent.add('m://a', null, price);
  expect(silent).toMatchObject({ amount: null, unknown: 'm://a did not report the tokens of a call.' });
  const mixed = new CostSum();
  mixed.add('m://a', { tokens_in: 1, tokens_out: 1 }, { ...price, currency: 'USD' });
  mixed.add('m://b', { tokens_in: 1, tokens_out: 1 }, { ...price, currency: 'EUR' });
  expect(mixed).toMatchObject({ amount: null, unknown: 'the prices are in USD and EUR. Use one currency.' });
});
