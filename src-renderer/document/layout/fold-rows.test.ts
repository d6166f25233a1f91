import ELK from 'elkjs/lib/elk.bundled.js';
import { describe, expect, it } from 'vitest';
import { type GraphView, graphView } from '#renderer/document/graph/graph-view.ts';
import { type ReadableFlow, readableFlow } from '#renderer/document/graph/readable-flow.ts';
import { parseFlow } from '#shared/flow/parse-flow.ts';
import { elkGraph, layoutFrom } from './elk-graph.ts';
import { foldRows, stackColumns } from './fold-rows.ts';
import { largeLayout } from './large-layout.ts';
import { viewportFor } from './viewport-for.ts';

function chainOf(length: number): GraphView {
  const nodes = Array.from({ length }, (_, index) => ({ kind: 'work', from: `S${index}`, to: `S${index + 1}`, expr: 'input' }));
  const text = JSON.stringify({ input: 'S0', output: `S${length}`, nodes });
  return graphView(readableFlow(parseFlow(text, 'chain.flow.json')) as ReadableFlow);
}

const straight = async (view: GraphView) => layoutFrom(await new ELK().layout(elkGraph(view)));

describe('a long flow', () => {
  it.each([
    [5, 2],
    [8, 3],
    [24, 5],
  ])('of %i nodes folds into %i rows, and is shown whole beside open panels', async (length, rows) => {
    const view = chainOf(length);
    const positions = foldRows(view, await straight(view));
    expect(new Set(Object.values(positions).map(({ y }) => y)).size).toBe(rows);
    const order = view.nodes.map((node) => positions[node.key] ?? { x: 0, y: 0 });
    for (const [index, place] of order.slice(1).entries()) {
      const before = order[index] ?? place;
      expect(place.y > before.y || (place.y === before.y && place.x > before.x)).toBe(true);
    }
    expect(viewportFor(view.nodes, positions, 860, 560).zoom).toBeGreaterThanOrEqual(0.6);
  });

  it('stays in one row while that is readable', async () => {
    const view = chainOf(4);
    const positions = await straight(view);
    expect(foldRows(view, positions)).toBe(positions);
  });

  it('folds by the same rule when it is large, without overlaps and in linear time', () => {
    const view = chainOf(600);
    const positions = foldRows(view, largeLayout(view));
    const places = Object.values(positions).map(({ x, y }) => `${x} ${y}`);
    expect(new Set(places).size).toBe(600);
    const width = Math.max(...Object.values(positions).map(({ x }) => x));
    const height = Math.max(...Object.values(positions).map(({ y }) => y));
    expect(width / height).toBeGreaterThan(1);
    expect(width / height).toBeLessThan(2.5);
  });
});

describe('a layout from top to bottom', () => {
  it('has a row for each column, in the order of the wires, without cards that overlap', async () => {
    const view = chainOf(5);
    const positions = stackColumns(view, await straight(view));
    const ys = view.nodes.map((node) => positions[node.key]?.y ?? Number.NaN);
    expect(ys).toEqual([...ys].sort((one, other) => one - other));
    expect(new Set(ys).size).toBe(5);
    expect(new Set(Object.values(positions).map(({ x }) => x)).size).toBe(1);
  });
});

it('folds a readable flow only when asked', async () => {
  const view = chainOf(4);
  const places = await straight(view);
  expect(foldRows(view, places)).toBe(places);
  expect(new Set(Object.values(foldRows(view, places, true)).map(({ y }) => y)).size).toBe(2);
});
