import { expect, test } from 'vitest';
import type { FlowGraph, GraphNode } from './graph.ts';
import { runNodeTitle } from './run-node-title.ts';

const node = (id: string, more: Partial<GraphNode> = {}): GraphNode => ({
  id,
  kind: 'work',
  from: [id],
  to: ['Z'],
  body: { type: 'default' },
  path: '/nodes/0',
  ...more,
});
const graphOf = (...nodes: GraphNode[]): FlowGraph => ({
  name: 'F',
  input: 'A',
  output: 'Z',
  schemas: {},
  limits: { steps: 1, seconds: 1, model_calls: 1, tokens: 1 },
  hash: '',
  nodes,
});
const inner = graphOf(node('Draft', { title: 'Approve the reply' }), node('LastLook'));
const flow = graphOf(
  node('Draft', { title: 'Approve the reply' }),
  node('FinalText'),
  node('Mails', { kind: 'each' as GraphNode['kind'], body: { type: 'each', flow: inner } as GraphNode['body'] }),
  node('inner::Reply', { own_names: { 'inner::Reply': 'Reply' } }),
  node('Ticket::step', { part_of: 'TicketIn' }),
);

test.each([
  ['its title', 'Draft', 'Approve the reply'],
  ['the state that it consumes, in words', 'FinalText', 'Final text'],
  ['its title and its item', 'Mails[1]::Draft', 'Approve the reply · item 2'],
  ['its state and its item', 'Mails[0]::LastLook', 'Last look · item 1'],
  ['the name that it has in its own flow', 'inner::Reply', 'Reply'],
  ['the agent that it is part of', 'Ticket::step', 'Ticket in'],
  ['its id where it is unknown', 'Gone[0]::X', 'Gone[0]::X'],
])('calls a node by %s', (_title, id, title) => expect(runNodeTitle(flow, id)).toBe(title));
