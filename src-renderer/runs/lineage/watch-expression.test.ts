import { expect, it } from 'vitest';
import { parseExpression } from '#shared/flow/expression.ts';
import { watchExpression } from './watch-expression.ts';

it.each([
  ['Order', '', 'states.Order'],
  ['Order', '/lines/0/price', 'states.Order.lines[0].price'],
  ['Price::Order', '/unit price/a~1b', 'states.Order["unit price"]["a/b"]'],
])('writes %s%s as the expression %s', (state, path, expression) => {
  expect(watchExpression(state, path)).toBe(expression);
  expect(parseExpression(expression).ok).toBe(true);
});
