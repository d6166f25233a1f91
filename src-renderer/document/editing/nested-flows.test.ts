import { describe, expect, it } from 'vitest';
import { graphView } from '#renderer/document/graph/graph-view.ts';
import { type ReadableFlow, readableFlow } from '#renderer/document/graph/readable-flow.ts';
import type { FlowDocument } from '#shared/flow/document.ts';
import { applyEdits } from '#shared/flow/edit/apply-edit.ts';
import { parseFlow } from '#shared/flow/parse-flow.ts';
import { editsForPart, partOfFlow, textOfPart } from './extract-flow.ts';
import { unpackFlow } from './unpack-flow.ts';

const state = { type: 'object' };
const document: FlowDocument = {
  pravah: 1,
  name: 'Outer',
  input: 'A',
  output: 'G',
  schemas: { A: state, B: state, C: state, D: state, E: state, F: state, G: { type: 'object', title: 'The end' } },
  nodes: [
    { kind: 'work', from: 'A', to: 'B' },
    { kind: 'fork', from: 'B', to: ['C', 'D'] },
    { kind: 'work', from: 'C', to: 'E', run_file: './bodies/c.js' },
    { kind: 'join', from: ['E', 'D'], to: 'F' },
    { kind: 'either', from: 'F', to: ['B', 'G'], expr: 'true' },
  ],
};
const outer = parseFlow(JSON.stringify(document, null, 2), 'outer.flow.json');
const readable = (text: string, path: string) => readableFlow(parseFlow(text, path)) as ReadableFlow;
const flow = readableFlow(outer) as ReadableFlow;

function reason(...indices: number[]): string {
  const part = partOfFlow(flow, indices);
  if ('reason' in part) return part.reason;
  throw new Error('This is a part.');
}

function extracted(...indices: number[]) {
  const part = partOfFlow(flow, indices);
  if ('reason' in part) throw new Error(part.reason);
  const inner = textOfPart(flow, part, 'Inner');
  return { part, inner, edited: applyEdits(outer, editsForPart(flow, part, './inner.flow.yaml', 'Inner')) };
}

describe('a part of a flow as a nested flow', () => {
  it('contains its nodes and states, and nothing else', () => {
    const { part, inner, edited } = extracted(1, 2, 3);
    expect([part.input, part.output]).toEqual(['B', 'F']);
    const { B, C, D, E, F } = document.schemas;
    expect(parseFlow(inner, 'inner.flow.yaml').document).toEqual({
      ...document,
      name: 'Inner',
      input: 'B',
      output: 'F',
      schemas: { B, C, D, E, F },
      nodes: document.nodes.slice(1, 4),
    });
    expect(edited.document?.nodes).toEqual([
      document.nodes[0],
      { kind: 'flow', title: 'Inner', flow: './inner.flow.yaml' },
      document.nodes[4],
    ]);
    expect(Object.keys(edited.document?.schemas ?? {})).toEqual(['A', 'B', 'F', 'G']);
  });

  it('can be the whole flow', () => {
    const { part, edited } = extracted(0, 1, 2, 3, 4);
    expect([part.input, part.output, edited.document?.nodes.length]).toEqual(['A', 'G', 1]);
  });

  it('is rejected with the states that prevent it', () => {
    expect(reason(2, 4)).toContain('2 states lead into the selection (C, F)');
    expect(reason(1)).toContain('2 states lead out of the selection (C, D)');
    expect(reason(3)).toContain('(E, D)');
    expect(reason()).toContain('Select the nodes');
    expect(reason(4)).toContain('(B, G)');
  });
});

describe('unpacking a nested flow', () => {
  it('restores the original flow', () => {
    const { inner, edited } = extracted(1, 2, 3);
    const path = 'inner.flow.yaml';
    const now = readableFlow(edited, { './inner.flow.yaml': { input: 'B', output: 'F' } }) as ReadableFlow;
    const { plan, keys } = unpackFlow({ path: 'outer.flow.json', flow: now }, 1, { path, flow: readable(inner, path) });
    if (!plan.ok) throw new Error(plan.reason);
    const again = applyEdits(edited, plan.edits);
    expect(again.document?.nodes).toEqual(document.nodes);
    expect(again.document?.schemas).toEqual(document.schemas);
    expect([...keys]).toEqual([
      ['B', 'B'],
      ['C', 'C'],
      ['E+D', 'E+D'],
    ]);
  });

  it('renames inner states whose names are taken, and makes paths relative to the outer folder', () => {
    const inner =
      'pravah: 1\nname: I\ninput: A\noutput: G\nschemas: {}\nnodes:\n  - { kind: work, from: A, to: X, run_file: ./b.js }\n  - { kind: work, from: X, to: G }\n';
    const text =
      'pravah: 1\nname: O\ninput: X\noutput: G\nschemas: {}\nnodes:\n  - { kind: work, from: X, to: A }\n  - { kind: flow, flow: ./sub/i.flow.yaml }\n';
    const parsed = parseFlow(text, 'o.flow.yaml');
    const now = readableFlow(parsed, { './sub/i.flow.yaml': { input: 'A', output: 'G' } }) as ReadableFlow;
    const { plan } = unpackFlow({ path: 'o.flow.yaml', flow: now }, 1, { path: 'sub/i.flow.yaml', flow: readable(inner, 'i.flow.yaml') });
    if (!plan.ok) throw new Error(plan.reason);
    const after = applyEdits(parsed, plan.edits);
    expect(after.document?.nodes.slice(1)).toEqual([
      { kind: 'work', from: 'A', to: 'X2', run_file: './sub/b.js' },
      { kind: 'work', from: 'X2', to: 'G' },
    ]);
    expect(graphView(readableFlow(after) as ReadableFlow).wires.map((wire) => wire.key)).toEqual(['X:0>A:0', 'A:0>X2:0']);
  });

  it('is rejected for other nodes and for different schemas', () => {
    const inner = {
      path: 'i.flow.yaml',
      flow: readable('pravah: 1\nname: I\ninput: B\noutput: F\nschemas: { F: { type: string } }\nnodes: []\n', 'i.flow.yaml'),
    };
    const { edited } = extracted(1, 2, 3);
    const now = readableFlow(edited, { './inner.flow.yaml': { input: 'B', output: 'F' } }) as ReadableFlow;
    expect(unpackFlow({ path: 'outer.flow.json', flow: now }, 1, inner).plan).toMatchObject({
      ok: false,
      reason: expect.stringContaining('The schema F here differs'),
    });
    expect(unpackFlow({ path: 'outer.flow.json', flow: now }, 0, inner).plan).toMatchObject({ ok: false });
  });
});
