import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readEditedYaml } from './read-edited-yaml.ts';
import { readJson } from './read-json.ts';
import { readJsonInParts } from './read-json-parts.ts';
import { readYaml } from './read-yaml.ts';
import { readYamlInParts } from './read-yaml-parts.ts';
import type { SourceNode, SourceReading } from './source-tree.ts';

/** Every value with its absolute places, so that two readings can be compared. */
function flat(node: SourceNode, shift = 0, path = ''): string[] {
  const here = `${path} ${node.type} ${node.start + shift}`;
  if (node.type === 'scalar') return [`${here}-${node.end + shift} ${JSON.stringify(node.value)}`];
  if (node.type === 'array')
    return [
      here,
      ...node.items.flatMap((item, index) => [
        `${path}/${index} @${item.start + shift + item.shift}`,
        ...flat(item.node, shift + item.shift, `${path}/${index}`),
      ]),
    ];
  return [
    here,
    ...node.entries.flatMap((entry) => {
      const base = shift + entry.shift;
      return [`${path}/${entry.key} @${entry.keyStart + base}-${entry.keyEnd + base}`, ...flat(entry.node, base, `${path}/${entry.key}`)];
    }),
  ];
}

const shown = (reading: SourceReading) => (reading.ok ? flat(reading.root) : reading.faults);

const yamlLine = fc.constantFrom(
  'pravah: 1',
  'name: "two',
  '  words"',
  'nodes:',
  'nodes: # list',
  'schemas:',
  'schemas: {}',
  '  A: { type: object }',
  '  B:',
  '    type: object',
  '  - kind: work',
  '- kind: work',
  '    from: A # c',
  '  from: B',
  '    run: |',
  '      (a) => a',
  '',
  '# note',
  '  # note',
  '    note: >-',
  '      x',
  '    to: [A,',
  '      B]',
  '  - &a x',
  '  - *a',
  '  -',
  '    to: |+',
  '---',
  '}',
  '\ttab: 1',
  'name: x',
);

it('reads YAML part by part as it reads it at once, places included', () => {
  let inParts = 0;
  fc.assert(
    fc.property(fc.array(yamlLine, { maxLength: 14 }), fc.constantFrom('\n', '\r\n'), fc.nat(14), yamlLine, (lines, newline, at, line) => {
      const text = lines.join(newline);
      const whole = readYaml(text);
      const { reading, parts } = readYamlInParts(text);
      expect(shown(reading)).toEqual(shown(whole));
      if (parts.nodes.size + parts.sections.size > 0) inParts++;
      expect(shown(readYamlInParts(text, parts).reading)).toEqual(shown(whole));
      const edited = lines.toSpliced(at, 1, line).join(newline);
      expect(shown(readYamlInParts(edited, parts).reading)).toEqual(shown(readYaml(edited)));
    }),
    { numRuns: 800, seed: 11 },
  );
  expect(inParts).toBeGreaterThan(20);
});

it('reads YAML after edits within its nodes and schemas as it reads it at once, places included', () => {
  const flow = (newline: string) =>
    [
      'pravah: 1 # first',
      'schemas:',
      '  A: { type: object }',
      '  # about B',
      '  B:',
      '    type: object',
      '  "C": true',
      'nodes:',
      '  - kind: work',
      '    from: A',
      '    run: |',
      '      (a) => a',
      '',
      '  - { kind: work, from: B }',
      '  # about the next',
      '  - kind: work',
      '    from: C',
      'name: last',
      '',
    ].join(newline);
  const inserted = fc.constantFrom(
    '',
    'x',
    ' ',
    '\n',
    '\r\n',
    '  ',
    '- ',
    '  - a\n',
    '  B: {}\n',
    ': ',
    '#',
    '"',
    '|',
    '{',
    '\n  - kind: work\n    to: D\n',
    '&a ',
    '*a',
    '\t',
  );
  const edit = fc.record({ at: fc.nat(230), cut: fc.constantFrom(0, 0, 1, 2, 9, 30), text: inserted });
  let incremental = 0;
  fc.assert(
    fc.property(fc.constantFrom('\n', '\r\n'), fc.array(edit, { minLength: 1, maxLength: 4 }), (newline, edits) => {
      let text = flow(newline);
      let { parts } = readYamlInParts(text);
      for (const { at, cut, text: added } of edits) {
        text = text.slice(0, at) + added + text.slice(at + cut);
        if (readEditedYaml(text, parts)) incremental++;
        const next = readYamlInParts(text, parts);
        expect(shown(next.reading)).toEqual(shown(readYaml(text)));
        parts = next.parts;
      }
    }),
    { numRuns: 1500, seed: 13 },
  );
  expect(incremental).toBeGreaterThan(300);
});

it('parses only the item that an edit has changed', () => {
  const items = Array.from({ length: 50 }, (_, index) => `  - kind: work\n    from: S${index}\n`);
  const text = `pravah: 1\nnodes:\n${items.join('')}name: x\n`;
  const { reading, parts } = readYamlInParts(text);
  const edited = readEditedYaml(text.replace('S7\n', 'Seven\n'), parts)?.reading;
  const itemsOf = (read: SourceReading | undefined) => {
    const nodes = read?.ok && read.root.type === 'object' ? read.root.entries.find(({ key }) => key === 'nodes')?.node : undefined;
    return nodes?.type === 'array' ? nodes.items.map(({ node }) => node) : [];
  };
  const before = itemsOf(reading);
  const changed = itemsOf(edited).flatMap((node, index) => (node === before[index] ? [] : [index]));
  expect(changed).toEqual([7]);
});

it('reads JSON part by part as it reads it at once, places included', () => {
  const json = fc.record(
    {
      nodes: fc.oneof(fc.array(fc.jsonValue()), fc.jsonValue()),
      schemas: fc.oneof(fc.dictionary(fc.string(), fc.jsonValue()), fc.jsonValue()),
      rest: fc.jsonValue(),
    },
    { requiredKeys: [] },
  );
  const damage = fc.record({
    at: fc.nat(400),
    text: fc.constantFrom('', '', '"', '{', ']', ',', ':', '\\', ' ', '1', '"nodes":', '\u2028'),
  });
  let inParts = 0;
  fc.assert(
    fc.property(json, fc.constantFrom(undefined, 2, '\t'), damage, (value, indent, { at, text: inserted }) => {
      const intact = JSON.stringify(value, null, indent);
      const text = intact.slice(0, at) + inserted + intact.slice(at);
      const { reading, parts } = readJsonInParts(text);
      expect(shown(reading)).toEqual(shown(readJson(text)));
      if (parts.nodes.size + parts.sections.size > 0) inParts++;
      expect(shown(readJsonInParts(text, parts).reading)).toEqual(shown(reading));
      const before = readJsonInParts(intact).parts;
      expect(shown(readJsonInParts(text, before).reading)).toEqual(shown(reading));
    }),
    { numRuns: 500, seed: 12 },
  );
  expect(inParts).toBeGreaterThan(100);
});
