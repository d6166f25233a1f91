import { expect, it } from 'vitest';
import { plotLines } from './plot-lines.ts';

const size = { width: 100, height: 44 };
const point = (seq: number, value: number | null) => ({ seq, value });

it('draws a value until its next point, between the least and the greatest', () => {
  expect(plotLines([point(0, 0), point(5, 10), point(10, 5)], 10, size)).toEqual({
    lines: ['0,42 50,42 50,2 100,2 100,22 100,22'],
    least: 0,
    most: 10,
  });
});

it('leaves a gap where there is no value, and draws a constant in the middle', () => {
  expect(plotLines([point(0, 3), point(4, null), point(8, 3)], 10, size).lines).toEqual(['0,22 40,22', '80,22 100,22']);
  expect(plotLines([point(0, null)], 10, size).lines).toEqual([]);
});
