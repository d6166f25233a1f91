import { describe, expect, it } from 'vitest';
import type { GraphView, NodeView } from '#renderer/document/graph/graph-view.ts';
import { cardsPath, mapBox, mapMargin, mapSize, type StatusPaths, signsPath, statusPaths } from './map-shape.ts';

const node = (key: string): NodeView => ({ key, id: key, index: 0, kind: 'work', title: key, inputs: [], outputs: [], detail: null });
const view: GraphView = { nodes: [node('A'), node('B'), node('nowhere')], wires: [] };
const positions = { A: { x: -100, y: 0 }, B: { x: 1000, y: 500 } };

describe('the map of a flow', () => {
  it('contains every card with a position, with a margin', () => {
    const box = mapBox(view, positions);
    expect(box).toEqual({ x: -140, y: -40, width: 1384, height: 644 });
    expect(mapBox(view, {})).toBeNull();
  });

  it('draws a visible rectangle for each card', () => {
    const near = { x: 0, y: 0, width: 1500, height: 840 };
    expect(cardsPath(view.nodes, positions, near)).toBe('M-100 0h204v64h-204zM1000 500h204v64h-204z');
    const far = { x: 0, y: 0, width: 300_000, height: 840 };
    const width = Number(/h(\d+)/.exec(cardsPath(view.nodes, positions, far))?.[1]);
    expect((width / far.width) * mapSize.width).toBeGreaterThanOrEqual(1);
  });

  it('knows the margin that it has put around the cards', () => {
    for (const far of [300, 60_000]) {
      const box = mapBox(view, { A: { x: 0, y: 0 }, B: { x: far, y: 0 } });
      expect((box?.x ?? 0) + mapMargin(box ?? { x: 0, y: 0, width: 0, height: 0 })).toBeCloseTo(0);
    }
  });

  it('draws signs equally large on the screen, whatever the size of the flow', () => {
    const sizes = [1500, 300_000].map((width) => {
      const path = signsPath('dot', [node('A')], positions, { x: 0, y: 0, width, height: 840 });
      return (Number(/a([\d.]+)/.exec(path)?.[1]) / width) * mapSize.width;
    });
    expect(sizes[0]).toBeCloseTo(sizes[1] ?? 0);
    expect(signsPath('triangle', [node('nowhere')], positions, { x: 0, y: 0, width: 1, height: 1 })).toBe('');
  });

  it('makes the path of all reached cards again only when a run reaches another card', () => {
    const made: number[] = [];
    const pathOf = (nodes: readonly NodeView[]) => {
      made.push(nodes.length);
      return nodes.map(({ key }) => key).join(' ');
    };
    const nodes = Array.from({ length: 100 }, (_, index) => node(`N${index}`));
    const at = (running: number, before: StatusPaths | null, reached = 50) =>
      statusPaths(
        nodes,
        ({ key }) => (key === `N${running}` ? 'running' : Number(key.slice(1)) < reached ? 'ran' : undefined),
        pathOf,
        before,
      );
    const first = at(3, null);
    const second = at(4, first);
    expect(made).toEqual([50, 1, 1]);
    expect(second.reached).toBe(first.reached);
    expect(second.others).toEqual([['running', 'N4']]);
    expect(at(50, second).reached).toContain('N50');
    expect(at(4, second, 49).reached).not.toContain('N49');
  });
});
