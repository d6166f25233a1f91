import fc from 'fast-check';
import { expect, it } from 'vitest';
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
