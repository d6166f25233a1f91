import { expect, test, vi } from 'vitest';
import { compileSchema } from '#main/engine/values/schema-validator.ts';
import { slowness } from '#main/testing/slowness.ts';
import { conditionTool } from '#main/tools/condition.ts';
import { listFilesTool } from '#main/tools/list-files.ts';
import { searchFilesTool } from '#main/tools/search-files.ts';
import { TestWorkspace } from '#main/tools/testing/test-workspace.ts';
import { transformTool } from '#main/tools/transform.ts';
import { loadFlowText } from '#main/workspace/flow-loader.ts';
import { defaultSettings } from '#main/workspace/settings.ts';
import type { Json, JsonSchema } from '#shared/json.ts';
import { abuseClass } from './testing/abuse-class.ts';

/*
 * A few characters that ask for work without end: patterns that backtrack, queries and globs that multiply, documents and schemas that
 * unfold. Each must come to its end, with a result or a refusal, in a time that a person would wait.
 */

const form = abuseClass('pattern, query and document bombs');

/** Milliseconds within which each attack must be over. */
const patience = 10_000 * slowness;

async function endOf(act: () => unknown): Promise<unknown> {
  const started = performance.now();
  const result = await Promise.resolve()
    .then(act)
    .catch((error: unknown) => error);
  expect(performance.now() - started).toBeLessThan(patience);
  return result;
}

async function endsSoon(act: () => unknown): Promise<void> {
  await endOf(act);
}

async function withFiles(use: (workspace: TestWorkspace) => Promise<unknown>): Promise<void> {
  await using workspace = await TestWorkspace.make();
  for (let index = 0; index < 50; index += 1) await workspace.write(`d${index % 5}/f${index}.txt`, `${'a'.repeat(2000)}!`);
  await endsSoon(() => use(workspace));
}

const hostileText = `${'a'.repeat(50_000)}!`;
for (const pattern of ['^(a+)+$', '^(a|a)*$', '^(a|aa)+$', '(.*a){30}$', '^(([a-z])+.)+[A-Z]([a-z])+$']) {
  form(`a schema’s pattern ${pattern}`, () => endsSoon(() => compileSchema({ type: 'string', pattern })(hostileText)));
}
form('a schema with many patterns for names', () =>
  endsSoon(() => {
    const patternProperties = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`(a|b){1,100}${index}`, {}]));
    return compileSchema({ patternProperties })(Object.fromEntries(Array.from({ length: 50 }, (_, index) => ['ab'.repeat(50) + index, 1])));
  }),
);

for (const [title, schema] of [
  ['a length beyond all lengths', { type: 'string', minLength: 1e308 }],
  ['a pattern that repeats a repetition', { type: 'string', pattern: '((a{1,100}){1,100}){1,100}' }],
  ['a pattern that looks back', { type: 'string', pattern: '(a)\\1' }],
  ['a reference to itself alone', { $ref: '#' }],
] as const) {
  form(`a schema with ${title}`, async () => {
    const outcome = await endOf(() => compileSchema(schema as JsonSchema)(hostileText));
    expect(outcome).not.toBeNull();
  });
}

for (const query of ['(a+)+$', '(a|a)*b', '(x+x+)+y'.repeat(100), '((a{1,100}){1,100}){1,100}', '\\p{L}{1,1000}'.repeat(20)]) {
  form(`a search for ${query.slice(0, 40)}`, () => withFiles((workspace) => workspace.call(searchFilesTool, { query })));
}
for (const pattern of ['**/'.repeat(100), '{a,b}'.repeat(190), '{a*,{b*,{c*}}}*'.repeat(60), '*a'.repeat(400), '[!a]*'.repeat(190)]) {
  form(`a glob ${pattern.slice(0, 20)}…`, () => withFiles((workspace) => workspace.call(listFilesTool, { pattern })));
}

const wide: Json = Array.from({ length: 60 }, (_, index) => [[index, [index, { a: [index] }]], [index]]);
const queries = [
  '$..*..*..*..*..*..*',
  '$[?$[?$[?@ > 3]]]',
  "$..[?match(@, '(a+)+$')]",
  `$[${'0:100000,'.repeat(200)}0]`,
  `$${'..*'.repeat(300)}`,
  `$${'[*]'.repeat(600)}`,
];
for (const expression of queries) {
  form(`a JSONPath ${expression.slice(0, 30)}`, async () => {
    await using workspace = await TestWorkspace.make();
    await endsSoon(() => workspace.call(transformTool, { input_data: [...(wide as Json[]), 'a'.repeat(100)], expression }));
  });
}

const long = '"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"';
const doubled = (times: number): string => (times === 0 ? long : `replace(${doubled(times - 1)}, "a", ${long})`);
for (const expression of [
  doubled(6),
  `len(split(${doubled(3)}, ""))`,
  `${'('.repeat(20_000)}1${')'.repeat(20_000)}`,
  `1${'+1'.repeat(50_000)}`,
]) {
  form(`an expression ${expression.slice(0, 20)}… of ${expression.length} characters`, async () => {
    await using workspace = await TestWorkspace.make();
    await endsSoon(() => workspace.call(conditionTool, { expression }));
  });
}

/** The problems of a document; each of these is refused. */
async function refusedDocument(text: string, path = 'a.flow.yaml', files: Readonly<Record<string, string>> = {}): Promise<void> {
  await using workspace = await TestWorkspace.make();
  for (const [name, content] of Object.entries(files)) await workspace.write(name, content);
  const load = () => loadFlowText(text, path, { folder: workspace.folder, trusted: true, settings: defaultSettings });
  const { graph, problems } = (await endOf(load)) as ReturnType<typeof load>;
  expect(graph).toBeNull();
  expect(problems).toContainEqual(expect.objectContaining({ severity: 'error' }));
}

form('a YAML of aliases that repeat each other', () =>
  refusedDocument(
    `pravah: 1\na0: &a0 [x, x]\n${Array.from({ length: 30 }, (_, index) => `a${index + 1}: &a${index + 1} [*a${index}, *a${index}]`).join('\n')}`,
  ),
);
form('20,000 YAML maps that each merge the one before', () =>
  refusedDocument(Array.from({ length: 20_000 }, (_, index) => `m${index}: &m${index}\n  <<: *m${index - 1}\n  k${index}: 1\n`).join('')),
);
form('20,000 aliases of one anchor far above', () =>
  refusedDocument(`a: &a 1\n${Array.from({ length: 20_000 }, (_, index) => `b${index}: *a\n`).join('')}`),
);
form('four million quotation marks in YAML', () => refusedDocument('"'.repeat(3_999_999)));
form('four million brackets in YAML', () => refusedDocument(']'.repeat(3_999_999)));
form('four million directives and documents in YAML', () => refusedDocument('%a\n---\n'.repeat(570_000)));
form('a YAML of two million numbers', () => refusedDocument(`a: [${'1,'.repeat(1_990_000)}1]`));
form('four million quotation marks in JSON', () => refusedDocument('"'.repeat(3_999_999), 'a.flow.json'));
form('four million commas in JSON', () => refusedDocument(','.repeat(3_999_999), 'a.flow.json'));
form('half a million keys in JSON that are the same, a hundred levels deep', () =>
  refusedDocument(`${'{"a":'.repeat(100)}{${'"b":1,'.repeat(500_000)}"b":1}${'}'.repeat(100)}`, 'a.flow.json'),
);
const typed = (body: string) =>
  refusedDocument(JSON.stringify({ nodes: [{ kind: 'work', from: 'A', to: 'B', run: body }] }), 'a.flow.json');
form('arrow functions in conditions that a reader of types tries in 2^40 ways', () => typed(`(a: 1) => ${'a?(b):c=>'.repeat(40)}`));
form('generic arrow functions that nest', () => typed(`(a: 1) => ${'<T>('.repeat(40)}`));
form('type arguments that nest', () => typed(`(a: 1) => ${'a<'.repeat(100_000)}`));
form('a YAML of ever deeper lists', () => refusedDocument(`a: ${'['.repeat(20_000)}`));
form('a JSON of ever deeper lists', () => refusedDocument('['.repeat(200_000), 'a.flow.json'));

const level = (kind: 'each' | 'tool', next: string | null) => {
  const list = { type: 'array' };
  const end = [
    { kind: 'work', from: 'A', to: 'B' },
    { kind: 'work', from: 'B', to: 'C' },
  ];
  const each = ['A', 'B'].map((from, index) => ({ kind: 'each', from, to: 'BC'[index], flow: `${next}.flow.json` }));
  const agent = { model: 'script://a.json', tools: [`flow:x${next}.flow.json`, `flow:y${next}.flow.json`] };
  const tools = [{ kind: 'agent', from: 'A', to: 'B', agent }, end[1]];
  return JSON.stringify({
    pravah: 1,
    name: 'Level',
    input: 'A',
    output: 'C',
    schemas: { A: list, B: list, C: list },
    nodes: next === null ? end : kind === 'each' ? each : tools,
  });
};
for (const kind of ['each', 'tool'] as const) {
  form(`flows that hold each other twice at every level, by ${kind}`, () => {
    const files = Array.from({ length: 40 }, (_, index) => [index, level(kind, index === 39 ? null : String(index + 1))] as const);
    const named = files.flatMap(([index, text]) => ['', 'x', 'y'].map((prefix) => [`${prefix}${index}.flow.json`, text] as const));
    return refusedDocument(files[0]?.[1] ?? '', 'start.flow.json', Object.fromEntries(named));
  });
}

form('schemas that refer to each other twice at every level', async () => {
  const $defs: Record<string, JsonSchema> = { d40: { type: 'string' } };
  for (let index = 0; index < 40; index += 1) {
    const next = { $ref: `#/$defs/d${index + 1}` };
    $defs[`d${index}`] = { anyOf: [{ properties: { a: next, b: next } }, { allOf: [next, next] }] };
  }
  // The clock runs fast, so that the test need not wait until the check is given up.
  let now = performance.now();
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => (now += 100));
  try {
    expect(compileSchema({ $defs, $ref: '#/$defs/d0' })({ a: 1 })).toMatchObject({ message: expect.stringContaining('takes too long') });
  } finally {
    clock.mockRestore();
  }
});
form('unique items of a long list', () =>
  endsSoon(() => compileSchema({ type: 'array', uniqueItems: true })(Array.from({ length: 20_000 }, (_, index) => ({ index: [index] })))),
);

test('items that repeat are found all the same', () => {
  const check = compileSchema({ type: 'array', uniqueItems: true });
  expect(
    check([
      { a: 1, b: 2 },
      { b: 2, a: 1 },
    ]),
  ).toMatchObject({ keyword: 'uniqueItems' });
  expect(check([{ a: 1 }, { a: 2 }, '1', 1])).toBeNull();
});
