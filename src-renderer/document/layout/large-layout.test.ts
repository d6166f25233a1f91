import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { card, cardHeight } from '#renderer/document/graph/card-geometry.ts';
import type { GraphView, NodeView } from '#renderer/document/graph/graph-view.ts';
import { leastProcessorTime } from '#shared/testing/processor-time.ts';
import { largeLayout } from './large-layout.ts';

const node = (index: number): NodeView => {
  const port = { state: `S${index}`, open: false, entry: index === 0, terminal: false };
  return { key: `n${index}`, id: `n${index}`, index, kind: 'work', title: '', inputs: [port], outputs: [port], detail: null };
};

function graph(count: number, wires: readonly (readonly [number, number])[]): GraphView {
  return {
    nodes: Array.from({ length: count }, (_, index) => node(index)),
    wires: wires.map(([from, to], index) => ({
      key: `w${index}`,
      state: 'S',
      source: `n${from}`,
      source_port: 0,
      target: `n${to}`,
      target_port: 0,
    })),
  };
}

describe('layout of large flows', () => {
  it('gives every node a unique position, deterministically', () => {
    const graphs = fc
      .integer({ min: 1, max: 30 })
      .chain((count) => fc.array(fc.tuple(fc.nat(count - 1), fc.nat(count - 1)), { maxLength: 60 }).map((wires) => graph(count, wires)));
    fc.assert(
      fc.property(graphs, (view) => {
        const places = largeLayout(view);
        expect(largeLayout(view)).toEqual(places);
        const boxes = view.nodes.map((each) => ({ ...(places[each.key] ?? { x: Number.NaN, y: Number.NaN }), height: cardHeight(each) }));
        for (const [index, a] of boxes.entries()) {
          expect(Number.isFinite(a.x) && Number.isFinite(a.y)).toBe(true);
          for (const b of boxes.slice(index + 1)) {
            expect(Math.abs(a.x - b.x) >= card.width || a.y + a.height <= b.y || b.y + b.height <= a.y).toBe(true);
          }
        }
      }),
      { seed: 11, numRuns: 200 },
    );
  });

  it('places producers left of consumers, also around a loop', () => {
    const places = largeLayout(
      graph(4, [
        [0, 1],
        [1, 2],
        [2, 1],
        [2, 3],
      ]),
    );
    expect([0, 1, 2, 3].map((index) => places[`n${index}`]?.x)).toEqual([0, 276, 552, 828]);
    expect(new Set(Object.values(places).map((place) => place.y)).size).toBe(1);
  });

  it('lays out 10,000 nodes in less than a second', () => {
    const view = graph(
      10_000,
      Array.from({ length: 9_999 }, (_, index) => [Math.floor(index / 3), index + 1] as const),
    );
    expect(leastProcessorTime(() => largeLayout(view))).toBeLessThan(1000);
  });
});
