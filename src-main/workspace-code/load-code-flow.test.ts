import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openFlow } from '#main/workspace/open-flow.ts';
import { loadSettings } from '#main/workspace/settings.ts';
import { describeFile } from './describe-file.ts';
import { flowDescriptionSchema } from './description-schemas.ts';

let folder: string;

beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'pravah-code-flow-')));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

function write(name: string, text: string): void {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), text);
}

async function open(name: string, text: string, trusted = true) {
  write(name, text);
  return openFlow(name, { folder, trusted, settings: await loadSettings(folder) });
}

const states = `
  import { defineFlow, jsonSchema, left, right, state } from 'pravah-studio/runtime';
  import { z } from 'zod';
  const Count = state('Count', z.object({ n: z.number() }));
  const Next = state('Next', z.object({ n: z.number() }));
  const Total = state('Total', jsonSchema<{ readonly total: number }>({ type: 'object' }));
`;

describe('a flow in code', () => {
  test('is loaded with its handlers as source, its helpers and its form as a document', async () => {
    write('lib/limit.ts', 'export const limit: number = 3;');
    const flow = await open(
      'count.flow.ts',
      `${states}
      import { limit } from './lib/limit.ts';
      interface Seen { readonly n: number }
      export const flow = defineFlow({ input: Count, output: Total, name: 'Counting' })
        .work(Count, Next, ({ n }: Seen) => ({ n: n + 1 }), { pure: true, title: 'Add one' })
        .either(Next, [Count, Total], ({ n }) => (n < limit ? left({ n }) : right({ total: n })), { tools: ['read_file'] })
        .build();`,
    );
    expect(flow.problems).toEqual([]);
    expect(flow.graph).toMatchObject({ name: 'Counting', input: 'Count', output: 'Total', hash: expect.stringMatching(/^[0-9a-f]{64}$/) });
    expect(flow.graph?.nodes.map(({ body }) => body)).toMatchObject([
      { type: 'handler', file: 'count.flow.ts', at: ['Count'], pure: true, tools: [], source: expect.stringContaining('n + 1') },
      { type: 'handler', at: ['Next'], pure: false, tools: ['read_file'] },
    ]);
    expect([...flow.files].map((file) => file.slice(folder.length + 1))).toEqual(['count.flow.ts', 'lib/limit.ts']);
    expect(JSON.parse(flow.text)).toMatchObject({
      name: 'Counting',
      nodes: [
        { kind: 'work', title: 'Add one', from: 'Count', to: 'Next', run: expect.stringContaining('n + 1') },
        { kind: 'either', from: 'Next', to: ['Count', 'Total'], tools: ['read_file'] },
      ],
    });
  });

  test('is not loaded in a folder that is not trusted', async () => {
    const flow = await open('untrusted.flow.ts', `import { writeFileSync } from 'node:fs'; writeFileSync('touched', '');`, false);
    expect(flow).toMatchObject({ graph: null, text: '', problems: [{ code: 'needs_trust', severity: 'error' }] });
    await expect(import('node:fs/promises').then(({ stat }) => stat(join(folder, 'touched')))).rejects.toThrow();
  });

  test.each([
    ['cannot be parsed', 'const = 5;', /syntax-fault\.flow\.ts.*SyntaxError.*line 1/s],
    ['uses syntax that Node cannot strip', 'enum Colour { Red }\nexport default Colour;', /enum/i],
    ['throws', 'const a = 1;\nthrow new RangeError("too far");', /RangeError: too far, line 2/],
    ['throws in a file that it imports', "import './lib/broken.ts';", /not today, in lib\/broken\.ts, line 2/],
    ['imports what is not there', "import './gone.ts';", /gone\.ts/],
    ['exports no flow', 'export const value = 5;', /exports no flow; it exports value/],
    ['exports nothing', 'const value = 5;', /it exports nothing/],
    [
      'exports one that is not built',
      `${states} export default defineFlow({ input: Count, output: Next }).work(Count, Next);`,
      /\.build\(\)/,
    ],
    [
      'exports several',
      `${states} const flow = () => defineFlow({ input: Count, output: Next }).work(Count, Next).build(); export const one = flow(); export const two = flow();`,
      /several flows \(one, two\)/,
    ],
    ['exports what only looks like one', "export default { hash: 'x', nodes: [], schemas: {} };", /its description is invalid/],
    ['ends its process', 'process.exit(3);', /ended \(code 3\)/],
    [
      'prints without end and dies',
      "for (let i = 0; i < 300; i += 1) console.log('x'.repeat(100_000)); process.exit(1);",
      /ended \(code 1\)/,
    ],
  ])('that %s is a problem', async (name, text, message) => {
    write('lib/broken.ts', 'export const a = 1;\nthrow new Error("not today");');
    const flow = await open(name === 'cannot be parsed' ? 'syntax-fault.flow.ts' : 'fault.flow.ts', text);
    expect(flow.graph).toBeNull();
    expect(flow.problems).toMatchObject([{ code: 'bad_code', severity: 'error', message: expect.stringMatching(message) }]);
  });

  test('that does not come to an end is a problem, and its process is ended', async () => {
    write('endless.flow.ts', 'for (;;);');
    const described = await describeFile(
      folder,
      { type: 'describe_flow', file: join(folder, 'endless.flow.ts') },
      flowDescriptionSchema,
      1,
    );
    expect(described).toEqual({ ok: false, message: expect.stringContaining('did not finish loading within 1 seconds') });
  });

  test('that build() refuses lists every problem that build() found', async () => {
    const flow = await open(
      'refused.flow.ts',
      `${states} export default defineFlow({ input: Count, output: Total }).work(Count, Next).work(Count, Next).build();`,
    );
    expect(flow.problems.map(({ code }) => code)).toEqual(expect.arrayContaining(['duplicate_node', 'terminal_mismatch']));
  });

  test('names tools of the workspace that are there', async () => {
    const source = (tool: string) =>
      `${states} export default defineFlow({ input: Count, output: Next }).work(Count, Next, (count) => count, { tools: ['${tool}'] }).build();`;
    expect((await open('tool.flow.ts', source('./tools/gone.ts'))).problems).toMatchObject([{ code: 'unknown_tool', nodes: ['Count'] }]);
    expect((await open('tool.flow.ts', source('mcp:missing/x'))).problems).toMatchObject([{ code: 'unknown_tool' }]);
    write('tools/there.ts', '');
    const flow = await open('tool.flow.ts', source('./tools/there.ts'));
    expect([flow.problems, [...flow.files].map((file) => file.slice(folder.length + 1))]).toEqual([[], ['tool.flow.ts', 'tools/there.ts']]);
  });

  test('may be plain JavaScript, and hold others', async () => {
    write(
      'inner.flow.mjs',
      `${states.replace('<{ readonly total: number }>', '')} export default defineFlow({ input: Count, output: Next }).work(Count, Next, (count) => count).build();`,
    );
    const flow = await open(
      'outer.flow.ts',
      `${states}
      import inner from './inner.flow.mjs';
      const Counts = state('Counts', z.array(z.object({ n: z.number() })));
      const Nexts = state('Nexts', z.array(z.object({ n: z.number() })));
      export default defineFlow({ input: Counts, output: Nexts }).each(Counts, Nexts, inner).build();`,
    );
    expect(flow.problems).toEqual([]);
    const body = flow.graph?.nodes[0]?.body;
    expect(body?.type === 'each' && body.flow.nodes[0]?.body).toMatchObject({
      type: 'handler',
      file: 'outer.flow.ts',
      at: ['Counts', 'Count'],
    });
  });

  test('may have agents that call flows in code', async () => {
    const flow = await open(
      'asking.flow.ts',
      `import { flowTool } from 'pravah-studio/runtime';
      ${states}
      const inner = defineFlow({ input: Count, output: Next }).work(Count, Next, (count) => count).build();
      export default defineFlow({ input: Count, output: Total })
        .agent(Count, Total, { model: 'openai://x', tools: [flowTool(inner, { name: 'inner' })] }).build();`,
    );
    expect(flow.problems).toEqual([]);
    const called = flow.graph?.flow_tools?.['flow:inner'];
    expect(called).toMatchObject({ source: 'asking.flow.ts', nodes: [{ body: { type: 'handler', at: ['flow:inner', 'Count'] } }] });
  });
});

describe('a document that names a flow in code', () => {
  const number = { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] };
  const code = (factor = 2) => `${states}
    const Twice = state('Twice', z.object({ n: z.number() }));
    export default defineFlow({ input: Count, output: Next })
      .work(Count, Twice, ({ n }) => ({ n: n * ${factor} }), { pure: true, title: 'Double it' })
      .work(Twice, Next, (count) => count, { pure: true })
      .build();`;
  const nesting = (...nodes: object[]) => ({
    pravah: 1,
    name: 'Nesting',
    input: 'Start',
    output: 'End',
    schemas: { Start: number, End: number, Counts: { type: 'array', items: number }, Nexts: { type: 'array', items: number } },
    nodes,
  });
  const nested = nesting(
    { kind: 'work', from: 'Start', to: 'Count' },
    { kind: 'flow', title: 'Double', flow: './lib/double.flow.ts' },
    { kind: 'work', from: 'Next', to: 'End' },
  );
  const withSchemas = (document: object) => ({ ...document, schemas: { Start: number, End: number } });
  const build = async (document: object, trusted = true) => open('nesting.flow.json', JSON.stringify(document), trusted);

  test('nests its nodes, with their place in the file, and its hash follows the code', async () => {
    write('lib/double.flow.ts', code());
    const flow = await build(withSchemas(nested));
    expect(flow.problems).toEqual([]);
    expect(
      flow.graph?.nodes.map(({ id, body, origin }) => [id, body.type, origin?.map(({ flow: file, node, title }) => [file, node, title])]),
    ).toEqual([
      ['Start', 'default', undefined],
      [
        'Count',
        'handler',
        [
          ['nesting.flow.json', 'Count', 'Double'],
          ['lib/double.flow.ts', 'Count', undefined],
        ],
      ],
      [
        'Count::Twice',
        'handler',
        [
          ['nesting.flow.json', 'Count', 'Double'],
          ['lib/double.flow.ts', 'Twice', undefined],
        ],
      ],
      ['Next', 'default', undefined],
    ]);
    expect(flow.graph?.nodes[2]?.body).toMatchObject({ file: 'lib/double.flow.ts', at: ['Twice'] });
    expect(flow.node_count).toBe(4);
    expect([...flow.files].map((file) => file.slice(folder.length + 1))).toContain('lib/double.flow.ts');
    expect([...flow.sources.keys()]).toEqual(['lib/double.flow.ts']);
    write('lib/double.flow.ts', code(3));
    expect((await build(withSchemas(nested))).graph?.hash).not.toBe(flow.graph?.hash);
  });

  test('runs it for each item, and offers it to agents and bodies as a tool', async () => {
    write('lib/double.flow.ts', code());
    const each = {
      ...nesting({ kind: 'each', from: 'Counts', to: 'Nexts', flow: './lib/double.flow.ts' }),
      input: 'Counts',
      output: 'Nexts',
    };
    const { Counts, Nexts } = each.schemas;
    const inEach = await build({ ...each, schemas: { Counts, Nexts } });
    expect(inEach.problems).toEqual([]);
    expect(inEach.graph?.nodes[0]?.body).toMatchObject({ type: 'each', flow: { source: 'lib/double.flow.ts' } });
    const agent = { model: 'script://x.json', tools: ['flow:./lib/double.flow.ts'] };
    const called = await build(withSchemas(nesting({ kind: 'agent', from: 'Start', to: 'End', agent })));
    expect(called.problems).toEqual([]);
    expect(called.graph?.flow_tools?.['flow:./lib/double.flow.ts']).toMatchObject({ source: 'lib/double.flow.ts', input: 'Count' });
  });

  test('needs a trusted folder, and loads nothing before', async () => {
    write('lib/double.flow.ts', `import { writeFileSync } from 'node:fs'; writeFileSync('nested-touched', '');`);
    const flow = await build(withSchemas(nested), false);
    expect(flow.problems).toMatchObject([{ code: 'needs_trust', path: '/nodes/1/flow', message: expect.stringContaining('--trust') }]);
    expect(existsSync(join(folder, 'nested-touched'))).toBe(false);
  });

  test('reports what is wrong with the code at the node that names it', async () => {
    write('lib/double.flow.ts', 'throw new Error("not today");');
    const broken = await build(withSchemas(nested));
    expect(broken.problems).toMatchObject([
      { code: 'bad_code', message: expect.stringMatching(/^In lib\/double\.flow\.ts: .*not today, line 1/) },
    ]);
    const gone = await build(withSchemas({ ...nested, nodes: [{ kind: 'flow', flow: './gone.flow.ts' }] }));
    expect(gone.problems).toMatchObject([{ code: 'flow_not_found' }]);
  });
});
