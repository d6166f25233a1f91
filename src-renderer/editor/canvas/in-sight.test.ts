import { expect, it } from 'vitest';
import type { NodeView } from '#renderer/document/graph/graph-view.ts';
import { viewportShowing } from './in-sight.ts';

const node: NodeView = { key: 'A', id: 'A', index: 0, kind: 'work', title: 'A', inputs: [], outputs: [], detail: null };
const whole = { left: 0, width: 800, height: 600, controls: [] };
const show = (x: number, y: number, zoom = 1, part = whole) => viewportShowing(node, { x, y }, { x: 0, y: 0, zoom }, part);

it('does not move while the card is visible', () => {
  expect(show(100, 100)).toBeNull();
});

it('moves as little as needed and keeps the zoom', () => {
  expect(show(1000, 100)).toEqual({ x: 800 - 24 - 1204, y: 0, zoom: 1 });
  expect(show(100, -500, 0.5)).toEqual({ x: 0, y: 274, zoom: 0.5 });
});

it('zooms in on a card that was not readable, unless the zoom is to be kept', () => {
  expect(show(1000, 1000, 0.1)).toMatchObject({ zoom: 0.8 });
  expect(viewportShowing(node, { x: 1000, y: 1000 }, { x: 0, y: 0, zoom: 0.1 }, whole, true)).toBeNull();
});

it('brings a card out from behind a panel that lies over the canvas', () => {
  expect(show(100, 100, 1, { ...whole, left: 228, width: 572 })).toEqual({ x: 228 + 24 - 100, y: 0, zoom: 1 });
});

it('takes a card from under the map by the shortest way that keeps it in sight', () => {
  const map = { x: 640, y: 500, width: 150, height: 84 };
  const moved = viewportShowing(node, { x: 470, y: 480 }, { x: 0, y: 0, zoom: 1 }, { ...whole, controls: [map] });
  expect(moved).toEqual({ x: 640 - 8 - 674, y: 0, zoom: 1 });
});
