import { describe, expect, it } from 'vitest';
import { type OpenFlow, openFlow, withAutomaticPositions, withPositions, withText } from '#renderer/document/editing/open-flow.ts';
import { largeLayout } from '#renderer/document/layout/large-layout.ts';
import { applyEdits } from '#shared/flow/edit/apply-edit.ts';
import type { FlowEdit } from '#shared/flow/edit/flow-edit.ts';
import { type CanvasNode, type CanvasWire, canvasNodes, canvasWires } from './canvas-nodes.ts';

const count = 1000;

/** A chain of 1,000 nodes in YAML, each with a body of several lines. */
function chain(): OpenFlow {
  const nodes = Array.from(
    { length: count },
    (_, index) =>
      `  - kind: work\n    from: S${index}\n    to: S${index + 1}\n    run: |\n      (input) => {\n        return { ...input, at: ${index} };\n      }\n`,
  );
  const schemas = Array.from({ length: count + 1 }, (_, index) => `  S${index}: { type: object }\n`);
  const text = `pravah: 1\nname: Chain\ninput: S0\noutput: S${count}\nschemas:\n${schemas.join('')}nodes:\n${nodes.join('')}`;
  const flow = openFlow({ path: 'chain.flow.yaml', text, hash: '', layout: null, code: null, revision: null, draft: null, others: [] });
  return withAutomaticPositions(flow, largeLayout(flow.view));
}

interface Drawn {
  readonly nodes: CanvasNode[];
  readonly wires: CanvasWire[];
}

function drawn(flow: OpenFlow, before?: Drawn): Drawn {
  return {
    nodes: canvasNodes(flow.view.nodes, flow.positions, new Set(), before?.nodes ?? []),
    wires: canvasWires(flow.view.wires, new Set(), before?.wires ?? []),
  };
}

/** How many cards and wires an edit renders; -1 if React Flow gets the same list. */
function redrawn(flow: OpenFlow, edits: readonly FlowEdit[]) {
  const before = drawn(flow);
  const after = drawn(withText(flow, applyEdits(flow.parsed, edits), { label: 'Edit', at: 0 }), before);
  const others = <Item>(a: readonly Item[], b: readonly Item[]) => (a === b ? -1 : b.filter((item) => !a.includes(item)).length);
  return { nodes: others(before.nodes, after.nodes), wires: others(before.wires, after.wires) };
}

describe('a large flow on the canvas', () => {
  const flow = chain();

  it('renders only the edited node', () => {
    expect(redrawn(flow, [{ type: 'set', path: ['nodes', 500, 'title'], value: 'The middle' }])).toEqual({ nodes: 1, wires: -1 });
  });

  it('renders nothing for an edit that is not visible', () => {
    expect(redrawn(flow, [{ type: 'set', path: ['nodes', 500, 'run'], value: '(input) => input' }])).toEqual({ nodes: -1, wires: -1 });
    expect(redrawn(flow, [{ type: 'set', path: ['schemas', 'S7'], value: { type: 'array' } }])).toEqual({ nodes: -1, wires: -1 });
  });

  it('renders a new node and its wires only', () => {
    const insert = { type: 'insert', path: ['nodes', count], value: { kind: 'work', from: `S${count}`, to: 'End' } } as const;
    // The previous node no longer has an open end.
    expect(redrawn(flow, [insert])).toEqual({ nodes: 2, wires: 1 });
  });

  it('renders only the moved cards', () => {
    const before = drawn(flow);
    const moved = withPositions(flow, { S3: { x: 4, y: 400 } }, { label: 'Move', at: 0 });
    const after = drawn(moved, before);
    expect(after.nodes.filter((node, index) => node !== before.nodes[index]).map((node) => node.id)).toEqual(['S3']);
    expect(after.wires).toBe(before.wires);
  });
});
