import { expect, it } from 'vitest';
import type { StateAt } from '#shared/contract/runs.ts';
import type { Json } from '#shared/json.ts';
import { statesBetween } from './two-points.ts';

const at = (states: Record<string, Json>, inside: Record<string, Json> = {}): StateAt => ({
  seq: 1,
  node: null,
  states: Object.entries(states).map(([name, value]) => ({ name, value, written_at: 0, written_by: '' })),
  consumed: [],
  next: null,
  tallies: {},
  items: [{ node: 'Items', index: 1, of: 3, next: null, states: Object.entries(inside).map(([name, value]) => ({ name, value })) }],
});

it('lists the states that differ between two points: changed, new, gone, and inside an item', () => {
  const found = statesBetween(
    at({ Kept: { n: 1 }, Changed: { n: 1, m: 2 }, Gone: 7 }, { Mid: 1 }),
    at({ Kept: { n: 1 }, Changed: { n: 3, m: 2 }, New: true }, { Mid: 2 }),
  );
  expect(found.map(({ name, difference }) => [name, difference.kind])).toEqual([
    ['Changed', 'changed'],
    ['New', 'added'],
    ['Items[1]::Mid', 'changed'],
    ['Gone', 'removed'],
  ]);
  expect(found[0]?.difference.parts().map(({ key, kind }) => [key, kind])).toEqual([
    ['n', 'changed'],
    ['m', 'same'],
  ]);
});

it('lists nothing for two points with the same states', () => {
  expect(statesBetween(at({ A: [1, { b: 2 }] }), at({ A: [1, { b: 2 }] }))).toEqual([]);
});
