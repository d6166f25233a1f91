import { describe, expect, it } from 'vitest';
import type { Json } from '#shared/json.ts';
import { parseFlow, placeOf } from './parse-flow.ts';

const valid = { pravah: 1, name: 'N', input: 'A', output: 'B', schemas: { A: {}, B: {} }, nodes: [{ kind: 'work', from: 'A', to: 'B' }] };
const problems = (text: string, path = 'a.flow.json') =>
  parseFlow(text, path).problems.map((problem) => `${problem.path} ${problem.message}`);
const faults = (changes: Record<string, unknown>) => problems(JSON.stringify({ ...valid, ...changes }));
const nodeFaults = (node: Json) => faults({ nodes: [node] });

describe('parseFlow', () => {
  it('reads YAML and JSON documents', () => {
    expect(parseFlow(JSON.stringify(valid), 'a.flow.json')).toMatchObject({ problems: [], document: valid });
    const yaml = 'pravah: 1\nname: N\ninput: A\noutput: B\nschemas: { A: {}, B: {} }\nnodes:\n  - { kind: work, from: A, to: B }\n';
    expect(parseFlow(yaml, 'a.flow.yaml')).toMatchObject({ problems: [], document: valid });
  });

  it('reports the line and column of an unknown key and suggests the nearest known one', () => {
    const text = '{\n  "pravah": 1,\n  "nmae": "N",\n  "name": "N", "input": "A", "output": "A", "schemas": {}, "nodes": []\n}';
    expect(problems(text)).toEqual(['/nmae Line 3, column 3: Unknown key "nmae" in the document. Did you mean "name"?']);
  });

  it('reports a missing key at its object and an unknown key at itself', () => {
    expect(faults({ output: undefined })).toEqual([
      expect.stringMatching(/^ Line 1, column 1: The key "output" is missing in the document\.$/),
    ]);
    expect(nodeFaults({ kind: 'work', from: 'A' })).toEqual([expect.stringMatching(/^\/nodes\/0 .*"to" is missing/)]);
    expect(nodeFaults({ kind: 'agent', from: 'A', to: 'B', agent: { temprature: 1 } })).toEqual([
      expect.stringMatching(/^\/nodes\/0\/agent .*"model" is missing in "agent"/),
      expect.stringMatching(/^\/nodes\/0\/agent\/temprature /),
    ]);
  });

  it.each([
    [{ pravah: 2 }, '/pravah', /must be 1/],
    [{ name: 7 }, '/name', /must be a string, but is 7/],
    [{ input: 'a b' }, '/input', /letters, digits and _/],
    [{ schemas: { 'a-b': {} } }, '/schemas/a-b', /not a valid schema name/],
    [{ schemas: { A: 3, B: {} } }, '/schemas/A', /JSON Schema/],
    [{ schemas: [] }, '/schemas', /must be an object, but is a list of 0 items/],
    [{ limits: { steps: 0 } }, '/limits/steps', /more than 0/],
    [{ limits: { steps: 1.5 } }, '/limits/steps', /whole number/],
    [{ limits: { stepz: 1 } }, '/limits/stepz', /Did you mean "steps"/],
    [{ nodes: {} }, '/nodes', /must be a list, but is an object/],
  ])('refuses %j', (changes, path, message) => {
    const [first = ''] = faults(changes);
    expect(first.startsWith(`${path} `)).toBe(true);
    expect(first).toMatch(message);
  });

  it.each([
    ['text', '', /A node must be an object, but is "text"/],
    [{ kind: 'wrok', from: 'A', to: 'B' }, '/kind', /Unknown node kind "wrok".*Did you mean "work"/],
    [{ from: 'A' }, '', /"kind" is missing/],
    [{ kind: 'either', from: 'A', to: ['B'], expr: 'true' }, '/to', /exactly 2 items|at least 2 items/],
    [{ kind: 'work', from: 'A', to: 'B', run: 'x => x', expr: '1' }, '/expr', /only one body/],
    [{ kind: 'fork', from: 'A', to: ['B', 'C'], expr: '1' }, '/expr', /fork node cannot have "expr"/],
    [{ kind: 'either', from: 'A', to: ['B', 'C'], tool: 't' }, '/tool', /Only a work node/],
    [{ kind: 'work', from: 'A', to: 'B', into: 'x' }, '/into', /requires "expr" or "tool"/],
    [{ kind: 'either', from: 'A', to: ['B', 'C'], expr: 'true', into: 'x' }, '/into', /Only a work node/],
    [{ kind: 'work', from: 'A', to: 'B', export: 'x' }, '/export', /requires "module"/],
    [{ kind: 'work', from: 'A', to: 'B', with: {} }, '/with', /requires "tool"/],
    [{ kind: 'work', from: 'A', to: 'B', tools: [] }, '/tools', /requires "run"/],
    [{ kind: 'agent', from: 'A', to: 'B', agent: { model: 'm', tools: [3] } }, '/agent/tools/0', /name of a tool/],
    [{ kind: 'agent', from: 'A', to: 'B', agent: { model: 'm', params: { top_p: 2 } } }, '/agent/params/top_p', /at most 1/],
    [{ kind: 'suspend', from: 'A', to: 'B', run: 'x => x' }, '/run', /Unknown key "run" in a suspend node/],
  ])('refuses the node %j', (node, path, message) => {
    const found = nodeFaults(node as Json);
    expect(found).toHaveLength(1);
    expect(found[0]?.startsWith(`/nodes/0${path} `)).toBe(true);
    expect(found[0]).toMatch(message);
  });

  it.each([
    ['', /empty/],
    ['nope', /not JSON/],
    ['{"a":1,}', /comma before a closing brace/],
    ['{"a":1 "b":2}', /comma is expected/],
    ['// no\n{}', /does not allow comments/],
    ['['.repeat(2000), /deeper than 1000/],
    ['['.repeat(1_000_000), /deeper than 1000/],
    ['{"a":1', /brace is missing/],
    ['[]', /A flow must be an object/],
    ['null', /A flow must be an object/],
  ])('reports %.20j as one format problem', (text, message) => {
    const found = problems(text);
    expect(found).toHaveLength(1);
    expect(found[0]).toMatch(message);
    expect(parseFlow(text, 'a.flow.json').problems[0]?.path).toBe('');
  });

  it.each([
    ['a: [', /column/],
    ['a: !!binary aGk=', /not a JSON value/],
    ['a: !thing x', /unresolved tag/],
    ['a: .inf', /infinite/],
    ['? [a]\n: b', /key must be a string/],
    ['a: *b', /alias/],
    ['a: *b\nb: &b 1', /alias/],
    ['a: &a {x: 1}\nb:\n  <<: *a', /Line 3, column 3: merge keys/],
    ['a: &a [*a]', /alias/],
    ['--- 1\n--- 2\n', /several documents/],
    ['- '.repeat(5000), /deeper than 1000/],
    [`${'{a: '.repeat(5000)}`, /deeper than 1000|column/],
    [Array.from({ length: 9 }, (_, i) => `k${i}: &k${i} [${i ? `*k${i - 1},`.repeat(10) : 'x'}]`).join('\n'), /aliases repeat more than/],
  ])('refuses the YAML %.20j', (text, message) => {
    const found = problems(text, 'a.flow.yaml');
    expect(found).toHaveLength(1);
    expect(found[0]).toMatch(message);
  });

  it('reports every repeated key at its path', () => {
    expect(problems('{"a":1,"a":{"b":1,"b":2}}').map((each) => each.split(' ')[0])).toEqual(['/a', '/a/b']);
    expect(problems('a: 1\nnodes:\n  - b: 1\n    b: 2\na: 2\n', 'a.flow.yaml').map((each) => each.split(' ')[0])).toEqual([
      '/nodes/0/b',
      '/a',
    ]);
  });

  it('reports prototype keys as unknown keys', () => {
    for (const text of ['{"__proto__":{"polluted":1},"constructor":1}', '{"nodes":[{"kind":"work","__proto__":{}}]}']) {
      expect(problems(text).some((each) => /Unknown key "__proto__"/.test(each))).toBe(true);
    }
    expect('polluted' in {}).toBe(false);
    expect(problems('{"nodes":[{"kind":"constructor"}]}').some((each) => each.startsWith('/nodes/0/kind'))).toBe(true);
  });

  it('limits the length of a text and the number of reported errors', () => {
    expect(problems(`"${'x'.repeat(5_000_000)}"`)).toEqual([expect.stringMatching(/longer than 4 million/)]);
    const many = Array.from({ length: 20_000 }, (_, index) => `k${index}: 1\n`).join('');
    const found = problems(many, 'a.flow.yaml');
    expect(found).toHaveLength(1000);
    expect(found.some((each) => /And 19006 more errors/.test(each))).toBe(true);
  });

  it('ignores a byte-order mark and refuses strings that UTF-8 cannot encode', () => {
    expect(parseFlow(`\uFEFF${JSON.stringify(valid)}`, 'a.flow.json').problems).toEqual([]);
    expect(parseFlow(`\uFEFFpravah: 1\nname: x\n`, 'a.flow.yaml').outline.name).toBe('x');
    expect(faults({ name: '\ud800' })).toEqual([expect.stringMatching(/^\/name .*surrogate/)]);
    expect(faults({ name: '😀' })).toEqual([]);
  });

  it('finds the position of a value in the text', () => {
    for (const [text, path] of [
      ['pravah: 1\nnodes:\n  - kind: work # x\n    from: A\n  - kind: join\n    from: [B, C]\n', 'a.flow.yaml'],
      ['{"pravah": 1, "nodes": [{"kind": "work", "from": "A"},\n {"kind": "join", "from": ["B", "C"]}]}', 'a.flow.json'],
    ] as const) {
      const flow = parseFlow(text, path);
      const place = placeOf(flow, ['nodes', 1, 'from', 1]);
      expect(place && text.slice(place.start, place.end).replaceAll('"', '')).toBe('C');
      const from = placeOf(flow, ['nodes', 1, 'from']);
      expect(text.slice(from?.entryStart)).toMatch(/^"?from/);
      expect(placeOf(flow, ['nodes', 7])).toBeNull();
    }
  });

  it('reads the valid parts of an invalid document', () => {
    const { outline } = parseFlow(
      JSON.stringify({
        name: 'N',
        input: 3,
        nodes: [{ kind: 'work', from: 'A', to: 'B', run: 7 }, { kind: 'work', from: ['A'], to: 'B' }, 5],
      }),
      'a.flow.json',
    );
    expect(outline).toMatchObject({ name: 'N', nodes: [{ index: 0, id: 'A', from: ['A'], to: ['B'] }] });
    expect(outline.input).toBeUndefined();
    expect(outline.nodes).toHaveLength(1);
  });
});
