import { describe, expect, it } from 'vitest';
import { graphView } from '#renderer/document/graph/graph-view.ts';
import { type ReadableFlow, readableFlow } from '#renderer/document/graph/readable-flow.ts';
import { parseFlow } from '#shared/flow/parse-flow.ts';
import { neighbour } from './neighbour.ts';

const nodes = [
  { kind: 'fork', from: 'A', to: ['B', 'C'] },
  { kind: 'work', from: 'B', to: 'D' },
  { kind: 'work', from: 'C', to: 'E' },
];
const view = graphView(readableFlow(parseFlow(JSON.stringify({ input: 'A', output: 'D', nodes }), 'a.flow.json')) as ReadableFlow);
const positions = { A: { x: 0, y: 100 }, B: { x: 300, y: 0 }, C: { x: 300, y: 160 } };

describe('neighbour', () => {
  it('follows the wires to the right and left, to the nearest in height', () => {
    expect(neighbour(view, positions, 'A', 'right')).toBe('C');
    expect(neighbour(view, positions, 'B', 'left')).toBe('A');
    expect(neighbour(view, positions, 'B', 'right')).toBeNull();
  });

  it('goes to the nearest node on that side if there is no wire', () => {
    const places = { A: { x: 0, y: 100 }, B: { x: 300, y: 0 }, C: { x: 600, y: 20 } };
    expect(neighbour(view, places, 'B', 'right')).toBe('C');
  });

  it('goes up and down by position', () => {
    expect(neighbour(view, positions, 'B', 'down')).toBe('C');
    expect(neighbour(view, positions, 'C', 'up')).toBe('B');
    expect(neighbour(view, positions, 'B', 'up')).toBeNull();
  });
});
