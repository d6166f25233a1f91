import { expect, test } from 'vitest';
import { z } from 'zod';
import * as mini from 'zod/mini';
import { FlowRuntime } from '#main/engine/flow-runtime.ts';
import { goOn, outputOf } from '#main/engine/testing/run-to-end.ts';
import { createContext } from '#main/sdk/create-context.ts';
import type { FlowGraph } from '#shared/flow/graph.ts';
import type { Problem } from '#shared/flow/problem.ts';
import { FlowError } from '#shared/run/error.ts';
import { processorTime } from '#shared/testing/processor-time.ts';
import { defineFlow } from './define-flow.ts';
import { flowTool } from './flow-tool.ts';
import { left, right } from './sides.ts';
import { jsonSchema, type State, state } from './state.ts';

const Count = state('Count', z.object({ n: z.number() }));
const Seen = state('Seen', z.object({ n: z.number() }));
const Left = state('Left', z.object({ n: z.number() }));
const Right = state('Right', z.object({ n: z.number() }));
const Total = state('Total', z.object({ total: z.number() }));

const counting = defineFlow({ input: Count, output: Total })
  .work(Count, Seen, ({ n }) => ({ n: n + 1 }), { pure: true })
  .either(Seen, [Count, Left], ({ n }) => (n < 5 ? left({ n }) : right({ n })))
  .work(Left, Total, async ({ n }) => ({ total: n }))
  .build();

/** Problems of a flow that cannot be built, as `code path`. */
function problemsOf(build: () => unknown): Problem[] {
  try {
    build();
  } catch (error) {
    if (error instanceof FlowError && error.variant === 'Invalid') return error.toJSON().details.problems as unknown as Problem[];
    throw error;
  }
  throw new Error('The flow was built.');
}
const codes = (build: () => unknown) => problemsOf(build).map(({ code, path }) => `${code} ${path}`);
/** A builder as plain JavaScript sees it: anything goes. */
// biome-ignore lint/suspicious/noExplicitAny: what a compiler refuses must be refused at run time too.
const unchecked = (builder: unknown) => builder as any;

test('runs to the end, through a loop, with handlers that answer now and later', async () => {
  expect(await outputOf(counting, { n: 1 })).toEqual({ total: 5 });
});

test('forks and joins, with handlers and without', async () => {
  const flow = defineFlow({ input: Count, output: Total })
    .fork(Count, [Left, Right])
    .join([Left, Right], Total, (a, b) => ({ total: a.n + b.n }))
    .build();
  expect(await outputOf(flow, { n: 2 })).toEqual({ total: 4 });
});

test('lets a builder be gone on from twice', async () => {
  const begun = defineFlow({ input: Count, output: Total }).work(Count, Seen);
  const one = begun.work(Seen, Total, ({ n }) => ({ total: n })).build();
  const other = begun.work(Seen, Total, ({ n }) => ({ total: -n })).build();
  expect([await outputOf(one, { n: 1 }), await outputOf(other, { n: 1 })]).toEqual([{ total: 1 }, { total: -1 }]);
  expect(one.hash).not.toBe(other.hash);
});

test('gives equal flows equal hashes, and another one when a schema, a handler or the structure changes', () => {
  const make = (add: number, schema = z.object({ n: z.number() })) => {
    const handlers = [({ n }: { n: number }) => ({ n: n + 1 }), ({ n }: { n: number }) => ({ n: n + 2 })];
    const Next = state('Next', schema);
    return defineFlow({ input: Count, output: Next })
      .work(Count, Next, handlers[add] as never)
      .build().hash;
  };
  expect(make(0)).toBe(make(0));
  expect(make(0)).not.toBe(make(1));
  expect(make(0)).not.toBe(make(0, z.object({ n: z.number().min(1) })));
});

test('checks every state against its schema', async () => {
  const flow = defineFlow({ input: Count, output: Total })
    .work(Count, Total, () => ({ total: 'three' }) as never)
    .build();
  const run = FlowRuntime.new(flow, { n: 1 });
  await expect(goOn(run)).rejects.toMatchObject({ variant: 'SerializeError', options: { details: { schema: 'Total', path: '/total' } } });
  expect(() => FlowRuntime.new(flow as FlowGraph, { n: 'one' })).toThrow(/Count/);
});

test('inlines flows in flows, their inner names behind those of their inputs', async () => {
  const Outer = state('Outer', z.object({ n: z.number() }));
  const middle = defineFlow({ input: Seen, output: Total }).work(Seen, Count).flow(counting).build();
  const flow = defineFlow({ input: Outer, output: Total }).work(Outer, Seen).flow(middle).build();
  expect(flow.nodes.map(({ id }) => id)).toEqual(['Outer', 'Seen', 'Seen::Count', 'Seen::Count::Seen', 'Seen::Count::Left']);
  expect(flow.nodes.at(-1)?.own_names).toEqual({ 'Seen::Count::Left': 'Left', Total: 'Total' });
  expect(await outputOf(flow, { n: 3 })).toEqual({ total: 5 });
});

test('takes JSON Schemas and zod/mini', async () => {
  const Plain = state(
    'Plain',
    jsonSchema<{ readonly n: number }>({ type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] }),
  );
  const Small = state('Small', mini.object({ n: mini.number() }));
  const flow = defineFlow({ input: Plain, output: Small }).work(Plain, Small).build();
  expect(await outputOf(flow, { n: 1 })).toEqual({ n: 1 });
  expect(() => FlowRuntime.new(flow, { n: 1.5 })).toThrow(/\/n must be integer/);
});

test('finds all problems at once, by the rules of documents', () => {
  const flow = unchecked(defineFlow({ input: Count, output: Total, limits: { steps: -1 } }))
    .work(Count, Count)
    .work(Count, Seen)
    .either(Left, [Right, Right])
    .agent(Seen, Total, { model: 'nonsense', preambel: '' })
    .work(Right, Total, 'no function', { tools: ['reed_file', 'flow:./x.flow.yaml'] });
  expect(codes(() => flow.build()).sort()).toEqual(
    [
      'output_is_input /nodes/0/to',
      'duplicate_node /nodes/1/from',
      'missing_body /nodes/2',
      'either_same_branches /nodes/2/to/1',
      'unreachable_node /nodes/2',
      'unreachable_node /nodes/4',
      'format /nodes/3/agent/preambel',
      'bad_model_url /nodes/3/agent/model',
      'bad_code /nodes/4',
      'unknown_tool /nodes/4/tools/0',
      'unknown_tool /nodes/4/tools/1',
      'format /limits/steps',
    ].sort(),
  );
});

test('refuses what is no state, no flow, and two states of one name', () => {
  const Other = state('Seen', z.string());
  const builder = () => unchecked(defineFlow({ input: Count, output: Total }));
  expect(codes(() => builder().work(Count, 'Total').build())).toContain('format /nodes/0/to');
  expect(codes(() => builder().fork(Count, Seen).build())).toContain('format /nodes/0/to');
  expect(codes(() => builder().flow({}).build())).toContain('flow_not_found /nodes/0');
  expect(codes(() => builder().work(Count, Seen).work(Other, Total).build())).toContain('bad_schema /schemas/Seen');
  const Named = state('9 lives', z.string());
  expect(codes(() => defineFlow({ input: Named, output: Total }).build())).toContain('format /input');
  const Bare = state('Bare', { type: 'object' } as never);
  expect(codes(() => defineFlow({ input: Bare, output: Total }).build())).toContain('bad_schema /schemas/Bare');
});

const refused: readonly (readonly [string, z.ZodType, string])[] = [
  ['a transform', z.object({ a: z.string().transform(Number) }), '/properties/a'],
  ['a pipe', z.object({ a: z.string().pipe(z.string()) }), '/properties/a'],
  ['a codec', z.array(z.stringbool()), '/items'],
  ['a default', z.object({ a: z.number().default(1) }), '/properties/a'],
  ['a prefault', z.object({ a: z.number().prefault(1) }), '/properties/a'],
  ['a catch', z.object({ a: z.number().catch(1) }), '/properties/a'],
  ['a coercion', z.object({ a: z.coerce.number() }), '/properties/a'],
  ['a preprocess', z.preprocess(String, z.string()), ''],
  ['a refinement', z.object({ a: z.number().refine((n) => n > 1) }), '/properties/a'],
  ['a refinement of the whole', z.object({ a: z.number() }).superRefine(() => {}), ''],
  ['a trim', z.union([z.number(), z.string().trim()]), '/anyOf/1'],
  ['a case change', z.record(z.string(), z.string().toLowerCase()), '/additionalProperties'],
  ['a date', z.tuple([z.date()]), '/prefixItems/0'],
  ['a bigint', z.object({ a: z.array(z.bigint()) }), '/properties/a/items'],
  ['a map', z.map(z.string(), z.string()), ''],
  ['a class', z.object({ a: z.instanceof(URL) }), '/properties/a'],
  ['undefined', z.object({ a: z.undefined() }), '/properties/a'],
  ['a bigint literal', z.literal(1n), ''],
  ['a pattern with flags', z.string().regex(/a/i), ''],
  ['a pattern that linear time does not allow', z.string().regex(/(?=a)b/), ''],
];

test.each(refused)('refuses %s, with its place', (_, schema, path) => {
  const Bad = state('Bad', schema);
  const problems = problemsOf(() =>
    defineFlow({ input: Bad, output: Total })
      .work(Bad, Total, () => ({ total: 1 }))
      .build(),
  );
  expect(problems).toMatchObject([{ code: 'bad_schema', path: `/schemas/Bad${path}` }]);
});

const kept: readonly (readonly [string, z.ZodType, unknown, unknown])[] = [
  ['lengths and patterns', z.string().min(2).max(3).regex(/^a/), 'ab', 'ba'],
  ['formats', z.object({ mail: z.email(), id: z.uuid(), at: z.iso.datetime() }), undefined, { mail: 'x' }],
  ['bounds', z.int().min(1).multipleOf(2), 4, 3],
  [
    'unions told apart by a field',
    z.discriminatedUnion('k', [z.object({ k: z.literal('a') }), z.object({ k: z.literal('b'), n: z.number() })]),
    { k: 'b', n: 1 },
    { k: 'b' },
  ],
  ['optional and nullable fields', z.object({ a: z.string().optional(), b: z.number().nullable() }), { b: null }, { a: null, b: 1 }],
  ['fields that it does not name', z.object({ a: z.string() }), { a: 'x', b: 1 }, { b: 1 }],
  ['strict objects', z.strictObject({ a: z.string() }), { a: 'x' }, { a: 'x', b: 1 }],
  ['schemas within themselves', z.json(), { a: [1, { b: null }] }, undefined],
  ['brands', z.string().brand('Id'), 'x', 1],
];

test.each(kept)('keeps %s', (_, schema, good, bad) => {
  const Kept = state('Kept', schema) as State<'Kept', unknown>;
  const flow = defineFlow({ input: Kept, output: Total })
    .work(Kept, Total, () => ({ total: 1 }))
    .build() as FlowGraph;
  if (good !== undefined) expect(FlowRuntime.new(flow, good).snapshot().states).toEqual([{ name: 'Kept', value: good }]);
  if (bad !== undefined) expect(() => FlowRuntime.new(flow, bad)).toThrow(/is not a Kept/);
});

test('hands tools, services and a steady clock to handlers', async () => {
  const Text = state('Text', z.string());
  const flow = defineFlow({ input: Count, output: Text, tools: ['greet'] })
    .work(Count, Text, async ({ n }, ctx) => `${await ctx.tools.greet({ name: String(ctx.services.name) })} ${ctx.now()} ${n}`, {
      tools: ['greet'],
    })
    .build();
  const ctx = await createContext({
    clock: { now: () => 7 },
    services: { name: 'you' },
    tools: [
      {
        name: 'greet',
        description: 'Greets.',
        input_schema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
        effect: 'none',
        approve: 'never',
        call: ({ name }) => `Hello ${name}`,
      },
    ],
  });
  expect(await outputOf(flow, { n: 1 }, ctx)).toBe('Hello you 7 1');
});

const asking = (inner = counting, options: Partial<Parameters<typeof flowTool>[1]> = {}) =>
  defineFlow({ input: Left, output: Total, limits: { steps: 40 } }).agent(Left, Total, {
    model: 'openai://test',
    tools: [flowTool(inner, { name: 'count_up', description: 'Counts.', ...options })],
  });

test('calls a flow in code as the tool of an agent, step by step', async () => {
  const flow = asking().build();
  expect(flow.nodes[0]?.body).toMatchObject({ agent: { tools: ['flow:count_up'] } });
  const context = await createContext({
    models: () => ({
      complete: async ({ messages, tools }) => {
        const result = messages.at(-1)?.content[0];
        const told = result?.type === 'tool_result' ? { tool: 'submit', input: result.result } : { tool: 'flow:count_up', input: { n: 3 } };
        expect(tools.find(({ name }) => name === 'flow:count_up')?.description).toBe('Counts.');
        const content = [{ type: 'tool_call' as const, tool_call_id: '', ...told }];
        return { message: { role: 'assistant', content }, finish_reason: 'tool', usage: { tokens_in: 1, tokens_out: 1 } };
      },
    }),
  });
  const run = FlowRuntime.new(flow, { n: 0 });
  expect(await goOn(run, context)).toEqual({ type: 'done', output: { total: 5 } });
  // Two turns of two phases each, one more act that collects, and the five transitions of the called flow.
  expect(run.counters.steps).toBe(10);
});

test('checks flows that agents call: their names, what they are, and that a name means one flow', () => {
  expect(() => flowTool(counting, { name: 'no/path' })).toThrow('has an invalid name');
  const twice = unchecked(asking()).agent(Total, Seen, {
    model: 'openai://test',
    tools: [{ use: 'flow:count_up', flow: { ...counting, hash: 'x' } }],
  });
  expect(codes(() => twice.build())).toContain('format /nodes/1/agent/tools');
  expect(codes(() => unchecked(asking(unchecked({}))).build())).toContain('flow_not_found /nodes/0/agent/tools');
  const other = defineFlow({ input: Count, output: Total })
    .work(Count, Total, ({ n }) => ({ total: n }))
    .build();
  expect(asking(unchecked(other)).build().hash).not.toBe(asking().build().hash);
});

test('builds 10,000 nodes in seconds', () => {
  const schema = z.object({ n: z.number() });
  const states = Array.from({ length: 10_001 }, (_, index) => state(`S${index}` as string, schema));
  let builder = unchecked(defineFlow({ input: states[0] as State, output: states.at(-1) as State, limits: { steps: 20_000 } }));
  for (const [index, to] of states.slice(1).entries()) builder = builder.work(states[index], to, ({ n }: { n: number }) => ({ n: n + 1 }));
  expect(processorTime(() => expect(builder.build().nodes).toHaveLength(10_000))).toBeLessThan(5_000);
});
