import { describe, expect, it } from 'vitest';
import { graphView } from '#renderer/document/graph/graph-view.ts';
import { type ReadableFlow, readableFlow } from '#renderer/document/graph/readable-flow.ts';
import { parseFlow } from '#shared/flow/parse-flow.ts';
import { openingViewport, viewportFor } from './viewport-for.ts';

const nodes = ['A', 'B'].map((from) => ({ kind: 'work', from, to: 'Z' }));
const view = graphView(readableFlow(parseFlow(JSON.stringify({ input: 'A', output: 'Z', nodes }), 'a.flow.json')) as ReadableFlow);

describe('viewportFor', () => {
  it('centers a small flow at 100 %', () => {
    const viewport = viewportFor(view.nodes, { A: { x: 0, y: 0 }, B: { x: 300, y: 0 } }, 1000, 600);
    expect(viewport).toEqual({ x: (1000 - 504) / 2, y: 52 + (500 - 64) / 2, zoom: 1 });
  });

  it('zooms out until a wide flow fits', () => {
    const { x, zoom } = viewportFor(view.nodes, { A: { x: -100, y: 0 }, B: { x: 1400, y: 0 } }, 1000, 600);
    expect(-100 * zoom + x).toBeCloseTo(36);
    expect((1400 + 204) * zoom + x).toBeCloseTo(964);
  });

  it('shows the whole flow at any size', () => {
    const { x, zoom } = viewportFor(view.nodes, { A: { x: 0, y: 0 }, B: { x: 9000, y: 0 } }, 1000, 600);
    expect((9000 + 204) * zoom + x).toBeCloseTo(964);
  });
});

describe('openingViewport', () => {
  it('shows the whole flow if it is readable', () => {
    const positions = { A: { x: 0, y: 0 }, B: { x: 1400, y: 0 } };
    expect(openingViewport(view.nodes, positions, 1000, 600)).toEqual(viewportFor(view.nodes, positions, 1000, 600));
  });

  it('shows the entry of a flow that would be too small to read', () => {
    const { x, y, zoom } = openingViewport(view.nodes, { A: { x: 200, y: 0 }, B: { x: 9000, y: 0 } }, 1000, 600);
    expect([200 * zoom + x, zoom]).toEqual([36, 0.8]);
    expect(y).toBeGreaterThan(0);
  });

  it('shows the entry of a flow that is too tall, wherever the entry is', () => {
    const { y, zoom } = openingViewport(view.nodes, { A: { x: 0, y: 5000 }, B: { x: 300, y: 0 } }, 1000, 600);
    const entry = 5000 * zoom + y;
    expect(entry).toBeGreaterThan(0);
    expect(entry + 64 * zoom).toBeLessThan(600);
  });

  it('starts a folded flow at its first row', () => {
    const { x, y } = openingViewport(view.nodes, { A: { x: 0, y: 0 }, B: { x: 4000, y: 3000 } }, 1000, 600);
    expect([x, y]).toEqual([36, 52]);
  });
});
