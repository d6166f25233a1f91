import { expect, it } from 'vitest';
import type { NodeView } from '#renderer/document/graph/graph-view.ts';
import { viewportShowing } from './in-sight.ts';

const node: NodeView = { key: 'A', id: 'A', index: 0, kind: 'work', title: 'A', inputs: [], outputs: [], detail: null };
const show = (x: number, y: number, zoom = 1) => viewportShowing(node, { x, y }, { x: 0, y: 0, zoom }, 800, 600);

it('does not move while the card is visible', () => {
  expect(show(100, 100)).toBeNull();
});

it('moves as little as needed and keeps the zoom', () => {
  expect(show(1000, 100)).toEqual({ x: 800 - 24 - 1204, y: 0, zoom: 1 });
  expect(show(100, -500, 0.5)).toEqual({ x: 0, y: 274, zoom: 0.5 });
});

it('zooms in on a card that was not readable', () => {
  expect(show(1000, 1000, 0.1)).toMatchObject({ zoom: 0.8 });
});
