import { expect, it } from 'vitest';
import type { NodeView } from '#renderer/document/graph/graph-view.ts';
import { CardIndex } from './card-index.ts';
import { snapped } from './snap.ts';

const port = { state: 's', open: false, entry: false, terminal: false };
const node = (key: string, ports: number): NodeView => {
  return { key, id: key, index: 0, kind: 'work', title: key, inputs: Array.from({ length: ports }, () => port), outputs: [], detail: null };
};
const view = { nodes: [node('A', 1), node('B', 1), node('C', 3), node('far', 1)], wires: [] };
const positions = { A: { x: 0, y: 0 }, B: { x: 300, y: 100 }, C: { x: 600, y: 0 }, far: { x: 5000, y: 3 } };
const index = CardIndex.of(view, positions);
const snap = (x: number, y: number, zoom = 1) => snapped('B', { x, y }, index, positions, zoom);

it('snaps to the nearest edge of a neighbour, within a few pixels of the screen', () => {
  expect(snap(303, 4)).toEqual({ x: 303, y: 0, vertical: null, horizontal: 0 });
  expect(snap(3, 200)).toEqual({ x: 0, y: 200, vertical: 0, horizontal: null });
  expect(snap(303, 8)).toMatchObject({ y: 8 });
  expect(snap(303, 8, 0.5)).toMatchObject({ y: 0 });
});

it('snaps to the middle and the lower edge of a taller neighbour', () => {
  expect(snap(300, 21)).toMatchObject({ y: 22, horizontal: 54 });
  expect(snap(300, 45)).toMatchObject({ y: 44, horizontal: 108 });
});

it('ignores cards that are far away', () => {
  expect(snapped('B', { x: 4000, y: 5 }, index, { ...positions }, 1)).toMatchObject({ y: 5, horizontal: null });
});
