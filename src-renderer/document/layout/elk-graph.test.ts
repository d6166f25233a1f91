import ELK from 'elkjs/lib/elk.bundled.js';
import { describe, expect, it } from 'vitest';
import { card, cardHeight } from '#renderer/document/graph/card-geometry.ts';
import { graphView } from '#renderer/document/graph/graph-view.ts';
import { type ReadableFlow, readableFlow } from '#renderer/document/graph/readable-flow.ts';
import type { FlowDocument } from '#shared/flow/document.ts';
import { parseFlow } from '#shared/flow/parse-flow.ts';
import { elkGraph, layoutFrom } from './elk-graph.ts';

const diamond: FlowDocument = {
  pravah: 1,
  name: 'Diamond',
  input: 'A',
  output: 'E',
  schemas: {},
  nodes: [
    { kind: 'fork', from: 'A', to: ['B', 'C'] },
    { kind: 'work', from: 'B', to: 'B2' },
    { kind: 'work', from: 'C', to: 'C2' },
    { kind: 'join', from: ['B2', 'C2'], to: 'D' },
    { kind: 'either', from: 'D', to: ['A', 'E'], expr: 'true' },
  ],
};

async function layOut(document: FlowDocument) {
  const view = graphView(readableFlow(parseFlow(JSON.stringify(document), 'diamond.flow.json')) as ReadableFlow);
  return { view, positions: layoutFrom(await new ELK().layout(elkGraph(view))) };
}

describe('automatic layout', () => {
  it('places producers left of consumers, except in loops', async () => {
    const { positions } = await layOut(diamond);
    expect(positions.A?.x).toBeLessThan(positions.B?.x ?? 0);
    expect(positions.B?.x).toBeLessThan(positions['B2+C2']?.x ?? 0);
    expect(positions['B2+C2']?.x).toBeLessThan(positions.D?.x ?? 0);
    expect(positions.B?.x).toBe(positions.C?.x);
  });

  it('does not overlap cards', async () => {
    const { view, positions } = await layOut(diamond);
    const boxes = view.nodes.map((node) => ({ ...(positions[node.key] ?? { x: 0, y: 0 }), height: cardHeight(node) }));
    for (const [index, a] of boxes.entries()) {
      for (const b of boxes.slice(index + 1)) {
        const apart = Math.abs(a.x - b.x) >= card.width || a.y + a.height <= b.y || b.y + b.height <= a.y;
        expect(apart).toBe(true);
      }
    }
  });

  it('is deterministic', async () => {
    expect((await layOut(diamond)).positions).toEqual((await layOut(diamond)).positions);
  });
});
