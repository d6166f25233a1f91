import { expect, it } from 'vitest';
import { type ReadableFlow, readableFlow } from '#renderer/document/graph/readable-flow.ts';
import { applyEdits } from '#shared/flow/edit/apply-edit.ts';
import { parseFlow } from '#shared/flow/parse-flow.ts';
import { insertOnWire } from './insert-on-wire.ts';

const text = `pravah: 1
name: Chain
input: A
output: C
schemas: { A: { type: object }, B: { type: object, properties: { n: { type: integer } } }, C: { type: object } }
nodes:
  - { kind: work, from: A, to: B }
  - { kind: work, from: B, to: C }
`;
const wire = { source: 0, source_port: 0, target: 1, target_port: 0 };
const at = { x: 0, y: 0 };

function inserted(added: Omit<Parameters<typeof insertOnWire>[2], 'at'>, from = text, inner = {}) {
  const parsed = parseFlow(from, 'chain.flow.yaml');
  const plan = insertOnWire(readableFlow(parsed, inner) as ReadableFlow, wire, { at, ...added });
  if (!plan.ok) return plan.reason;
  return applyEdits(parsed, plan.edits).outline;
}

it('puts a node between both ends of a wire, with the schema of its state on both sides', () => {
  const outline = inserted({ kind: 'work' });
  if (typeof outline === 'string') throw new Error(outline);
  expect(outline.nodes?.map(({ from, to }) => [from, to])).toEqual([
    [['A'], ['B']],
    [['Result'], ['C']],
    [['B'], ['Result']],
  ]);
  expect(outline.schemas?.Result).toEqual(outline.schemas?.B);
});

it('continues with the first branch', () => {
  const outline = inserted({ kind: 'either' });
  if (typeof outline === 'string') throw new Error(outline);
  expect(outline.nodes?.[1]?.from).toEqual(['Yes']);
  expect(outline.nodes?.[2]?.to).toEqual(['Yes', 'No']);
});

it('takes a nested flow whose states can be renamed, and says so otherwise', () => {
  const open = text.replace('B: { type: object, properties: { n: { type: integer } } }', 'B: { type: object }');
  const inner = { input: 'Mail', output: 'Reply', schemas: {} };
  const outline = inserted({ kind: 'flow', file: './mail.flow.yaml', inner }, open, {
    './mail.flow.yaml': { input: 'Mail', output: 'Reply' },
  });
  if (typeof outline === 'string') throw new Error(outline);
  expect(outline.nodes?.[0]?.to).toEqual(['Mail']);
  expect(outline.nodes?.[1]?.from).toEqual(['Reply']);
  expect(inserted({ kind: 'flow', file: './mail.flow.yaml', inner })).toMatch(/cannot be renamed/);
});
