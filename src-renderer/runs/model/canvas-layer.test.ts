import { expect, it } from 'vitest';
import { levelOf } from './canvas-layer.ts';

it('the level of a number is 0 for none, 4 for the greatest, and grows with the number', () => {
  expect([0, -1].map((value) => levelOf(value, 10))).toEqual([0, 0]);
  expect(levelOf(0, 0)).toBe(0);
  const levels = [1, 3, 10, 40, 100, 400, 1000].map((value) => levelOf(value, 1000));
  expect(levels[0]).toBe(1);
  expect(levels.at(-1)).toBe(4);
  expect(levels).toEqual([...levels].sort());
  expect(new Set(levels).size).toBe(4);
});
