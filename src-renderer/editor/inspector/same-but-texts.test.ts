import { describe, expect, it } from 'vitest';
import { readableFlow } from '#renderer/document/graph/readable-flow.ts';
import { applyEdits } from '#shared/flow/edit/apply-edit.ts';
import type { FlowEdit } from '#shared/flow/edit/flow-edit.ts';
import { type ParsedFlow, parseFlow } from '#shared/flow/parse-flow.ts';
import { sameButTexts } from './same-but-texts.ts';

const flow = parseFlow(
  `pravah: 1
name: Two steps
input: A
output: C
schemas: { A: { type: object }, B: { type: object }, C: { type: object } }
nodes:
  - { kind: work, from: A, to: B, tool: web_search, with: { query: '{{ A.text }}' } }
  - { kind: work, from: B, to: C, run: '(b) => b' }
`,
  'two.flow.yaml',
);

const first = (parsed: ParsedFlow) => {
  const readable = readableFlow(parsed);
  const node = readable?.nodes[0];
  if (!readable || !node) throw new Error('The flow cannot be read.');
  return { node, flow: readable };
};
const isSameAfter = (...edits: FlowEdit[]) => sameButTexts(first(flow), first(applyEdits(flow, edits)));

describe('a node and its flow', () => {
  it('are the same after an edit of a title or notes, here or of another node', () => {
    expect(isSameAfter({ type: 'set', path: ['nodes', 0, 'title'], value: 'Search' })).toBe(true);
    expect(isSameAfter({ type: 'set', path: ['nodes', 0, 'note'], value: 'Slow' })).toBe(true);
    expect(isSameAfter({ type: 'set', path: ['nodes', 1, 'title'], value: 'Pass' })).toBe(true);
  });

  it.each<[string, FlowEdit]>([
    ['the body', { type: 'set', path: ['nodes', 0, 'with', 'query'], value: 'other' }],
    ['the body of another node', { type: 'set', path: ['nodes', 1, 'run'], value: '(b) => ({})' }],
    ['a state', { type: 'rename_state', from: 'B', to: 'Found' }],
    ['a schema', { type: 'set', path: ['schemas', 'B'], value: { type: 'array' } }],
    ['the list of nodes', { type: 'insert', path: ['nodes', 2], value: { kind: 'work', from: 'C', to: 'D' } }],
    ['the output of the flow', { type: 'set', path: ['output'], value: 'B' }],
  ])('differ after an edit of %s', (_what, edit) => {
    expect(isSameAfter(edit)).toBe(false);
  });
});
