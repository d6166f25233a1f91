import { expect, test } from 'vitest';
import type { Mock, Supplied } from '#shared/contract/supplied.ts';
import { newRule, rulesOf, withRules } from './mock-fields.ts';
import { mockOf, newMock, type PinnedNode, pinOf, pinOfOutput, switched, valueSchema } from './supplied-edits.ts';

const from = { run_id: 'r', seq: 3 };
const port = (state: string) => ({ state, side: 'output' }) as unknown as PinnedNode['outputs'][number];
const node = (kind: PinnedNode['kind'], ...outputs: string[]): PinnedNode => ({ id: 'Order', kind, outputs: outputs.map(port) });

test('a pin of an output has its value, of an either node its branch, of a fork the value of each state', () => {
  const common = { id: 'p', kind: 'pin', flow: 'a.flow.yaml', node: 'Order', from };
  const pin = (of: PinnedNode, ...output: { name: string; value: number }[]) => pinOfOutput('a.flow.yaml', of, output, from, 'p');
  expect(pin(node('work', 'Priced'), { name: 'Item::Priced', value: 1 })).toEqual({ ...common, value: 1 });
  expect(pin(node('either', 'Large', 'Small'), { name: 'Item::Small', value: 2 })).toEqual({ ...common, value: 2, branch: 'Small' });
  expect(pin(node('fork', 'A', 'B'), { name: 'A', value: 1 }, { name: 'B', value: 2 })).toEqual({ ...common, value: { A: 1, B: 2 } });
  expect(pin(node('work', 'Priced'))).toBeNull();
});

test('the value of a pin has the schema of the state, of the branch, or of all states of a fork', () => {
  const schemas = { Large: { type: 'object' }, Small: { type: 'string' } };
  expect(valueSchema(node('either', 'Large', 'Small'), 'Small', schemas)).toEqual({ type: 'string' });
  expect(valueSchema(node('work', 'Unknown'), undefined, schemas)).toBe(true);
  expect(valueSchema(node('fork', 'Large', 'Small'), undefined, schemas)).toEqual({
    type: 'object',
    properties: schemas,
    required: ['Large', 'Small'],
  });
});

test('pins are found by their node, mocks by their tool or by the node whose model they answer', () => {
  const tool = newMock({ kind: 'tool', tool: 'write_file' }, 't');
  const model = newMock({ kind: 'model', flow: 'a.flow.yaml', node: 'Draft' }, 'm');
  const pin: Supplied = { id: 'p', kind: 'pin', flow: 'a.flow.yaml', node: 'Order', value: 1 };
  const all = [tool, model, pin];
  expect([mockOf(all, { kind: 'tool', tool: 'write_file' }), mockOf(all, { kind: 'model', flow: 'a.flow.yaml', node: 'Draft' })]).toEqual([
    tool,
    model,
  ]);
  expect([
    mockOf(all, { kind: 'tool', tool: 'read_file' }),
    pinOf(all, 'b.flow.yaml', 'Order'),
    pinOf(all, 'a.flow.yaml', 'Order'),
  ]).toEqual([undefined, undefined, pin]);
  expect([switched(pin, false), switched({ ...pin, enabled: false }, true)]).toEqual([{ ...pin, enabled: false }, pin]);
});

test('the form of a mock gives back its rules, and says which result is not JSON', () => {
  const mock: Mock = {
    id: 't',
    kind: 'tool',
    tool: 'write_file',
    rules: [
      { when: 'call.input.n > 1', result: { bytes: 1 }, delay_ms: 20 },
      { error: 'The disk is full.' },
      { error: { message: 'Denied', variant: 'Denied' } },
    ],
    otherwise: 'call',
  };
  expect(withRules(mock, rulesOf(mock), true)).toEqual({ mock });
  expect(withRules(mock, [{ ...newRule, text: '{' }], false)).toMatchObject({
    fault: expect.stringContaining('The result of rule 1 is not JSON'),
  });
  expect(withRules(mock, [newRule], false)).toEqual({ mock: { id: 't', kind: 'tool', tool: 'write_file', rules: [{ result: {} }] } });
});
