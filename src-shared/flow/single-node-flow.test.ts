import { expect, test } from 'vitest';
import { isJsonObject, type Json, type JsonObject } from '#shared/json.ts';
import { parseFlow } from './parse-flow.ts';
import { singleNodeFlow } from './single-node-flow.ts';
import { isTriedPath, triedName, triedPath } from './tried-path.ts';

const number: Json = { type: 'integer' };
const schemas: JsonObject = { A: number, B: number, C: { $ref: '#/schemas/Deep' }, Deep: { type: 'string' }, D: true, Other: number };

/** The flow of one node, which has to have no problems. */
function alone(raw: JsonObject, path = 'flows/orders.flow.yaml'): JsonObject {
  const text = JSON.stringify({ pravah: 1, name: 'Whole', input: 'A', output: 'B', schemas, nodes: [raw] });
  const [node] = parseFlow(text, path).outline.nodes ?? [];
  if (!node) throw new Error('the node cannot be read');
  const flow = singleNodeFlow({ node, path, schemas });
  expect(parseFlow(JSON.stringify(flow), triedPath('x')).problems).toEqual([]);
  return flow;
}

const nodesOf = ({ nodes }: JsonObject) => (nodes as readonly Json[]).filter(isJsonObject);

test('a node alone begins with what it consumes and ends with what it produces, with the schemas that it needs', () => {
  const node = { kind: 'work', from: 'A', to: 'D', title: 'Half it', expr: 'input / 2' };
  expect(alone(node)).toEqual({ pravah: 1, name: 'Try Half it', input: 'A', output: 'D', schemas: { A: number, D: true }, nodes: [node] });
});

test('a join alone takes an object with both states, an either node gives the branch, a fork all of them', () => {
  const join = alone({ kind: 'join', from: ['A', 'B'], to: 'D' });
  expect(nodesOf(join).map(({ kind, from, to }) => [kind, from, to])).toEqual([
    ['fork', 'TriedInput', ['A', 'B']],
    ['join', ['A', 'B'], 'D'],
  ]);
  expect(join.schemas).toMatchObject({ TriedInput: { properties: { A: number, B: number }, required: ['A', 'B'] } });
  const either = alone({ kind: 'either', from: 'A', to: ['B', 'D'], expr: 'true' });
  expect(
    nodesOf(either)
      .slice(1)
      .map(({ from, run }) => [from, run]),
  ).toEqual([
    ['B', '(value) => ({ "B": value })'],
    ['D', '(value) => ({ "D": value })'],
  ]);
  const fork = alone({ kind: 'fork', from: 'A', to: ['B', 'D', 'Other'] });
  expect(
    nodesOf(fork)
      .slice(1)
      .map(({ from, to }) => [from, to]),
  ).toEqual([
    [['B', 'D'], 'TriedOutput1'],
    [['TriedOutput1', 'Other'], 'TriedOutput'],
  ]);
});

test('files that the node names are found from the folder, and its tools ask', () => {
  const file = alone({
    kind: 'work',
    from: 'A',
    to: 'B',
    run_file: './code/half.ts',
    tools: ['read_file', { use: 'write_file', approve: 'never' }],
  });
  expect(nodesOf(file)[0]).toMatchObject({
    run_file: './flows/code/half.ts',
    tools: [
      { use: 'read_file', approve: 'always' },
      { use: 'write_file', approve: 'always' },
    ],
  });
  const agent = alone({ kind: 'agent', from: 'A', to: 'B', agent: { model: 'script://x.json', tools: ['flow:../lookup.flow.yaml'] } });
  expect(nodesOf(agent)[0]?.agent).toMatchObject({ tools: [{ use: 'flow:./lookup.flow.yaml', approve: 'always' }] });
});

test('the path of a try is no file, and says what was tried', () => {
  const path = triedPath('Half it of flows/orders.flow.yaml');
  expect([isTriedPath(path), isTriedPath('try/orders.flow.yaml'), triedName(path)]).toEqual([
    true,
    false,
    'Half it of flows:orders.flow.yaml',
  ]);
});
