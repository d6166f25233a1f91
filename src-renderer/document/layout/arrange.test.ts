import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { card, cardHeight } from '#renderer/document/graph/card-geometry.ts';
import type { GraphView, NodeView } from '#renderer/document/graph/graph-view.ts';
import { aligned, distributed, keptInPlace, partOf } from './arrange.ts';

const node = (key: string, detail = false): NodeView => ({
  key,
  id: key,
  index: 0,
  kind: 'work',
  title: key,
  inputs: [],
  outputs: [],
  detail: detail ? { type: 'expr', text: '1' } : null,
});
const view: GraphView = {
  nodes: [node('A'), node('B', true), node('C'), node('D')],
  wires: [
    { key: 'w', state: 'S', source: 'A', source_port: 0, target: 'B', target_port: 0 },
    { key: 'v', state: 'T', source: 'B', source_port: 0, target: 'D', target_port: 0 },
  ],
};
const positions = { A: { x: 0, y: 0 }, B: { x: 400, y: 100 }, C: { x: 1000, y: 40 }, D: { x: 8, y: 900 } };
const chosen = ['A', 'B', 'C'];

describe('aligning', () => {
  it('moves cards to the outermost edge and does not move the others', () => {
    expect(aligned(view, positions, chosen, 'left')).toEqual({ B: { x: 0, y: 100 }, C: { x: 0, y: 40 } });
    expect(aligned(view, positions, chosen, 'right')).toEqual({ A: { x: 1000, y: 0 }, B: { x: 1000, y: 100 } });
    expect(aligned(view, positions, chosen, 'top')).toEqual({ B: { x: 400, y: 0 }, C: { x: 1000, y: 0 } });
  });

  it('takes the heights of cards into account', () => {
    const places = { ...positions, ...aligned(view, positions, chosen, 'bottom') };
    const bottoms = view.nodes.slice(0, 3).map((each) => (places[each.key as 'A']?.y ?? 0) + cardHeight(each));
    expect(Math.max(...bottoms) - Math.min(...bottoms)).toBeLessThanOrEqual(4);
    const centred = { ...positions, ...aligned(view, positions, chosen, 'center') };
    expect(new Set(chosen.map((key) => centred[key as 'A'].x))).toEqual(new Set([500]));
  });
});

describe('distributing', () => {
  it('makes equal gaps in any order and keeps the outermost two in place', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.integer({ min: 0, max: 2000 }), { minLength: 4, maxLength: 4 }), (starts) => {
        const placed = Object.fromEntries(view.nodes.map((each, index) => [each.key, { x: 4 * (starts[index] ?? 0), y: 0 }]));
        const keys = view.nodes.map((each) => each.key);
        const after = { ...placed, ...distributed(view, placed, keys, 'horizontally') };
        const order = keys.map((key) => after[key]?.x ?? 0).sort((a, b) => a - b);
        const gaps = order.slice(1).map((x, index) => x - (order[index] ?? 0) - card.width);
        expect(Math.max(...gaps) - Math.min(...gaps)).toBeLessThanOrEqual(8);
        expect(order[0]).toBe(4 * Math.min(...starts));
        expect(order.at(-1)).toBe(4 * Math.max(...starts));
      }),
      { seed: 5, numRuns: 100 },
    );
  });

  it('does nothing for two cards', () => {
    expect(distributed(view, positions, ['A', 'B'], 'vertically')).toEqual({});
  });
});

describe('tidying a part', () => {
  it('lays out the chosen nodes and their wires in place', () => {
    const part = partOf(view, chosen);
    expect([part.nodes.map((each) => each.key), part.wires.map((wire) => wire.key)]).toEqual([chosen, ['w']]);
    const places = { B: { x: 0, y: 0 }, C: { x: 300, y: 0 } };
    expect(keptInPlace(view, positions, places)).toEqual({ B: { x: 400, y: 40 }, C: { x: 700, y: 40 } });
  });
});
