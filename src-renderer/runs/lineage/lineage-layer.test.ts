import { expect, it } from 'vitest';
import { wireKey } from '#renderer/runs/model/canvas-layer.ts';
import type { LineageStep } from '#shared/contract/lineage.ts';
import { lineageLayer } from './lineage-layer.ts';

const step = (seq: number, node: string | null, state: string): LineageStep => ({
  seq,
  name: state,
  node,
  state,
  path: null,
  place: [],
  of: null,
  how: 'consumed',
});
const steps = [
  step(9, 'Sum', 'Total'),
  step(7, 'Items[1]::Mid', 'Items[1]::Out'),
  step(5, 'Count', 'Sum'),
  step(3, 'Count', 'Sum'),
  step(1, 'Count', 'Sum'),
  step(0, null, 'A'),
];

it('numbers the steps of a lineage on wires, and those inside a nested flow on its card', () => {
  const { nodes, wires } = lineageLayer(steps, (name) => name);
  expect(Object.entries(nodes).map(([id, { text }]) => [id, text])).toEqual([
    ['Sum', '1'],
    ['Items', '2'],
    ['Count', '3, 4 …'],
  ]);
  expect(Object.entries(wires ?? {}).map(([key, { text }]) => [key, text])).toEqual([
    [wireKey('Sum', 'Total'), '1'],
    [wireKey('Count', 'Sum'), '3, 4 …'],
  ]);
  expect(nodes.Count?.title).toBe('3: step 5, 4: step 3, 5: step 1');
});

it('shows only the steps inside the shown flow, by its own names', () => {
  const own = (name: string) => (name.startsWith('Items[1]::') ? name.slice('Items[1]::'.length) : null);
  expect(lineageLayer(steps, own)).toMatchObject({ nodes: { Mid: { text: '2' } }, wires: { [wireKey('Mid', 'Out')]: { text: '2' } } });
});
