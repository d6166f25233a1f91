import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { card, cardHeight } from '#renderer/document/graph/card-geometry.ts';
import type { GraphView, NodeView } from '#renderer/document/graph/graph-view.ts';
import { CardIndex } from './card-index.ts';

const port = (state: string) => ({ state, open: false, entry: false, terminal: false });

function node(index: number, inputs = 1, title = `Node ${index}`): NodeView {
  const key = `N${index}`;
  const ports = Array.from({ length: inputs }, (_, at) => port(`${key} ${at}`));
  return { key, id: key, index, kind: 'work', title, inputs: ports, outputs: [port('out')], detail: null };
}

function chain(count: number): GraphView {
  const nodes = Array.from({ length: count }, (_, index) => node(index));
  const wires = nodes.slice(1).map((target, index) => ({
    key: `W${index}`,
    state: 'out',
    source: `N${index}`,
    source_port: 0,
    target: target.key,
    target_port: 0,
  }));
  return { nodes, wires };
}

const place = fc.record({ x: fc.integer({ min: -9000, max: 9000 }), y: fc.integer({ min: -9000, max: 9000 }) });
const box = fc.record({
  x: fc.integer({ min: -9000, max: 9000 }),
  y: fc.integer({ min: -9000, max: 9000 }),
  width: fc.integer({ min: 0, max: 20_000 }),
  height: fc.integer({ min: 0, max: 20_000 }),
});

describe('an index of cards', () => {
  it('finds exactly the cards that touch a box', () => {
    fc.assert(
      fc.property(fc.array(place, { maxLength: 40 }), box, (places, sight) => {
        const view = chain(places.length);
        const positions = Object.fromEntries(places.map((one, at) => [`N${at}`, one]));
        const touching = view.nodes.flatMap((one, at) => {
          const { x, y } = positions[one.key] as { x: number; y: number };
          const apart =
            x > sight.x + sight.width || x + card.width < sight.x || y > sight.y + sight.height || y + cardHeight(one) < sight.y;
          return apart ? [] : [at];
        });
        expect(CardIndex.of(view, positions).cardsIn(sight)).toEqual(touching);
      }),
    );
  });

  it('finds every wire between two cards that touch a box', () => {
    fc.assert(
      fc.property(fc.array(place, { maxLength: 40 }), box, (places, sight) => {
        const view = chain(places.length);
        const index = CardIndex.of(view, Object.fromEntries(places.map((one, at) => [`N${at}`, one])));
        const cards = new Set(index.cardsIn(sight).map((at) => view.nodes[at]?.key));
        const found = new Set(index.wiresIn(sight));
        view.wires.forEach((wire, at) => {
          if (cards.has(wire.source) || cards.has(wire.target)) expect(found.has(at)).toBe(true);
        });
      }),
    );
  });

  it('finds the uppermost of cards that cover each other', () => {
    const index = CardIndex.of(chain(2), { N0: { x: 0, y: 0 }, N1: { x: 20, y: 20 } });
    expect([index.cardAt(5, 5), index.cardAt(30, 30), index.cardAt(400, 5)]).toEqual([0, 1, undefined]);
  });

  it('finds cards where they are after a move, a new port and a renamed node', () => {
    const view = chain(3);
    const at = { N0: { x: 0, y: 0 }, N1: { x: 300, y: 0 }, N2: { x: 600, y: 0 } };
    const index = CardIndex.of(view, at);
    const moved = CardIndex.of(view, { ...at, N1: { x: 300, y: 5000 } }, index);
    expect([moved.cardAt(310, 10), moved.cardAt(310, 5010)]).toEqual([undefined, 1]);
    const taller = { ...view, nodes: view.nodes.map((one, position) => (position === 1 ? node(1, 6) : one)) };
    const grown = CardIndex.of(taller, at, index);
    expect(grown.cardAt(310, cardHeight(node(1, 6)) - 1)).toBe(1);
    const renamed = { ...view, nodes: view.nodes.map((one, position) => (position === 1 ? node(1, 1, 'Other') : one)) };
    expect(CardIndex.of(renamed, at, index).node('N1')?.title).toBe('Other');
    expect(CardIndex.of(renamed, at, index).places).toBe(index.places);
    expect(grown.places).not.toBe(index.places);
  });
});
