import { describe, expect, it } from 'vitest';
import { card } from '#renderer/document/graph/card-geometry.ts';
import { graphView } from '#renderer/document/graph/graph-view.ts';
import { type ReadableFlow, readableFlow } from '#renderer/document/graph/readable-flow.ts';
import { parseFlow } from '#shared/flow/parse-flow.ts';
import { rowChannels } from './row-channels.ts';

// A fork at the end of the first row; one of its branches is below the other in the second row.
const text = JSON.stringify({
  input: 'A',
  output: 'F',
  nodes: [
    { kind: 'work', from: 'A', to: 'B', expr: 'input' },
    { kind: 'fork', from: 'B', to: ['C', 'D'] },
    { kind: 'work', from: 'C', to: 'C2', expr: 'input' },
    { kind: 'work', from: 'D', to: 'D2', expr: 'input' },
    { kind: 'join', from: ['C2', 'D2'], to: 'F' },
  ],
});
const view = graphView(readableFlow(parseFlow(text, 'folded.flow.json')) as ReadableFlow);
const positions = { A: { x: 0, y: 0 }, B: { x: 260, y: 0 }, C: { x: 0, y: 200 }, D: { x: 0, y: 300 }, 'C2+D2': { x: 260, y: 210 } };
const keyTo = (target: string) => view.wires.find((wire) => wire.target === target)?.key ?? '';

describe('the channels of wires to a lower row', () => {
  const channels = rowChannels(view, positions);

  it('run between the rows, also to a card that has another one above it', () => {
    for (const target of ['C', 'D']) {
      const y = channels.get(keyTo(target))?.y ?? 0;
      expect(y).toBeGreaterThan(100);
      expect(y).toBeLessThan(200);
    }
  });

  it('lie side by side without crossing', () => {
    const [upper, lower] = [channels.get(keyTo('D')), channels.get(keyTo('C'))];
    if (!upper || !lower) throw new Error('both wires have a channel');
    expect(upper.y).toBeLessThan(lower.y);
    expect(upper.out).toBeLessThan(lower.out);
    expect(upper.in).toBeGreaterThan(lower.in);
  });

  it('are needed by no other wire', () => {
    expect([...channels.keys()].sort()).toEqual([keyTo('C'), keyTo('D')].sort());
  });

  it('are left out where cards leave no gap', () => {
    expect(rowChannels(view, { ...positions, C: { x: 0, y: 70 }, D: { x: 0, y: 170 }, 'C2+D2': { x: card.width, y: 80 } }).size).toBe(0);
  });
});
