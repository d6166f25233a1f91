import { describe, expect, it } from 'vitest';
import { graphView } from '#renderer/document/graph/graph-view.ts';
import { type ReadableFlow, readableFlow } from '#renderer/document/graph/readable-flow.ts';
import { parseFlow } from '#shared/flow/parse-flow.ts';
import { outlineRows } from './outline-rows.ts';

describe('outlineRows', () => {
  it('lists each node with the states that it produces and their consumers', () => {
    const nodes = [
      { kind: 'either', from: 'A', to: ['B', 'C'], expr: 'true' },
      { kind: 'work', from: 'B', to: 'C' },
    ];
    const flow = readableFlow(
      parseFlow(JSON.stringify({ pravah: 1, name: 'x', input: 'A', output: 'C', schemas: {}, nodes }), 'x.flow.json'),
    );
    const rows = outlineRows(graphView(flow as ReadableFlow));
    expect(rows.map((row) => (row.type === 'node' ? row.node.key : `  ${row.position} ${row.port.state} > ${row.leadsTo}`))).toEqual([
      'A',
      '  0 B > B',
      '  1 C > undefined',
      'B',
      '  0 C > undefined',
    ]);
  });
});
