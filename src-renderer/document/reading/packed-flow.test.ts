import { describe, expect, it } from 'vitest';
import { packFlow, unpackFlow } from '#shared/flow/packed-flow.ts';
import { type ParsedFlow, parseFlow } from '#shared/flow/parse-flow.ts';

const yaml = `pravah: 1
name: Three steps
input: A
output: D
schemas:
  A: { type: object }
  B: { type: object }
  C: { type: object }
  D: { type: object }
nodes:
  - kind: work
    from: A
    to: B
    expr: input
  - { kind: work, title: Second, from: B, to: C, expr: input }
  - { kind: work, from: C, to: D, expr: input }
`;
const json = `{ "pravah": 1, "name": "One step", "input": "A", "output": "B", "schemas": { "A": {}, "B": {} }, "nodes": [{ "kind": "work", "from": "A", "to": "B", "expr": "input" }] }`;

/** As another thread receives a flow. */
const handedOver = (text: string, path: string): ParsedFlow => unpackFlow(structuredClone(packFlow(parseFlow(text, path))));

/** What a reader sees of a flow. */
const seen = ({ positionAt, parts: _parts, ...flow }: ParsedFlow) => ({ ...flow, end: positionAt(flow.text.length) });

describe('a flow that another thread has read', () => {
  it.each([
    ['YAML', yaml, 'a.flow.yaml'],
    ['JSON', json, 'a.flow.json'],
    ['a text with a byte-order mark', `\uFEFF${yaml}`, 'a.flow.yaml'],
    ['a document with a fault', yaml.replace('kind: work\n', 'kind: wrk\n'), 'a.flow.yaml'],
    ['a text that cannot be read', 'nodes: [', 'a.flow.yaml'],
  ])('is equal to one that was read here: %s', (_what, text, path) => {
    expect(seen(handedOver(text, path))).toEqual(seen(parseFlow(text, path)));
  });

  it.each([
    ['YAML', yaml, 'a.flow.yaml', 'Second'],
    ['JSON', json, 'a.flow.json', 'One step'],
  ])('is read in part after an edit, and keeps what the edit leaves: %s', (_what, text, path, word) => {
    const before = handedOver(text, path);
    const edited = text.replace(word, 'Another');
    const after = parseFlow(edited, path, before);
    expect(seen(after)).toEqual(seen(parseFlow(edited, path)));
    const same = after.outline.nodes?.filter((node) => before.outline.nodes?.includes(node)).length;
    expect(same).toBe(word === 'Second' ? 2 : 1);
    expect(after.outline.schemas?.A).toBe(before.outline.schemas?.A);
  });
});
