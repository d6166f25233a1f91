import { describe, expect, it } from 'vitest';
import { graphView } from '#renderer/document/graph/graph-view.ts';
import { type ReadableFlow, readableFlow } from '#renderer/document/graph/readable-flow.ts';
import type { DocumentNode } from '#shared/flow/document.ts';
import { parseFlow } from '#shared/flow/parse-flow.ts';
import { carryPositions } from './carry-positions.ts';

const view = (nodes: DocumentNode[]) =>
  graphView(readableFlow(parseFlow(JSON.stringify({ input: 'A', output: 'Z', nodes }), 'a.flow.json')) as ReadableFlow);
const work = (from: string, to: string): DocumentNode => ({ kind: 'work', from, to });
const positions = { A: { x: 0, y: 0 }, B: { x: 300, y: 40 } };

describe('carryPositions', () => {
  it('keeps the position of a renamed node', () => {
    const after = carryPositions(view([work('A', 'B'), work('B', 'C')]), view([work('A', 'Draft'), work('Draft', 'C')]), positions);
    expect(after).toEqual({ A: { x: 0, y: 0 }, Draft: { x: 300, y: 40 } });
  });

  it('places a new node to the right of its producer without overlap', () => {
    const before = view([work('A', 'B'), work('B', 'C')]);
    const after = carryPositions(before, view([{ kind: 'fork', from: 'A', to: ['B', 'N'] }, work('B', 'C'), work('N', 'M')]), positions);
    expect(after.N?.x).toBe(300);
    expect(after.N?.y).toBeGreaterThan(120);
  });

  it('drops the position of a removed node', () => {
    expect(carryPositions(view([work('A', 'B'), work('B', 'C')]), view([work('A', 'B')]), positions)).toEqual({ A: { x: 0, y: 0 } });
  });
});
