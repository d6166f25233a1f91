import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseFlow } from '#shared/flow/parse-flow.ts';
import type { Json } from '#shared/json.ts';
import { processorTime } from '#shared/testing/processor-time.ts';
import { applyEdits } from './apply-edit.ts';
import type { DocumentPath, FlowEdit } from './flow-edit.ts';
import { canonicalText, formatFlow } from './format-flow.ts';

const yaml = `# A flow with comments.
pravah: 1
name: Sample   # its name
input: A
output: D

schemas:
  # what comes in
  A: { type: object }  # anything
  B:
    type: object
    properties:
      n: { type: number }   # counted
  D: {}

nodes:
  # first
  - kind: work      # one to one
    from: A
    to: B
    run: |
      (a) => {
        return { n: 1 }; # no comment
      }

  - kind: work
    # the second
    from: B   # taken
    to: D
    title: 'It''s the end'   # quoted
`;

const json = `{
  "pravah": 1, "name": "Sample",
  "input": "A", "output": "D",
  "schemas": { "A": { "type": "object" },   "B": {}, "D": {} },
  "nodes": [
    { "kind": "work", "from": "A",   "to": "B" },
    {
      "kind": "work",
      "from": "B",
      "to": "D"
    }
  ]
}
`;

const edited = (text: string, ...edits: FlowEdit[]) => {
  const flow = parseFlow(text, text.startsWith('{') ? 'a.flow.json' : 'a.flow.yaml');
  return applyEdits(flow, edits).text;
};

/** Lines of `after` that are not in `before`, and the other way round. */
function changes(before: string, after: string): string[] {
  const rest = before.split('\n');
  const added: string[] = [];
  for (const line of after.split('\n')) {
    const index = rest.indexOf(line);
    if (index < 0) added.push(`+${line}`);
    else rest.splice(index, 1);
  }
  return [...rest.map((line) => `-${line}`), ...added];
}

describe('applyEdits on YAML', () => {
  it('changes only the lines of a renamed state', () => {
    expect(changes(yaml, edited(yaml, { type: 'rename_state', from: 'B', to: 'Counted' }))).toEqual([
      '-  B:',
      '-    to: B',
      '-    from: B   # taken',
      '+  Counted:',
      '+    to: Counted',
      '+    from: Counted   # taken',
    ]);
  });

  it('adds a key at its place in the canonical order', () => {
    const text = edited(yaml, { type: 'set', path: ['nodes', 0, 'title'], value: 'First: one' });
    expect(changes(yaml, text)).toEqual(['+    title: "First: one"']);
    expect(text).toContain('- kind: work      # one to one\n    title: "First: one"\n    from: A');
  });

  it('moves the next key up to the dash when the first is removed, and keeps comments elsewhere', () => {
    const text = edited(yaml, { type: 'remove', path: ['nodes', 0, 'kind'] });
    expect(text).toContain('  # first\n  - from: A\n    to: B\n');
    expect(text).toContain('    # the second\n    from: B   # taken\n');
  });

  it('keeps the comment behind a value that becomes several lines', () => {
    const text = edited(yaml, { type: 'set', path: ['nodes', 1, 'title'], value: 'one\ntwo' });
    expect(text).toContain('    title: |-   # quoted\n      one\n      two\n');
  });

  it('replaces a block of code by another and leaves the blank line after it', () => {
    const text = edited(yaml, { type: 'set', path: ['nodes', 0, 'run'], value: '(a) => ({\n  n: 2,\n})\n' });
    expect(text).toContain('    run: |\n      (a) => ({\n        n: 2,\n      })\n\n  - kind: work\n');
  });

  it('removes and adds nodes without touching their neighbours', () => {
    expect(changes(yaml, edited(yaml, { type: 'remove', path: ['nodes', 1] }))).toEqual([
      '-  - kind: work',
      '-    # the second',
      '-    from: B   # taken',
      '-    to: D',
      "-    title: 'It''s the end'   # quoted",
    ]);
    const node = { kind: 'either', from: 'X', to: ['Y', 'Z'], expr: 'n > 1' };
    expect(changes(yaml, edited(yaml, { type: 'insert', path: ['nodes', 1], value: node }))).toEqual([
      '+  - kind: either',
      '+    from: X',
      '+    to: [Y, Z]',
      '+    expr: n > 1',
    ]);
  });

  it('empties a list and fills it again', () => {
    const empty = edited(yaml, { type: 'remove', path: ['nodes', 0] }, { type: 'remove', path: ['nodes', 0] });
    expect(empty).toContain('nodes: []\n');
    expect(edited(empty, { type: 'set', path: ['nodes', 0], value: { kind: 'work', from: 'A', to: 'D' } })).toContain(
      'nodes:\n  - kind: work\n    from: A\n    to: D\n',
    );
  });

  it('works on Windows line ends and at the end of a text without a final newline', () => {
    const windows = yaml.replaceAll('\n', '\r\n');
    const text = edited(windows, { type: 'set', path: ['nodes', 0, 'note'], value: 'a\nb' });
    expect(text.replaceAll('\r\n', '')).not.toContain('\n');
    const open = 'pravah: 1\nnodes:\n- kind: work\n  run: |-\n    x';
    expect(edited(open, { type: 'set', path: ['nodes', 0, 'into'], value: 'y' })).toBe(`${open}\n  into: y`);
  });

  it('edits through an alias by writing its value out, and keeps the meaning where an anchor is edited', () => {
    const text = 'schemas:\n  A: &a\n    type: object\n  B: *a\nnodes: []\n';
    expect(edited(text, { type: 'set', path: ['schemas', 'B', 'type'], value: 'array' })).toBe(
      text.replace('*a', '{ type: array }').replace('B: {', 'B: {'),
    );
    const flow = applyEdits(parseFlow(text, 'a.flow.yaml'), [{ type: 'set', path: ['schemas', 'A'], value: true }]);
    expect(flow.root?.value).toEqual({ schemas: { A: true, B: { type: 'object' } }, nodes: [] });
  });
});

/** Layouts that people write and we do not. */
const unusual = `# head
pravah: 1   # v
"name": 'quoted key'
input:   A

schemas: # all
    A: {type: object,   properties: {n: {type: number}}}   # four spaces

    B:
        # inner
        type: object   # t

        required:
        - n      # no indentation
        - m
nodes:
- kind: work
  from: A
  to: B   # yes
  run: >-
    (a) =>
      a

- {kind: work, from: B, to: [Z,
    Y], title: "x # y"}   # in braces
# between
-   kind: either
    # why
    to:
      - Z   # left

      - A
    expr: |+
      n > 1


- # begins with nothing
  kind: work
  with: {}
  note:
limits: {steps: 3}
# tail`;

describe('applyEdits on unusual YAML', () => {
  const pathsOf = (value: Json, path: DocumentPath = []): DocumentPath[] => {
    const children = typeof value === 'object' && value !== null ? Object.entries(value) : [];
    return [
      ...(path.length > 0 ? [path] : []),
      ...children.flatMap(([key, child]) => pathsOf(child as Json, [...path, Array.isArray(value) ? Number(key) : key])),
    ];
  };

  it.each(['\n', '\r\n'])('patches every place with every kind of value, its first and last lines untouched (line ends %j)', (newline) => {
    const flow = parseFlow(unusual.replaceAll('\n', newline), 'a.flow.yaml');
    const values: Json[] = ['x', 'a\nb\n', '\n', null, { a: 1, b: { c: [1, { d: 2 }] } }, [{ kind: 'work', run: 'a\nb' }]];
    for (const path of pathsOf(flow.root?.value ?? null)) {
      const edits: FlowEdit[] = [{ type: 'remove', path }, ...values.map((value): FlowEdit => ({ type: 'set', path, value }))];
      if (typeof path.at(-1) === 'number') edits.push({ type: 'insert', path, value: 'new' });
      for (const edit of edits) {
        const { text } = applyEdits(flow, [edit]);
        expect(text.startsWith(`# head${newline}`) && text.trimEnd().endsWith('# tail')).toBe(true);
      }
    }
  });
});

describe('applyEdits on JSON', () => {
  it('keeps the layout of everything else', () => {
    expect(changes(json, edited(json, { type: 'rename_state', from: 'B', to: 'C' }))).toHaveLength(6);
    expect(edited(json, { type: 'insert', path: ['nodes', 2], value: { kind: 'work', from: 'X', to: 'Y' } })).toContain(
      '      "to": "D"\n    },\n    {\n      "kind": "work",\n      "from": "X",\n      "to": "Y"\n    }\n  ]',
    );
    expect(edited(json, { type: 'set', path: ['nodes', 0, 'title'], value: 'T' })).toContain(
      '{ "kind": "work", "title": "T", "from": "A",   "to": "B" }',
    );
    expect(edited(json, { type: 'remove', path: ['schemas', 'A'] })).toContain('{ "B": {}, "D": {} }');
    expect(edited(json, { type: 'remove', path: ['schemas', 'D'] })).toContain('{ "A": { "type": "object" },   "B": {} }');
  });
});

describe('applyEdits', () => {
  it('refuses what has no place, and a text that cannot be read', () => {
    expect(() => edited(yaml, { type: 'set', path: ['name', 'x'], value: 1 })).toThrow(/neither an object nor a list/);
    expect(() => edited(yaml, { type: 'insert', path: ['nodes', 9], value: 1 })).toThrow(/no such index/);
    expect(() => edited('nodes: [', { type: 'set', path: ['name'], value: 1 })).toThrow(/only be edited as text/);
  });

  it('gives the edited document, for random edits one by one and all at once', () => {
    fc.assert(
      fc.property(documents, fc.constantFrom('yaml', 'json'), fc.array(edits, { minLength: 1, maxLength: 5 }), (value, language, list) => {
        const path = `a.flow.${language}`;
        let flow = parseFlow(canonicalText(value, language as 'yaml' | 'json'), path);
        expect(flow.root?.value).toEqual(value);
        let expected = copyOf(value) as Record<string, Json>;
        for (const edit of list) {
          const next = modelEdit(expected, edit);
          if (!next) continue;
          flow = applyEdits(flow, [edit]);
          expect(flow.root?.value).toEqual(next);
          expected = next;
        }
        const together = list.reduce<{ value: Record<string, Json>; edits: FlowEdit[] }>(
          (state, edit) => {
            const next = modelEdit(state.value, edit);
            return next ? { value: next, edits: [...state.edits, edit] } : state;
          },
          { value: copyOf(value) as Record<string, Json>, edits: [] },
        );
        expect(applyEdits(parseFlow(canonicalText(value, language as 'yaml' | 'json'), path), together.edits).root?.value).toEqual(
          together.value,
        );
      }),
      { numRuns: 300, seed: 20_261 },
    );
  });

  it('leaves every other node byte for byte as it was, comments included, for random edits of one node', () => {
    fc.assert(
      fc.property(
        fc.array(node, { minLength: 2, maxLength: 5 }),
        fc.nat(4),
        place,
        anyJson,
        fc.boolean(),
        (nodes, which, [, , ...inside], value, remove) => {
          const index = which % nodes.length;
          const texts = nodes.map((each, at) => `  # node ${at}\n${indented(each as Json, at)}`);
          const text = `pravah: 1 # one\nnodes:\n${texts.join('')}# the end\n`;
          const flow = parseFlow(text, 'a.flow.yaml');
          const path = ['nodes', index, ...(inside.slice(0, 1) as string[])];
          const after = applyEdits(flow, [remove ? { type: 'remove', path } : { type: 'set', path, value }]).text;
          for (const [at, each] of texts.entries()) if (at !== index) expect(after).toContain(each);
          expect(after).toMatch(/^pravah: 1 # one\nnodes:\n/);
          expect(after).toMatch(/# the end\n$/);
        },
      ),
      { numRuns: 300, seed: 4 },
    );
  });

  it('stays under 20 ms on a document of 1,000 nodes', () => {
    for (const language of ['yaml', 'json'] as const) {
      const nodes = Array.from({ length: 1000 }, (_, index) => ({
        kind: 'work',
        from: `S${index}`,
        to: `S${index + 1}`,
        run: '(v) => {\n  return v;\n}',
      }));
      const schemas = Object.fromEntries(Array.from({ length: 1001 }, (_, index) => [`S${index}`, { type: 'object' }]));
      let flow = parseFlow(
        canonicalText({ pravah: 1, name: 'Long', input: 'S0', output: 'S1000', schemas, nodes }, language),
        `a.flow.${language}`,
      );
      const times: number[] = [];
      for (let round = 0; round < 30; round++) {
        const edit = { type: 'set', path: ['nodes', 500 + round, 'title'], value: `Title ${round}` } as const;
        times.push(
          processorTime(() => {
            flow = applyEdits(flow, [edit]);
          }),
        );
      }
      expect(Math.min(...times)).toBeLessThan(20);
    }
  });
});

describe('formatFlow', () => {
  it('orders keys, keeps comments and the meaning, and is settled after one pass', () => {
    const flow = parseFlow(yaml.replace('pravah: 1\n', '').concat('pravah: 1\n'), 'a.flow.yaml');
    const formatted = formatFlow(flow);
    expect(formatted.text).toMatch(/^# A flow with comments\.\n/);
    expect(formatted.text).toContain('# the second');
    expect(formatted.text.indexOf('pravah: 1')).toBeLessThan(formatted.text.indexOf('name: Sample'));
    expect(formatted.root?.value).toEqual(flow.root?.value);
    expect(formatFlow(formatted).text).toBe(formatted.text);
  });
});

const word = fc.constantFrom(
  'A',
  'B',
  'C',
  'yes',
  'null',
  '1',
  '- x',
  'a: b',
  '#no',
  'x ',
  ' x',
  '',
  'two\nlines',
  'ends\n',
  '\n\n',
  ' lead\nx',
  "it's",
  '"q"',
  '{x}',
  'tab\there',
  '@at',
  '%',
  'ü\u2028',
  '0x1',
  '1e3',
  '~',
  '!',
  '&a',
  '*a',
  '?',
  '|',
  '>-',
  'trailing  \nspace',
  '\ttab\nx',
);
const scalar: fc.Arbitrary<Json> = fc.oneof(
  word,
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((n) => (Object.is(n, -0) ? 0 : n)),
);
const anyJson: fc.Arbitrary<Json> = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    scalar,
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(word, tie('value'), { maxKeys: 3 }) as fc.Arbitrary<Json>,
  ),
})).value;
const node = fc.record(
  {
    kind: fc.constantFrom('work', 'either'),
    from: word,
    to: fc.oneof(word, fc.array(word, { maxLength: 3 })),
    note: fc.constant('keep'),
    run: word,
    with: anyJson,
  },
  { requiredKeys: ['kind'] },
);
const documents: fc.Arbitrary<Json> = fc.record({
  pravah: fc.constant(1),
  name: word,
  input: word,
  schemas: fc.dictionary(word, anyJson, { maxKeys: 4 }),
  nodes: fc.array(node, { maxLength: 5 }),
}) as fc.Arbitrary<Json>;
const place = fc.oneof(
  fc.tuple(fc.constant('nodes'), fc.nat(5)),
  fc.tuple(fc.constant('nodes'), fc.nat(5), fc.constantFrom('from', 'to', 'run', 'title', 'with', 'kind')),
  fc.tuple(fc.constant('nodes'), fc.nat(5), fc.constant('with'), fc.oneof(fc.nat(3), word)),
  fc.tuple(fc.constant('schemas'), word),
  fc.tuple(fc.constant('schemas'), word, fc.oneof(fc.nat(3), word)),
  fc.tuple(fc.constantFrom('name', 'limits', 'input', 'nodes')),
);
const edits: fc.Arbitrary<FlowEdit> = fc.oneof(
  fc.record({ type: fc.constant('set' as const), path: place, value: anyJson }),
  fc.record({ type: fc.constant('remove' as const), path: place }),
  fc.record({ type: fc.constant('insert' as const), path: fc.tuple(fc.constant('nodes'), fc.nat(5)), value: anyJson }),
  fc.record({ type: fc.constant('rename_state' as const), from: word, to: word }),
);

/** A node as an item of a list, with a comment of its own behind its first line. */
function indented(value: Json, index: number): string {
  const lines = canonicalText({ nodes: [value] }, 'yaml')
    .split('\n')
    .slice(1, -1);
  return lines
    .map((line, at) => (at === 0 && /^ {2}- \w+: \w+$/.test(line) ? `${line} # of ${index}` : line))
    .join('\n')
    .concat('\n');
}

const copyOf = (value: Json): Json => JSON.parse(JSON.stringify(value)) as Json;

/** What an edit means, on plain values; null where it has no place. */
function modelEdit(value: Record<string, Json>, edit: FlowEdit): Record<string, Json> | null {
  const copy = copyOf(value) as Record<string, Json>;
  if (edit.type === 'rename_state') return modelRename(copy, edit.from, edit.to);
  let parent: unknown = copy;
  for (const segment of edit.path.slice(0, -1)) {
    if (typeof parent !== 'object' || parent === null || !Object.hasOwn(parent, segment)) return null;
    parent = (parent as Record<string, unknown>)[segment];
  }
  const last = edit.path.at(-1) as string | number;
  if (Array.isArray(parent)) {
    if (typeof last !== 'number' || last > parent.length || (edit.type === 'remove' && last === parent.length)) return null;
    if (edit.type === 'insert') parent.splice(last, 0, edit.value);
    else if (edit.type === 'set') parent[last] = edit.value;
    else parent.splice(last, 1);
    return copy;
  }
  if (typeof parent !== 'object' || parent === null || edit.type === 'insert') return null;
  if (edit.type === 'set') (parent as Record<string, Json>)[last] = edit.value;
  else delete (parent as Record<string, Json>)[last];
  return copy;
}

function modelRename(value: Record<string, Json>, from: string, to: string): Record<string, Json> {
  const swap = (item: Json): Json => (item === from ? to : item);
  const side = (item: Json) => (Array.isArray(item) ? item.map(swap) : swap(item));
  if (typeof value.input === 'string') value.input = swap(value.input);
  const schemas = value.schemas as Record<string, Json> | undefined;
  if (schemas && typeof schemas === 'object' && !Array.isArray(schemas) && Object.hasOwn(schemas, from) && from !== to) {
    if (!Object.hasOwn(schemas, to)) schemas[to] = schemas[from] as Json;
    delete schemas[from];
  }
  if (Array.isArray(value.nodes)) {
    for (const each of value.nodes as Record<string, Json>[]) {
      if (typeof each !== 'object' || each === null || Array.isArray(each)) continue;
      if (each.from !== undefined) each.from = side(each.from);
      if (each.to !== undefined) each.to = side(each.to);
    }
  }
  return value;
}
