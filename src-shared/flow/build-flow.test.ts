import { transformSync } from 'amaro';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { StripTypes } from '#shared/flow/source/strip-types.ts';
import { isJsonObject, type Json } from '#shared/json.ts';
import { buildFlow } from './build-flow.ts';
import type { FlowEnvironment } from './environment.ts';
import { parseFlow } from './parse-flow.ts';
import type { Problem } from './problem.ts';

interface Options {
  readonly files?: Record<string, string | object>;
  readonly trusted?: boolean;
}

// The host bounds its time, which no source here needs.
const stripTypes: StripTypes = (source) => {
  try {
    return { ok: true, code: transformSync(source, { mode: 'strip-only' }).code };
  } catch (error) {
    return { ok: false, fault: { message: (error as Error).message, line: 1, column: 1 } };
  }
};

function environment({ files = {}, trusted = false }: Options): FlowEnvironment {
  return {
    readFile: (path) => {
      const file = files[path];
      if (file === undefined) return { ok: false, reason: 'missing', message: 'missing' };
      return { ok: true, text: typeof file === 'string' ? file : JSON.stringify(file) };
    },
    trusted,
    tools: new Set(['read_file', 'storage']),
    mcpServers: new Set(['github']),
    // The real check needs ajv, which lives with the host; what a schema is refused for is not this module's business.
    checkSchema: (schema) => (isJsonObject(schema) && schema.type === 'wrong' ? { path: '/type', message: 'there is no such type' } : null),
    stripTypes,
    sha256: (text) => text,
  };
}

const state = (name: string) => name.split(' ').map((each) => [each, {}] as const);
const flow = (nodes: readonly object[], states = 'A B', more: object = {}) => {
  const names = states.split(' ');
  return { pravah: 1, name: 'T', input: names[0], output: names.at(-1), schemas: Object.fromEntries(state(states)), nodes, ...more };
};
const built = (document: object, options: Options = {}) =>
  buildFlow(parseFlow(JSON.stringify(document), 'main.flow.json'), environment(options));
const found = (document: object, options: Options = {}) =>
  built(document, options).problems.map(({ code, path, nodes }) => `${code} ${path} ${nodes.join(',')}`);
const work = (from: string, to: string, more: object = {}) => ({ kind: 'work', from, to, ...more });

/** A flow of one agent with these settings. */
const talker = (settings: object): object =>
  flow([{ kind: 'agent', from: 'A', to: 'B', agent: { model: 'script://a.json', ...settings } }]);

describe('buildFlow', () => {
  it('puts the flows and the module that a plan names into its graph, and their text into the hash', () => {
    const inner = flow([work('A', 'B')]);
    const plan = { steps: { a: { flow: './a.flow.json' }, b: { agent: { model: 'openai://m' } } }, planner: { module: './p.ts' } };
    const files = { 'a.flow.json': inner, 'p.ts': 'export default () => 1;' };
    const { graph, problems } = built(talker({ mode: 'plan', plan }), { files, trusted: true });
    expect(problems).toEqual([]);
    expect(graph?.nodes.find(({ id }) => id === 'A::request')?.body).toMatchObject({ type: 'module', file: 'p.ts', export: 'default' });
    const wave = graph?.nodes.find(({ id }) => id === 'A::wave')?.body;
    const step = wave?.type === 'each' ? wave.flow.nodes : [];
    expect(step.flatMap(({ body }) => (body.type === 'each' ? [body.flow.source] : []))).toEqual(['a.flow.json']);
    expect(graph?.hash).toContain('a.flow.json');
    expect(found(talker({ mode: 'plan', plan }), { files })).toEqual(['needs_trust /nodes/0/agent/plan/planner/module A']);
  });

  it('makes the graph of a flow without errors, in document order, with defaults filled in', () => {
    const { graph, problems, terminals, node_count } = built(
      flow(
        [
          { kind: 'fork', from: 'A', to: ['B', 'C'], title: 'Split' },
          { kind: 'join', from: ['B', 'C'], to: 'D', run: '(b, c) => c' },
          work('D', 'E', { expr: 'n', into: 'm' }),
        ],
        'A B C D E',
        {
          limits: { steps: 5 },
        },
      ),
    );
    expect(problems).toEqual([]);
    expect(terminals).toEqual(['E']);
    expect(node_count).toBe(3);
    expect(graph).toMatchObject({
      input: 'A',
      output: 'E',
      limits: { steps: 5, seconds: 600 },
      nodes: [
        { id: 'A', kind: 'fork', from: ['A'], to: ['B', 'C'], body: { type: 'default' }, title: 'Split', path: '/nodes/0' },
        { id: 'B+C', kind: 'join', from: ['B', 'C'], to: ['D'], body: { type: 'run', source: '(b, c) => c', tools: [] } },
        { id: 'D', body: { type: 'expr', source: 'n', into: 'm' } },
      ],
    });
    expect(Object.keys(graph?.schemas ?? {})[0]).toBe('A');
  });

  it.each([
    ['duplicate_node /nodes/1/from A', flow([work('A', 'B'), work('A', 'B')])],
    ['missing_entry /input ', flow([work('X', 'B')], 'A X B')],
    ['unreachable_node /nodes/1 X', flow([work('A', 'B'), work('X', 'B')], 'A X B')],
    [
      'no_path_to_terminal /nodes/2 C',
      flow([{ kind: 'either', from: 'A', to: ['B', 'C'], expr: 'true' }, work('B', 'Z'), work('C', 'D'), work('D', 'C')], 'A B C D Z'),
      'no_path_to_terminal /nodes/3 D',
    ],
    ['either_same_branches /nodes/0/to/1 A', flow([{ kind: 'either', from: 'A', to: ['B', 'B'], expr: 'true' }])],
    ['fork_too_few_branches /nodes/0/to A', flow([{ kind: 'fork', from: 'A', to: ['B'] }, work('B', 'C')], 'A B C')],
    ['join_parents /nodes/1/from B+B', flow([work('A', 'B'), { kind: 'join', from: ['B', 'B'], to: 'C' }], 'A B C')],
    ['join_parent_unregistered /nodes/1/from/1 B+X', flow([work('A', 'B'), { kind: 'join', from: ['B', 'X'], to: 'C' }], 'A B X C')],
    [
      'no_path_to_terminal /nodes/1 B',
      flow([{ kind: 'either', from: 'A', to: ['B', 'C'], expr: 'true' }, work('B', 'B')], 'A B C'),
      'output_is_input /nodes/1/to B',
    ],
    ['terminal_mismatch /output A', flow([work('A', 'B')], 'A B', { output: 'A' })],
    ['multiple_terminals /output A', flow([{ kind: 'either', from: 'A', to: ['B', 'C'], expr: 'true' }], 'A B C')],
    ['unknown_schema /nodes/0/to A,X', flow([work('A', 'X'), work('X', 'B')])],
    ['bad_schema /schemas/B/type ', flow([work('A', 'B')], 'A B', { schemas: { A: {}, B: { type: 'wrong' } } })],
    ['missing_body /nodes/0 A', flow([{ kind: 'either', from: 'A', to: ['B', 'C'] }, work('B', 'D'), work('C', 'D')], 'A B C D')],
    ['bad_code /nodes/0/run A', flow([work('A', 'B', { run: 'a => ' })])],
    ['bad_code /nodes/0/run_file A', flow([work('A', 'B', { run_file: './x.ts' })])],
    ['bad_code /nodes/0/run_file A', flow([work('A', 'B', { run_file: '../x.ts' })])],
    ['bad_expr /nodes/0/expr A', flow([work('A', 'B', { expr: 'a = 1' })])],
    ['unknown_tool /nodes/0/tool A', flow([work('A', 'B', { tool: 'raed_file' })])],
    ['unknown_tool /nodes/0/tools/0 A', flow([work('A', 'B', { run: 'a => a', tools: ['mcp:gitlab/x'] })])],
    ['unknown_tool /nodes/0/tools/0 A', flow([work('A', 'B', { run: 'a => a', tools: ['mcp:github/*'] })])],
    [
      'unknown_tool /nodes/0/agent/tools/1/use A',
      flow([{ kind: 'agent', from: 'A', to: 'B', agent: { model: 'openai://m', tools: ['read_file', { use: 'submit' }] } }]),
    ],
    ['flow_not_found /nodes/0/tool A', flow([work('A', 'B', { tool: 'flow:./x.flow.json' })])],
    ['flow_not_found /nodes/0/tool A', flow([work('A', 'B', { tool: 'flow:./code.flow.ts' })])],
    ['bad_model_url /nodes/0/agent/model A', flow([{ kind: 'agent', from: 'A', to: 'B', agent: { model: 'gpt' } }])],
    ['bad_model_url /nodes/0/agent/model A', flow([{ kind: 'agent', from: 'A', to: 'B', agent: { model: 'openai://{model}' } }])],
    ['bad_model_url /nodes/0/agent/model/x A', talker({ model: { by: 'tier', x: 'gpt', else: 'x' } })],
    ['bad_conversation /nodes/0/agent/conversation A', talker({ conversation: { scope: 'workspace' } })],
    ['bad_conversation /nodes/0/agent/conversation A', talker({ mode: 'plan', conversation: { scope: 'run', key: 'k' } })],
    ['bad_control /nodes/0/agent/control A', talker({ mode: 'redundant', control: { expr: "'continue'" } })],
    ['bad_plan /nodes/0/agent/plan/steps A', talker({ plan: { steps: { a: { agent: { model: 'script://a.json' } } } } })],
    ['bad_plan /nodes/0/agent/plan/fixed A', talker({ mode: 'plan', plan: { fixed: [{ name: 'a', input: '', needs: ['b'] }] } })],
    [
      'bad_model_url /nodes/0/agent/plan/steps/a/agent/model A',
      talker({ mode: 'plan', plan: { steps: { a: { agent: { model: 'gpt' } } } } }),
    ],
    [
      'unknown_tool /nodes/0/agent/plan/steps/a/agent/tools/0 A',
      talker({ mode: 'plan', plan: { steps: { a: { agent: { model: 'openai://m', tools: ['raed_file'] } } } } }),
    ],
    ['flow_not_found /nodes/0/agent/plan/steps/a/flow A', talker({ mode: 'plan', plan: { steps: { a: { flow: './x.flow.json' } } } })],
    ['flow_not_found /nodes/0/agent/plan/planner/flow A', talker({ mode: 'plan', plan: { planner: { flow: './x.flow.json' } } })],
    ['bad_expr /nodes/0/agent/control/expr A', talker({ control: { expr: 'turn >' } })],
    ['bad_code /nodes/0/agent/control/run_file A', talker({ control: { run_file: './x.ts' } })],
    ['bad_code /nodes/0/agent/control/run A', talker({ control: { run: '(loop =>' } })],
    ['bad_conversation /nodes/0/agent/context/summarise A', talker({ context: { last: 4, summarise: {} } })],
    [
      'bad_model_url /nodes/0/agent/context/summarise/model A',
      talker({ conversation: { scope: 'run', key: 'k' }, context: { last: 4, summarise: { model: 'gpt' } } }),
    ],
    ['bad_expr /nodes/0/agent/guards/output/0/expr A', talker({ guards: { output: [{ name: 'n', expr: 'len(' }] } })],
    [
      'bad_model_url /nodes/0/agent/guards/input/0/judge/model A',
      talker({ guards: { input: [{ name: 'n', judge: { question: 'ok?', model: 'gpt' } }] } }),
    ],
    ['bad_expr /nodes/0/agent/tools/0/when A', talker({ tools: [{ use: 'read_file', when: 'tier ==' }] })],
    ['unused_schema /schemas/X ', flow([work('A', 'B')], 'A B', { schemas: { A: {}, B: {}, X: {} } })],
  ])('reports %s', (expected, document, ...more) => {
    expect(found(document as object)).toEqual([expected, ...more]);
  });

  it('asks for trust where a module or a tool of the workspace would run', () => {
    const document = flow(
      [work('A', 'B', { module: './m.ts', export: 'go' }), work('B', 'C', { run: 'a => a', tools: ['./tools/t.ts', 'mcp:github/x'] })],
      'A B C',
    );
    const files = { 'm.ts': 'export const go: number = 1; export * from "x"', 'tools/t.ts': '' };
    expect(found(document, { files })).toEqual([
      'needs_trust /nodes/0/module A',
      'needs_trust /nodes/1/tools/0 B',
      'needs_trust /nodes/1/tools/1 B',
    ]);
    expect(found(document, { files, trusted: true })).toEqual([]);
    expect(found(document, { files: { ...files, 'm.ts': 'export default 1' }, trusted: true })).toEqual(['bad_code /nodes/0/export A']);
    expect(found(document, { files: { ...files, 'm.ts': 'export const = 1' }, trusted: true })).toEqual(['bad_code /nodes/0/module A']);
  });

  it('omits an unreadable node from the graph and checks the other nodes', () => {
    expect(found(flow([work('A', 'B', { colour: 1, run: '1' })]))).toEqual(['format /nodes/0/colour ', 'bad_code /nodes/0/run A']);
    expect(found(flow([work('A', 'B'), { kind: 'wrok', from: 'B', to: 'C' }]))).toEqual(['format /nodes/1/kind ']);
  });

  it('gives equal documents one hash, whatever their layout, and another to every change of what they name', () => {
    const document = flow([work('A', 'B', { run_file: 'r.ts' })]);
    const hash = (text: string, file: string) =>
      buildFlow(parseFlow(text, 'main.flow.json'), environment({ files: { 'r.ts': file } })).graph?.hash;
    const base = hash(JSON.stringify(document), 'a => a');
    expect(hash(JSON.stringify(Object.fromEntries(Object.entries(document).reverse()), null, 2), 'a => a')).toBe(base);
    expect(hash(JSON.stringify(document), 'a => 1')).not.toBe(base);
    expect(hash(JSON.stringify({ ...document, name: 'U' }), 'a => a')).not.toBe(base);
  });

  it('never throws and repeats itself, whatever the document holds', () => {
    const word = fc.constantFrom('A', 'B', 'C', '', 'a b');
    const names = fc.oneof(word, fc.array(word, { maxLength: 3 }), fc.jsonValue({ maxDepth: 1 }));
    const node = fc.record(
      {
        kind: fc.constantFrom('work', 'either', 'fork', 'join', 'agent', 'flow', 'suspend', 'each', 'x', 3),
        from: names,
        to: names,
        run: fc.constantFrom('a => a', 'x', 3),
        flow: fc.constantFrom('main.flow.json', 'b.flow.json', 1),
        agent: fc.jsonValue(),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(
        fc.record(
          {
            pravah: fc.constant(1),
            name: word,
            input: word,
            output: word,
            schemas: fc.oneof(fc.dictionary(word, fc.jsonValue()), fc.jsonValue()),
            nodes: fc.oneof(fc.array(node), fc.jsonValue()),
          },
          { requiredKeys: [] },
        ),
        (document) => {
          const options = { files: { 'b.flow.json': document as object } };
          const first = built(document, options);
          expect(first.graph === null).toBe(first.problems.some((problem) => problem.severity === 'error'));
          expect(built(document, options)).toEqual(first);
        },
      ),
      { numRuns: 500, seed: 5 },
    );
  });

  it('judges reachability as a slow search does', () => {
    const kind = fc.constantFrom('work', 'either', 'fork');
    const name = fc.nat(7).map((index) => `S${index}`);
    fc.assert(
      fc.property(fc.array(fc.record({ kind, from: name, to: fc.tuple(name, name) }), { maxLength: 8 }), (list) => {
        const nodes = list.map(({ kind, from, to }) =>
          kind === 'work' ? work(from, to[0]) : { kind, from, to, ...(kind === 'either' && { expr: 'true' }) },
        );
        const { problems, terminals } = built(flow(nodes, 'S0 S1 S2 S3 S4 S5 S6 S7'));
        const targets = (index: number) => (nodes[index]?.kind === 'work' ? [nodes[index]?.to as string] : (nodes[index]?.to as string[]));
        const reaches = (from: (index: number) => boolean, step: (a: number, b: number) => boolean) => {
          const inside = new Set(nodes.keys().filter(from));
          for (let grown = true; grown; ) {
            grown = false;
            for (const a of inside) for (const b of nodes.keys()) if (!inside.has(b) && step(a, b)) grown = Boolean(inside.add(b));
          }
          return inside;
        };
        const feeds = (a: number, b: number) => targets(a).includes(nodes[b]?.from as string);
        const entry = reaches((index) => nodes[index]?.from === 'S0', feeds);
        const end = reaches(
          (index) => targets(index).some((each) => terminals.includes(each)),
          (a, b) => feeds(b, a),
        );
        const at = (code: string) =>
          problems.filter((problem) => problem.code === code).map((problem) => Number(problem.path.split('/')[2]));
        if (entry.size > 0) expect(at('unreachable_node')).toEqual([...nodes.keys()].filter((index) => !entry.has(index)));
        else expect(problems.some((problem) => problem.code === 'missing_entry')).toBe(true);
        expect(at('no_path_to_terminal')).toEqual([...nodes.keys()].filter((index) => !end.has(index)));
      }),
      { numRuns: 500, seed: 6 },
    );
  });
});

describe('nested flows', () => {
  const inner = flow(
    [
      work('Raw', 'Clean'),
      { kind: 'either', from: 'Clean', to: ['Good', 'Raw'], expr: 'true' },
      work('Good', 'Scored', { run_file: './r.ts' }),
    ],
    'Raw Clean Good Scored',
  );
  const files = { 'sub/score.flow.json': inner, 'sub/r.ts': 'a => a' };
  const outer = flow([work('A', 'Raw'), { kind: 'flow', flow: './sub/score.flow.json' }, work('Scored', 'B')], 'A Raw Scored B');

  it('are unfolded in place, their inner names behind the entry’s', () => {
    const { graph, problems, node_count } = built(outer, { files });
    expect(problems).toEqual([]);
    expect(node_count).toBe(5);
    expect(graph?.nodes.map(({ id, to, path, own_names }) => [id, to, path, own_names])).toEqual([
      ['A', ['Raw'], '/nodes/0', undefined],
      ['Raw', ['Raw::Clean'], '/nodes/1', { Raw: 'Raw', 'Raw::Clean': 'Clean' }],
      ['Raw::Clean', ['Raw::Good', 'Raw'], '/nodes/1', { 'Raw::Clean': 'Clean', 'Raw::Good': 'Good', Raw: 'Raw' }],
      ['Raw::Good', ['Scored'], '/nodes/1', { 'Raw::Good': 'Good', Scored: 'Scored' }],
      ['Scored', ['B'], '/nodes/2', undefined],
    ]);
    expect(Object.keys(graph?.schemas ?? {})).toEqual(['A', 'Raw', 'Scored', 'B', 'Raw::Clean', 'Raw::Good']);
    expect(graph?.nodes[3]?.body).toMatchObject({ type: 'run', source: 'a => a', file: 'sub/r.ts' });
  });

  it('name what is inside as many times as they are nested, also where all share one entry', () => {
    const innermost = flow([work('A', 'X'), work('X', 'Y')], 'A X Y');
    const middle = flow([{ kind: 'flow', flow: './innermost.flow.json' }, work('Y', 'X'), work('X', 'Z')], 'A Y X Z');
    const { graph, problems } = built(flow([{ kind: 'flow', flow: './middle.flow.json' }, work('Z', 'B')], 'A Z B'), {
      files: { 'innermost.flow.json': innermost, 'middle.flow.json': middle },
    });
    expect(problems).toEqual([]);
    expect(graph?.nodes.map(({ id, to }) => [id, to[0]])).toEqual([
      ['A', 'A::A::X'],
      ['A::A::X', 'A::Y'],
      ['A::Y', 'A::X'],
      ['A::X', 'Z'],
      ['Z', 'B'],
    ]);
    expect(graph?.source).toBe('main.flow.json');
    const [main, middleFile, innermostFile] = ['main.flow.json', 'middle.flow.json', 'innermost.flow.json'];
    const outer = { flow: main, node: 'A', states: { input: 'A', output: 'Z' } };
    const middleA = { flow: middleFile, node: 'A', states: { input: 'A', output: 'A::Y' } };
    expect(graph?.nodes.map(({ origin }) => origin)).toEqual([
      [outer, middleA, { flow: innermostFile, node: 'A' }],
      [outer, middleA, { flow: innermostFile, node: 'X' }],
      [outer, { flow: middleFile, node: 'Y' }],
      [outer, { flow: middleFile, node: 'X' }],
      undefined,
    ]);
  });

  it('report their problems at the outer node, with inlined names and their file', () => {
    const broken = { ...inner, nodes: [...inner.nodes.slice(0, 2), work('Good', 'Scored', { expr: 'a =' })] };
    const [problem, ...more] = built(outer, { files: { 'sub/score.flow.json': broken } }).problems;
    expect(more).toEqual([]);
    expect(problem).toMatchObject({
      code: 'bad_expr',
      path: '/nodes/1',
      nodes: ['Raw::Good'],
      message: expect.stringMatching(/^In sub\/score\.flow\.json at \/nodes\/2\/expr: /),
    });
  });

  it('must be there, must not contain themselves, and share schemas that agree', () => {
    expect(found(outer)).toContain('flow_not_found /nodes/1/flow ');
    const cycle = flow([{ kind: 'flow', flow: '../main.flow.json' }], 'Raw Scored');
    expect(found(outer, { files: { 'sub/score.flow.json': cycle } })).toContain('flow_cycle /nodes/1 ');
    expect(found(flow([{ kind: 'flow', flow: 'main.flow.json' }]))).toContain('flow_cycle /nodes/0/flow ');
    const shared = (schema: Json) => found({ ...outer, schemas: { ...outer.schemas, Raw: schema } }, { files });
    expect(shared({ title: 'Only a title' })).toEqual([]);
    expect(shared({ properties: { title: {} } })).toEqual(['bad_schema /nodes/1 Raw']);
  });

  it('share schemas that agree at any depth, and with each other', () => {
    const nested = (path: string) => ({ kind: 'flow', flow: path });
    const named = (input: string, output: string, schemas: object, nodes: readonly object[]) => ({
      ...flow(nodes),
      input,
      output,
      schemas,
    });
    const inner = named('A', 'B', { A: {}, B: { type: 'string' } }, [work('A', 'B')]);
    const files = {
      'inner.flow.json': inner,
      'middle.flow.json': named('A', 'B', { A: {} }, [nested('inner.flow.json')]),
      'next.flow.json': named('B', 'C', { B: { type: 'number' }, C: {} }, [work('B', 'C')]),
    };
    expect(found(named('A', 'B', { A: {}, B: { type: 'number' } }, [nested('middle.flow.json')]), { files })).toEqual([
      'bad_schema /nodes/0 A',
    ]);
    const both = named('A', 'C', {}, [nested('middle.flow.json'), nested('next.flow.json')]);
    expect(built(both, { files }).problems).toMatchObject([
      {
        code: 'bad_schema',
        path: '/nodes/1',
        message: expect.stringMatching(/^The schema B differs between middle\.flow\.json and next/),
      },
    ]);
    const lists = named('L', 'M', { L: { type: 'array' }, M: { type: 'array', items: { type: 'number' } } }, [
      { kind: 'each', from: 'L', to: 'M', flow: 'middle.flow.json' },
    ]);
    expect(found(lists, { files })).toEqual(['bad_schema /nodes/0/to L']);
  });

  it('bring the schemas of their states along', () => {
    expect(found({ ...outer, schemas: { A: {}, B: {} } }, { files })).toEqual([]);
    const only = { ...flow([{ kind: 'flow', flow: './sub/score.flow.json' }]), input: 'Raw', output: 'Scored', schemas: {} };
    expect(Object.entries(built(only, { files }).graph?.schemas ?? {})[0]).toEqual(['Raw', {}]);
  });

  it('are refused where few files unfold to very many nodes', () => {
    const bomb: Record<string, object> = {};
    for (let level = 0; level < 20; level++) {
      for (const side of ['l', 'r']) {
        const next = (which: string) => ({ kind: 'flow', flow: `${which}${level + 1}.flow.json` });
        const nodes =
          level === 19
            ? [work(`${side}${level}i`, `${side}${level}o`)]
            : [
                work(`${side}${level}i`, `l${level + 1}i`),
                next('l'),
                work(`l${level + 1}o`, `r${level + 1}i`),
                next('r'),
                work(`r${level + 1}o`, `${side}${level}o`),
              ];
        bomb[`${side}${level}.flow.json`] = { ...flow(nodes), input: `${side}${level}i`, output: `${side}${level}o`, schemas: {} };
      }
    }
    const { problems, node_count } = built(flow([work('A', 'l0i'), { kind: 'flow', flow: 'l0.flow.json' }, work('l0o', 'B')]), {
      files: bomb,
    });
    expect(node_count).toBeGreaterThan(1_000_000);
    expect(problems.some((problem) => /unfolds to/.test(problem.message))).toBe(true);
  });

  it('in code with errors have their problems at the node that nests them, which has no nodes of theirs', () => {
    const problem: Problem = { code: 'unknown_tool', severity: 'error', message: 'There is no such tool.', nodes: ['Q'], path: '/nodes/0' };
    const outer = flow([{ kind: 'flow', flow: 'inner.flow.ts' }]);
    const options = {
      ...environment({ files: { 'inner.flow.ts': '' }, trusted: true }),
      codeFlow: () => ({ graph: null, problems: [problem] }),
    };
    const { problems } = buildFlow(parseFlow(JSON.stringify(outer), 'main.flow.json'), options);
    expect(problems.find(({ code }) => code === 'unknown_tool')).toMatchObject({ nodes: [], path: '/nodes/0' });
  });

  it('serve as tools, and are built with the flow that names them', () => {
    const lookup = flow([work('Q', 'R')], 'Q R');
    const caller = flow([work('A', 'B', { tool: 'flow:./lookup.flow.json', with: {} })]);
    expect(built(caller, { files: { 'lookup.flow.json': lookup } }).graph?.flow_tools?.['flow:./lookup.flow.json']).toMatchObject({
      input: 'Q',
      output: 'R',
    });
    const broken = { ...lookup, nodes: [work('Q', 'R', { expr: '=' })] };
    expect(found(caller, { files: { 'lookup.flow.json': broken } })).toEqual(['bad_expr /nodes/0/tool A::Q']);
    expect(found(caller, { files: { 'lookup.flow.json': caller } })).toEqual(['flow_cycle /nodes/0/tool A::A']);
  });

  it('run once an item under each, which needs lists on both sides', () => {
    const item = flow([work('I', 'O')], 'I O', { schemas: { I: { type: 'string' }, O: {} } });
    const each = (schemas: object) => flow([{ kind: 'each', from: 'A', to: 'B', flow: 'item.flow.json' }], 'A B', { schemas });
    const options = { files: { 'item.flow.json': item } };
    const { graph, problems } = built(each({ A: { type: 'array', items: { type: 'string', title: 'x' } }, B: { type: 'array' } }), options);
    expect(problems).toEqual([]);
    expect(graph?.nodes[0]?.body).toMatchObject({ type: 'each', flow: { input: 'I', output: 'O' } });
    expect(found(each({ A: { type: 'object' }, B: { type: 'array', items: false } }), options)).toEqual([
      'bad_schema /nodes/0/from A',
      'bad_schema /nodes/0/to A',
    ]);
  });
});
