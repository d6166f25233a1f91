import { describe, expect, it } from 'vitest';
import { portOffset } from '#renderer/document/graph/card-geometry.ts';
import type { GraphView, NodeView } from '#renderer/document/graph/graph-view.ts';
import { type CanvasLayer, wireKey } from '#renderer/runs/model/canvas-layer.ts';
import type { RunMarks } from '#renderer/runs/model/run-marks.ts';
import { CardIndex } from './card-index.ts';
import { blockLook, blockStyle, type FarScene, tokenPlaces, wireEnds, wireLook } from './far-scene.ts';
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
  selectedWires: new Set(),
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
      { state: 'B', x: (204 + 1000) / 2, y: portOffset(0), wrong: false },
      { state: 'A', x: 0, y: portOffset(0), wrong: false },
      { state: 'End', x: 2204, y: portOffset(0), wrong: true },
    ]);
  });

  const colors = (marks: RunMarks, more: Partial<FarScene> = {}) => wires.map((wire) => wireLook({ ...scene(marks), ...more }, wire).color);

  it('draws wires that carry a waiting state, wires into nodes that ran, selected ones and others apart', () => {
    const marks: RunMarks = { nodes: { B: { status: 'ran', count: 1 } }, tokens: { C: token } };
    expect(colors(marks)).toEqual(['--wire-ran', '--waiting']);
    expect(colors({ nodes: {}, tokens: {} })).toEqual(['--wire', '--wire']);
    expect(colors(marks, { selectedWires: new Set(['A>B']) })).toEqual(['--focus-ring', '--waiting']);
  });

  it('dashes what no run took in the layer of coverage, and tints the rest by how much', () => {
    const mark = { text: '9×', level: 4, title: '' } as const;
    const coverage: CanvasLayer = { kind: 'coverage', nodes: { A: mark }, wires: { [wireKey('A', 'B')]: mark } };
    const shown = scene({ nodes: {}, tokens: {}, layer: coverage });
    const [first, second] = wires.map((wire) => wireLook(shown, wire));
    expect(first).toMatchObject({ color: '--accent', width: 3, dashed: false });
    expect(second).toMatchObject({ color: '--error', dashed: true });
    const [a, b] = nodes.map((node) => blockLook(shown, node));
    expect(a).toMatchObject({ stroke: '--accent', tint: { color: '--accent' } });
    expect(b).toMatchObject({ stroke: '--error', dashed: true });
  });

  it('tints blocks by their heat, and leaves what a lineage does not touch faint', () => {
    const mark = (level: 1 | 4) => ({ text: '', level, title: '' });
    const heat: CanvasLayer = { kind: 'time', nodes: { A: mark(1), B: mark(4) }, wires: null };
    const [a, b, c] = nodes.map((node) => blockLook(scene({ nodes: {}, tokens: {}, layer: heat }), node).tint?.alpha ?? Number.NaN);
    expect([(a ?? 0) > 0, (b ?? 0) > (a ?? 0), c]).toEqual([true, true, 0]);
    const lineage: CanvasLayer = { kind: 'lineage', nodes: { A: mark(1) }, wires: { [wireKey('A', 'B')]: mark(1) } };
    const traced = scene({ nodes: {}, tokens: {}, layer: lineage });
    expect(wires.map((wire) => wireLook(traced, wire).faint)).toEqual([false, true]);
    expect(nodes.map((node) => blockLook(traced, node).tint?.color)).toEqual([undefined, '--canvas', '--canvas']);
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
  const sight = { box: { x: 900, y: -100, width: 400, height: 400 } } as const;

  it('are those in sight, the other ends of their wires, and those that are named', () => {
    expect(shownNear(index, sight, []).nodes.map(({ key }) => key)).toEqual(['A', 'B', 'C']);
    const apart = { box: { x: -3000, y: 9000, width: 100, height: 100 } } as const;
    expect(shownNear(index, apart, [])).toEqual({ nodes: [], wires: [] });
    expect(shownNear(index, apart, ['C', 'gone']).nodes.map(({ key }) => key)).toEqual(['C']);
  });

  it('are on the surface only those that are named, without wires', () => {
    expect(shownFar(index, ['C', 'A', 'C', 'gone'])).toEqual({ nodes: [nodes[0], nodes[2]], wires: [] });
    expect(mostMounted).toBeLessThan(100);
  });
});
