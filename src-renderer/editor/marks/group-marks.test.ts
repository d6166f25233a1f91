import { describe, expect, it } from 'vitest';
import type { GraphView, NodeView } from '#renderer/document/graph/graph-view.ts';
import { foldGroups, groupKey } from '#renderer/document/layout/groups.ts';
import { type CanvasLayer, wireKey } from '#renderer/runs/model/canvas-layer.ts';
import type { NodeMark } from '#renderer/runs/model/run-marks.ts';
import { layerMarkOf, markOf, wireMarkOf } from './group-marks.ts';

const nodes: NodeView[] = ['A', 'B', 'C'].map((key, index) => ({
  key,
  id: key,
  index,
  kind: 'work',
  title: key,
  inputs: [{ state: key, open: false, entry: false, terminal: false }],
  outputs: [{ state: ['B', 'C', 'D'][index] as string, open: false, entry: false, terminal: false }],
  detail: null,
}));
const view: GraphView = { nodes, wires: [{ key: 'B:0>C:0', state: 'C', source: 'B', source_port: 0, target: 'C', target_port: 0 }] };
const id = groupKey('g1');
foldGroups(view, {}, [{ id: 'g1', title: 'Both', colour: 'blue', nodes: ['A', 'B'], folded: true }], String);
const ran = (count: number, more: Partial<NodeMark> = {}): NodeMark => ({ status: 'ran', count, ...more });

describe('a folded group', () => {
  it('shows the most urgent status of its nodes, how often they ran, and how many did', () => {
    const marks = { nodes: { A: ran(3, { detail: 'turn 1', ran: '3× · 1 ms' }), B: ran(0, { status: 'failed', badge: 'failed' }) } };
    expect(markOf(marks, id)).toEqual({ status: 'failed', badge: 'failed', count: 3, ran: '1 of 2 ran' });
    expect(markOf(marks, id)).toBe(markOf(marks, id));
    expect(markOf(marks, 'A')).toBe(marks.nodes.A);
    expect(markOf({ nodes: { C: ran(1) } }, id)).toBeUndefined();
  });

  it('says in the layer of coverage how many of its nodes ran, and is dashed unless all did', () => {
    const mark = { text: '2×', level: 3, title: 'finished 2 times' } as const;
    const layer = (of: CanvasLayer['nodes']): CanvasLayer => ({ kind: 'coverage', nodes: of, wires: { [wireKey('B', 'C')]: mark } });
    expect(layerMarkOf(layer({ A: mark }), id)).toMatchObject({ text: '1/2', level: 0 });
    expect(layerMarkOf(layer({ A: mark, B: mark }), id)).toMatchObject({ text: '2/2', level: 3 });
    expect(layerMarkOf(layer({}), id)).toBeUndefined();
    expect(wireMarkOf(layer({}), id, 'C')).toBe(mark);
    expect(wireMarkOf(layer({}), id, 'D')).toBeUndefined();
  });

  it('has the heat of its hottest node', () => {
    const heat: CanvasLayer = {
      kind: 'time',
      nodes: { A: { text: '1 ms', level: 1, title: '1 ms in all' }, B: { text: '9 s', level: 4, title: '9 s in all' } },
      wires: null,
    };
    expect(layerMarkOf(heat, id)).toMatchObject({ text: '9 s', level: 4 });
  });
});
