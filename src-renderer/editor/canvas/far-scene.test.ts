import { describe, expect, it } from 'vitest';
import { portOffset } from '#renderer/document/graph/card-geometry.ts';
import type { GraphView, NodeView } from '#renderer/document/graph/graph-view.ts';
import type { RunMarks } from '#renderer/runs/model/run-marks.ts';
import { CardIndex } from './card-index.ts';
import { blockStyle, type FarScene, tokenPlaces, wireEnds, wireTone } from './far-scene.ts';
import { mostMounted, shownFar, shownNear } from './shown-cards.ts';

const port = (state: string, ends: { entry?: boolean; terminal?: boolean } = {}) => ({
  state,
  open: ends.entry === true || ends.terminal === true,
  entry: ends.entry === true,
  terminal: ends.terminal === true,
});

/** A → B → C in a row, 1,000 pixels apart. */
const nodes: NodeView[] = ['A', 'B', 'C'].map((key, index) => ({
  key,
  id: key,
  index,
  kind: 'work',
  title: key,
  inputs: [port(key, { entry: index === 0 })],
  outputs: [port(['B', 'C', 'End'][index] as string, { terminal: index === 2 })],
  detail: null,
}));
const wires = ['A', 'B'].map((source, index) => {
  const target = ['B', 'C'][index] as string;
  return { key: `${source}>${target}`, state: target, source, source_port: 0, target, target_port: 0 };
});
const view: GraphView = { nodes, wires };
const index = CardIndex.of(view, { A: { x: 0, y: 0 }, B: { x: 1000, y: 0 }, C: { x: 2000, y: 0 } });

const scene = (marks: RunMarks): FarScene => ({
  level: 'blocks',
  index,
  channels: new Map(),
  marks,
  isRunShown: true,
  selected: new Set(),
  dragged: new Set(),
  tones: new Map(),
  breakpointAt: () => undefined,
  breakpointOf: () => undefined,
  pinAt: () => undefined,
});
const token = { preview: '', fresh: true };

describe('the surface', () => {
  it('draws a token in the middle of the wire of a waiting state, and one without a wire at its port', () => {
    const places = tokenPlaces(scene({ nodes: {}, tokens: { B: token, A: token, End: { ...token, wrong: true } } }));
    expect(places).toEqual([
      { x: (204 + 1000) / 2, y: portOffset(0), wrong: false },
      { x: 0, y: portOffset(0), wrong: false },
      { x: 2204, y: portOffset(0), wrong: true },
    ]);
  });

  it('draws wires that carry a waiting state, wires into nodes that ran, and others apart', () => {
    const marks: RunMarks = { nodes: { B: { status: 'ran', count: 1 } }, tokens: { C: token } };
    expect(wires.map((wire) => wireTone(scene(marks), wire))).toEqual(['ran', 'waiting']);
    expect(wires.map((wire) => wireTone(scene({ nodes: {}, tokens: {} }), wire))).toEqual(['plain', 'plain']);
  });

  it('leads the wires of a dragged card to where it is', () => {
    const ends = wireEnds(index, wires[0] as (typeof wires)[number], (key) => (key === 'B' ? { x: 500, y: 300 } : undefined));
    expect(ends).toEqual({ sourceX: 204, sourceY: portOffset(0), targetX: 500, targetY: 300 + portOffset(0) });
  });

  it('fills the blocks of nodes that ran, and leaves those of others hollow, on both levels', () => {
    for (const level of ['blocks', 'map'] as const) {
      const looks = ([undefined, 'ran', 'running', 'waiting', 'failed', 'next'] as const).map((status) =>
        JSON.stringify(blockStyle(level, 'work', status, true)),
      );
      expect(new Set(looks).size).toBeGreaterThanOrEqual(5);
      expect(blockStyle(level, 'work', undefined, true)).toMatchObject({ stroke: '--wire', width: 1 });
      expect(blockStyle(level, 'work', 'ran', true).fill).not.toBe(blockStyle(level, 'work', undefined, true).fill);
    }
  });
});

describe('the cards that are mounted', () => {
  const sight = { level: 'full', box: { x: 900, y: -100, width: 400, height: 400 } } as const;

  it('are those in sight, the other ends of their wires, and those that are named', () => {
    expect(shownNear(index, sight, []).nodes.map(({ key }) => key)).toEqual(['A', 'B', 'C']);
    const apart = { level: 'full', box: { x: -3000, y: 9000, width: 100, height: 100 } } as const;
    expect(shownNear(index, apart, [])).toEqual({ nodes: [], wires: [] });
    expect(shownNear(index, apart, ['C', 'gone']).nodes.map(({ key }) => key)).toEqual(['C']);
  });

  it('are on the surface only those that are named, without wires', () => {
    expect(shownFar(index, ['C', 'A', 'C', 'gone'])).toEqual({ nodes: [nodes[0], nodes[2]], wires: [] });
    expect(mostMounted).toBeLessThan(100);
  });
});
