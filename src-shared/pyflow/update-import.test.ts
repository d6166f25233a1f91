import { expect, it } from 'vitest';
import type { DocumentNode, FlowDocument } from '#shared/flow/document.ts';
import { canonicalJson, toJson } from '#shared/json.ts';
import { updateImport } from './update-import.ts';

const hash = (text: string) => `#${text}`;
const work = (from: string, to: string, expr: string): DocumentNode => ({ kind: 'work', from, to, session: { expr, output: 'x' } });

function imported(nodes: readonly DocumentNode[], generated = nodes): FlowDocument {
  const states = new Set(nodes.flatMap((node) => ('from' in node ? [node.from, node.to].flat() : [])));
  return {
    pravah: 1,
    name: 'w',
    pyflow: {
      source: './workflow.yaml',
      hash: 'h',
      dialect: 'seed',
      nodes: Object.fromEntries(generated.map((node) => ['from' in node ? String(node.from) : '', hash(canonicalJson(toJson(node)))])),
    },
    input: 'A',
    output: 'Z',
    schemas: Object.fromEntries([...states].map((state) => [state, true])),
    nodes: [...nodes],
  };
}

it('replaces, adds and removes nodes that are as they were generated', () => {
  const { document, kept } = updateImport(
    imported([work('A', 'B', '1'), work('B', 'Z', '2')]),
    imported([work('A', 'C', '1'), work('C', 'Z', '3')]),
    hash,
  );
  expect(document.nodes).toEqual([work('A', 'C', '1'), work('C', 'Z', '3')]);
  expect(Object.keys(document.schemas).sort()).toEqual(['A', 'C', 'Z']);
  expect(kept).toEqual([]);
});

it('keeps a node that was edited, and names it where the workflow changed it too', () => {
  const edited = work('A', 'Z', '100');
  const before = imported([edited], [work('A', 'Z', '1')]);
  expect(updateImport(before, imported([work('A', 'Z', '1')]), hash)).toMatchObject({ document: { nodes: [edited] }, kept: [] });
  expect(updateImport(before, imported([work('A', 'Z', '2')]), hash)).toMatchObject({ document: { nodes: [edited] }, kept: ['A'] });
});

it('keeps a node that was added by hand', () => {
  const before = imported([work('A', 'Z', '1'), work('Own', 'Z', '1')], [work('A', 'Z', '1')]);
  expect(updateImport(before, imported([work('A', 'Z', '2')]), hash).document.nodes).toEqual([work('A', 'Z', '2'), work('Own', 'Z', '1')]);
});
