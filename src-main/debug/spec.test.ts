import { expect, test } from 'vitest';
import { parseLogSpec, parseSpec } from './spec.ts';

const flow = 'orders.flow.yaml';

test.each<[string, object]>([
  ['Order', { kind: 'before', flow, node: 'Order' }],
  ['Order:after', { kind: 'after', flow, node: 'Order' }],
  ['Worst:turns', { kind: 'before', flow, node: 'Worst', turns: true }],
  ['A+B', { kind: 'before', flow, node: 'A+B' }],
  ['./item.flow.yaml#Order:after', { kind: 'after', flow: 'item.flow.yaml', node: 'Order' }],
  ['Rated->Urgent', { kind: 'branch', flow, node: 'Rated', state: 'Urgent' }],
  ['sub/item.flow.yaml#Rated->Urgent', { kind: 'branch', flow: 'sub/item.flow.yaml', node: 'Rated', state: 'Urgent' }],
  ['state:Order', { kind: 'state', flow, state: 'Order', on: 'written' }],
  ['state:Order:consumed', { kind: 'state', flow, state: 'Order', on: 'consumed' }],
  ['state:item.flow.yaml#Order/total', { kind: 'state', flow: 'item.flow.yaml', state: 'Order', on: 'changed', path: '/total' }],
  ['tool:write_file', { kind: 'tool', tool: 'write_file', on: 'before' }],
  ['tool:mcp:it/ask:error', { kind: 'tool', tool: 'mcp:it/ask', on: 'error' }],
  ['model:after', { kind: 'model', on: 'after' }],
  ['error', { kind: 'error' }],
  ['error:HandlerError', { kind: 'error', variant: 'HandlerError' }],
  ['error:tool_results', { kind: 'error', tool_results: true }],
  ['Order hits %5 if n > 1', { kind: 'before', flow, node: 'Order', hits: '%5', condition: 'n > 1' }],
  ['Order if n > 1 hits >=2', { kind: 'before', flow, node: 'Order', hits: '>=2', condition: 'n > 1' }],
])('reads %s', (text, expected) => expect(parseSpec(text, 'b', flow)).toEqual({ id: 'b', ...expected }));

test.each(['', ':after', 'Order:never', 'Order hits 0', 'Order hits few', 'a#b#:x'])('refuses "%s"', (text) => {
  expect(() => parseSpec(text, 'b', flow)).toThrow(/^Invalid breakpoint/);
});

test('a log point has its text after =>, else it logs the input', () => {
  expect(parseLogSpec('Order if n > 1 => {n} > 1', 'l', flow)).toMatchObject({ node: 'Order', condition: 'n > 1', log: '{n} > 1' });
  expect(parseLogSpec('Order', 'l', flow)).toMatchObject({ log: '{input}' });
});
