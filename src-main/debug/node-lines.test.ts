import { expect, test } from 'vitest';
import { nodeAtLine, nodeLines } from './node-lines.ts';

const inner =
  'pravah: 1\nname: In\ninput: Part\noutput: Out\nschemas: { Part: {}, Out: {} }\nnodes:\n  - { kind: work, from: Part, to: Out }\n';
const outer = `pravah: 1
name: Outer
input: A
output: Z
schemas: { A: {}, Part: {}, Out: {}, Z: {} }
nodes:
  - kind: work
    title: Cut
    from: A
    to: Part
    run: |
      (value) => value

  # Then the parts.
  - kind: flow
    flow: ./in.flow.yaml
  - { kind: work, from: Out, to: Z }
`;
const read = async (path: string) => ({ 'in.flow.yaml': inner, 'a.flow.yaml': outer })[path] ?? null;

test('a node has the lines from its dash to its last character, and a nested flow the id under which breakpoints name it', async () => {
  const nodes = await nodeLines('a.flow.yaml', read);
  expect(nodes).toEqual([
    { node: 'A', title: 'Cut', first: 7, last: 12 },
    { node: 'Part', first: 15, last: 16 },
    { node: 'Out', first: 17, last: 17 },
  ]);
  expect([6, 7, 12, 13, 16, 18].map((line) => nodeAtLine(nodes, line)?.node)).toEqual([undefined, 'A', 'A', undefined, 'Part', undefined]);
});

test('the nodes of a JSON document have lines too; a missing or broken file has none', async () => {
  const json = JSON.stringify({ pravah: 1, nodes: [{ kind: 'work', from: 'A', to: 'Z' }] }, null, 2);
  expect(await nodeLines('b.flow.json', async () => json)).toEqual([{ node: 'A', first: 4, last: 8 }]);
  expect(await nodeLines('missing.flow.yaml', read)).toEqual([]);
  expect(await nodeLines('b.flow.yaml', async () => 'nodes: [')).toEqual([]);
});

test('the nodes of a PyFlow workflow have the lines of their agents', async () => {
  const text = `name: shop
agents:
  - { name: prices, type: expr, expression: "[19.5, 3]", output_key: prices }

  - name: total
    type: expr
    expression: "sum(prices)"
    input_keys: [prices]
    output_key: total
orchestration: { type: sequential, agents: [prices, total] }
`;
  const nodes = await nodeLines('workflow.yaml', async () => text);
  expect(nodes.filter(({ first }) => first < 10).map(({ node, first, last }) => [node, first, last])).toEqual([
    ['prices', 3, 3],
    ['total', 5, 9],
  ]);
  expect([3, 4, 7].map((line) => nodeAtLine(nodes, line)?.node)).toEqual(['prices', undefined, 'total']);
  expect(await nodeLines('other.yaml', async () => 'name: [')).toEqual([]);
});
