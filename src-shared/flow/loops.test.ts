import { expect, it } from 'vitest';
import { loopsOf } from './loops.ts';

const node = (from: string, ...to: string[]) => ({ id: from, from: [from], to });
const found = (...nodes: ReturnType<typeof node>[]) => loopsOf(nodes).map((loop) => [...loop].sort());

it('finds loops with the loops inside them, and nodes that lead to themselves', () => {
  expect(found(node('A', 'B'), node('B', 'C'))).toEqual([]);
  expect(found(node('A', 'B'), node('B', 'C', 'E'), node('C', 'D', 'C2'), node('C2', 'C'), node('D', 'B'), node('E', 'F'))).toEqual([
    ['B', 'C', 'C2', 'D'],
  ]);
  expect(found(node('A', 'A', 'B'), node('B', 'X'), node('X', 'Y'), node('Y', 'X', 'Z'))).toEqual(
    expect.arrayContaining([['A'], ['X', 'Y']]),
  );
});

it('walks a chain of 50,000 nodes', () => {
  const chain = Array.from({ length: 50_000 }, (_, index) => node(`N${index}`, `N${index + 1}`));
  expect(loopsOf(chain)).toEqual([]);
});
