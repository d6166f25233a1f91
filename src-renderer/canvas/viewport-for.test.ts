import { describe, expect, it } from 'vitest';
import { graphView } from '#renderer/graph/graph-view.ts';
import { type ReadableFlow, readableFlow } from '#renderer/graph/readable-flow.ts';
import { parseFlow } from '#shared/flow/parse-flow.ts';
import { viewportFor } from './viewport-for.ts';

const nodes = ['A', 'B'].map((from) => ({ kind: 'work', from, to: 'Z' }));
const view = graphView(readableFlow(parseFlow(JSON.stringify({ input: 'A', output: 'Z', nodes }), 'a.flow.json')) as ReadableFlow);

describe('viewportFor', () => {
  it('puts a small flow in the middle at its own size', () => {
    const viewport = viewportFor(view.nodes, { A: { x: 0, y: 0 }, B: { x: 300, y: 0 } }, 1000, 600);
    expect(viewport).toEqual({ x: (1000 - 504) / 2, y: (600 - 64) / 2, zoom: 1 });
  });

  it('shrinks a wide flow until all of it is in sight', () => {
    const { x, zoom } = viewportFor(view.nodes, { A: { x: -100, y: 0 }, B: { x: 1400, y: 0 } }, 1000, 600);
    expect(-100 * zoom + x).toBeCloseTo(24);
    expect((1400 + 204) * zoom + x).toBeCloseTo(976);
  });

  it('shows the beginning of a flow that would become unreadable', () => {
    const { x, zoom } = viewportFor(view.nodes, { A: { x: 0, y: 0 }, B: { x: 9000, y: 0 } }, 1000, 600);
    expect([x, zoom]).toEqual([24, 0.4]);
  });

  it('shows all of it where that is asked for', () => {
    const { x, zoom } = viewportFor(view.nodes, { A: { x: 0, y: 0 }, B: { x: 9000, y: 0 } }, 1000, 600, 0.05);
    expect((9000 + 204) * zoom + x).toBeCloseTo(976);
  });

  it('shows where a flow begins that is too high to be seen', () => {
    const { y, zoom } = viewportFor(view.nodes, { A: { x: 0, y: 5000 }, B: { x: 300, y: 0 } }, 1000, 600);
    expect(5000 * zoom + y).toBe(300);
  });
});
