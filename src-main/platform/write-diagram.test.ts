import { readdirSync } from 'node:fs';
import { join as path } from 'node:path';
import { expect, test } from 'vitest';
import { each, either, expr, flowOf, fork, join, suspend, work } from '#main/engine/testing/flows.ts';
import { loadDocument } from '#main/sdk/load-document.ts';
import { type DiagramOptions, diagramOf } from '#shared/flow/diagram/diagram.ts';
import { writeDiagram } from './write-diagram.ts';

const items = flowOf([work('Item', 'Done')]);
const flow = flowOf([
  either('A', ['B', 'C'], expr('a')),
  fork('B', ['D', 'E']),
  join(['D', 'E'], 'F'),
  suspend('C', 'F2'),
  work('F2', 'F'),
  each('F', 'Z', items),
]);

test('a diagram in Mermaid names kinds by shape, branches by state, and lists as boxes', async () => {
  expect(await writeDiagram(flow, 'mermaid')).toMatchInlineSnapshot(`
    "flowchart TD
      n0(["A"])
      n1{"A"}
      n2[/"B"\\]
      n3[\\"D + E"/]
      n4{{"C"}}
      n5["F2"]
      n9(["Z"])
      subgraph b0["F (each)"]
        n6(["Item"])
        n7["Item"]
        n8(["Done"])
      end
      n6 --> n7
      n7 --> n8
      n0 --> n1
      n1 -->|"B"| n2
      n1 -->|"C"| n4
      n2 -->|"D"| n3
      n2 -->|"E"| n3
      n3 --> n6
      n4 --> n5
      n5 --> n6
      n8 --> n9
    "
  `);
});

test('a diagram in DOT has the same shapes', async () => {
  expect(await writeDiagram(flow, 'dot')).toMatchInlineSnapshot(`
    "digraph "test" {
      n0 [label="A", shape=oval];
      n1 [label="A", shape=diamond];
      n2 [label="B", shape=trapezium];
      n3 [label="D + E", shape=invtrapezium];
      n4 [label="C", shape=hexagon];
      n5 [label="F2", shape=box];
      n9 [label="Z", shape=oval];
      subgraph cluster_b0 {
        label="F (each)";
        n6 [label="Item", shape=oval];
        n7 [label="Item", shape=box];
        n8 [label="Done", shape=oval];
      }
      n6 -> n7;
      n7 -> n8;
      n0 -> n1;
      n1 -> n2 [label="B"];
      n1 -> n4 [label="C"];
      n2 -> n3 [label="D"];
      n2 -> n3 [label="E"];
      n3 -> n6;
      n4 -> n5;
      n5 -> n6;
      n8 -> n9;
    }
    "
  `);
});

test('a diagram marks where a run stands', () => {
  const { nodes } = diagramOf(flow, { run: { states: [{ name: 'E', value: 1 }] } });
  expect(nodes.filter(({ here }) => here).map(({ label }) => label)).toEqual(['D + E']);
});

test('labels cannot leave their quotes', async () => {
  const hostile = flowOf([work('A"]; click n0 <b>#', 'Z\\"')]);
  expect(await writeDiagram(hostile, 'mermaid')).toContain('n0(["A#34;]; click n0 #60;b#62;#35;"])');
  expect(await writeDiagram(hostile, 'dot')).toContain('label="Z\\\\\\""');
  expect(await writeDiagram(hostile, 'svg')).toContain('A&quot;]; click n0 &lt;b&gt;#');
});

const examples = path(import.meta.dirname, '../../resources/examples');
const flows = readdirSync(examples, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.flow.yaml'));

test('the diagrams of all examples are complete and the same each time, at each depth', async () => {
  expect(flows.length).toBeGreaterThanOrEqual(2);
  for (const file of flows) {
    const { graph } = await loadDocument(path(examples, file), { trusted: true });
    if (!graph) continue;
    for (const depth of [0, 1, 9]) {
      const options: DiagramOptions = { depth };
      const { nodes, edges } = diagramOf(graph, options);
      const keys = new Set(nodes.map(({ key }) => key));
      expect(edges.filter(({ from, to }) => !keys.has(from) || !keys.has(to))).toEqual([]);
      for (const { key, kind, label } of nodes) {
        const [starts, ends] = [edges.some(({ from }) => from === key), edges.some(({ to }) => to === key)];
        expect({ file, depth, label, starts, ends }).toMatchObject({ starts: kind !== 'output' || starts, ends: kind !== 'input' || ends });
      }
      for (const format of ['mermaid', 'dot', 'svg'] as const)
        expect(await writeDiagram(graph, format, options)).toBe(await writeDiagram(structuredClone(graph), format, options));
    }
  }
});
