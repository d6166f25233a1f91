import { expect, it } from 'vitest';
import { graphView } from '#renderer/document/graph/graph-view.ts';
import { type ReadableFlow, readableFlow } from '#renderer/document/graph/readable-flow.ts';
import { applyEdits } from '#shared/flow/edit/apply-edit.ts';
import { parseFlow } from '#shared/flow/parse-flow.ts';
import { isLoose, moveOntoWire } from './move-onto-wire.ts';

const order = '{ type: object, properties: { n: { type: integer } } }';
const text = (loose: string, schemas = '', source = 'kind: work, from: A, to: B') => `pravah: 1
name: Chain
input: A
output: C
schemas: { A: { type: object }, B: ${order}, C: { type: object }${schemas} }
nodes:
  - { ${source} }
  - { kind: work, from: B, to: C }
  - { ${loose} }
`;
const wire = { source: 0, source_port: 0, target: 1, target_port: 0 };

function moved(from: string, inner = {}) {
  const parsed = parseFlow(from, 'chain.flow.yaml');
  const plan = moveOntoWire(readableFlow(parsed, inner) as ReadableFlow, wire, 2);
  return plan.ok ? applyEdits(parsed, plan.edits).outline : plan.reason;
}

it('puts a node without wires between the ends of a wire, and keeps what the target consumes', () => {
  const outline = moved(text('kind: work, from: In, to: Out', ', In: { type: object }, Out: { type: object }'));
  if (typeof outline === 'string') throw new Error(outline);
  expect(outline.nodes?.map(({ from, to }) => [from, to])).toEqual([
    [['A'], ['In']],
    [['B'], ['C']],
    [['In'], ['B']],
  ]);
  expect(outline.schemas?.In).toEqual(outline.schemas?.B);
  expect(outline.schemas).not.toHaveProperty('Out');
});

it('uses the first input and the first output that fit', () => {
  const outline = moved(text('kind: fork, from: In, to: [Text, Out], run: "return {}"', ', In: true, Text: { type: string }, Out: true'));
  if (typeof outline === 'string') throw new Error(outline);
  expect(outline.nodes?.[2]?.to).toEqual(['Text', 'B']);
});

it('says why the types do not fit', () => {
  expect(moved(text('kind: work, from: In, to: Out', ', In: { type: string }, Out: true'))).toMatch(/^B does not fit In: .+\./);
  expect(moved(text('kind: work, from: In, to: Out', ', In: true, Out: { type: array }'))).toMatch(/^Out does not fit B: .+\./);
});

it('leaves the names of nested flows alone', () => {
  const nested = { './f.flow.yaml': { input: 'A', output: 'B' } };
  expect(moved(text('kind: work, from: In, to: Out', '', 'kind: flow, flow: ./f.flow.yaml'), nested)).toMatch(/keeps its name/);
});

it('takes only nodes without wires', () => {
  const loose = (node: string) => {
    const flow = readableFlow(parseFlow(text(node), 'chain.flow.yaml'), {}) as ReadableFlow;
    return graphView(flow).nodes.map(isLoose);
  };
  expect(loose('kind: work, from: In, to: Out')).toEqual([false, false, true]);
  expect(loose('kind: work, from: C, to: Out')[2]).toBe(false);
  expect(loose('kind: work, from: In, to: B')[2]).toBe(false);
});
