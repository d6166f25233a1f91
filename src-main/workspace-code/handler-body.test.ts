import { describe, expect, it } from 'vitest';
import { FlowRuntime } from '#main/engine/flow-runtime.ts';
import type { Effect, Perform } from '#main/engine/ports/recorder.ts';
import { failureFrom } from '#main/engine/testing/run-to-end.ts';
import { TestWorkspace } from '#main/engine/testing/workspace.ts';
import { openFlow } from '#main/workspace/open-flow.ts';
import { loadSettings } from '#main/workspace/settings.ts';
import type { FlowGraph } from '#shared/flow/graph.ts';
import type { Json } from '#shared/json.ts';

const head = `
  import { defineFlow, left, right, state } from 'pravah-studio/runtime';
  import { z } from 'zod';
  const A = state('A', z.object({ n: z.number() }));
  const B = state('B', z.object({ n: z.number() }));
  const Z = state('Z', z.unknown());
`;

async function graphOf(space: TestWorkspace, source: string): Promise<FlowGraph> {
  space.write('x.flow.ts', head + source);
  const { graph, problems } = await openFlow('x.flow.ts', {
    folder: space.folder,
    trusted: true,
    settings: await loadSettings(space.folder),
  });
  expect(problems).toEqual([]);
  return graph as FlowGraph;
}

async function outputOf(space: TestWorkspace, run: FlowRuntime): Promise<Json> {
  for (;;) {
    const outcome = await run.next(space.context);
    if (outcome.type === 'done') return outcome.output;
    expect(outcome.type).toBe('continue');
  }
}

describe('a handler of a flow in code', () => {
  it('runs in another process, step by step, and from a snapshot after each step', async () => {
    using space = new TestWorkspace();
    space.write('a.txt', 'content');
    const graph = await graphOf(
      space,
      `export default defineFlow({ input: A, output: Z })
        .work(A, B, ({ n }) => ({ n: n + 1 }), { pure: true })
        .either(B, [A, Z], async ({ n }, ctx) => {
          ctx.log('seen', n);
          return n < 2 ? left({ n }) : right([n, ctx.now(), typeof ctx.random(), await ctx.tools.read_file({ path: 'a.txt' }), process.pid]);
        }, { tools: ['read_file'] })
        .build();`,
    );
    let run = FlowRuntime.new(graph, { n: 0 });
    for (let step = 0; step < 3; step += 1) {
      await run.next(space.context);
      run.dispose();
      run = FlowRuntime.fromSnapshot(graph, JSON.parse(JSON.stringify(run.snapshot())));
    }
    const output = (await outputOf(space, run)) as Json[];
    expect(output.slice(0, 4)).toEqual([2, 1_000, 'number', expect.stringContaining('content')]);
    expect(output[4]).not.toBe(process.pid);
    expect(space.events.filter(({ type }) => type === 'log')).toMatchObject([{ values: ['seen', 1] }, { values: ['seen', 2] }]);
    run.dispose();
  });

  it('is an effect unless it is declared pure', async () => {
    using space = new TestWorkspace();
    const graph = await graphOf(
      space,
      `export default defineFlow({ input: A, output: Z }).work(A, B, (a) => a, { pure: true }).work(B, Z, (b) => b.n).build();`,
    );
    const effects: Effect[] = [];
    const recorder = {
      effect: async (_seq: number, effect: Effect, perform: Perform) => {
        effects.push(effect);
        return { result: await perform(1) };
      },
      commit: () => undefined,
    };
    const run = FlowRuntime.new(graph, { n: 4 }, { recorder });
    expect(await outputOf(space, run)).toBe(4);
    expect(effects).toMatchObject([{ kind: 'handler', node: 'B', input: [{ n: 4 }] }]);
    run.dispose();
  });

  it('works inside each node, also of a flow in a flow', async () => {
    using space = new TestWorkspace();
    const graph = await graphOf(
      space,
      `const As = state('As', z.array(z.object({ n: z.number() })));
      const Zs = state('Zs', z.array(z.unknown()));
      const inner = defineFlow({ input: A, output: Z }).work(A, Z, ({ n }) => n * 2).build();
      const In = state('In', z.unknown()); const Out = state('Out', z.unknown());
      const middle = defineFlow({ input: As, output: Zs }).each(As, Zs, inner).build();
      export default defineFlow({ input: In, output: Out }).work(In, As, () => [{ n: 1 }, { n: 2 }]).flow(middle).work(Zs, Out, (z) => z).build();`,
    );
    const run = FlowRuntime.new(graph, null);
    expect(await outputOf(space, run)).toEqual([2, 4]);
    run.dispose();
  });

  it.each([
    [
      'throws',
      "() => { throw new RangeError('too far'); }",
      { variant: 'HandlerError', message: expect.stringContaining('RangeError: too far') },
    ],
    ['ends its process', '() => process.exit(3)', { variant: 'HandlerError', message: expect.stringContaining('code 3') }],
    ['changes its input', '(a) => { a.n = 5; return a; }', { variant: 'HandlerError', message: expect.stringContaining('read only') }],
    [
      'returns what JSON cannot carry',
      '() => ({ at: new Date() })',
      { variant: 'SerializeError', message: expect.stringContaining('Date') },
    ],
    ['suspends', '(a, ctx) => ctx.suspend(1)', { variant: 'HandlerError', message: expect.stringContaining('cannot suspend') }],
  ])('fails its step when it %s, and the next one runs', async (_what, handler, error) => {
    using space = new TestWorkspace();
    const graph = await graphOf(
      space,
      `export default defineFlow({ input: A, output: Z }).either(A, [Z, B], (a, ctx) => (a.n === 0 ? left((${handler})(a, ctx)) : right(a))).work(B, Z, (b) => b.n).build();`,
    );
    expect(await failureFrom(FlowRuntime.new(graph, { n: 0 }).next(space.context))).toMatchObject({ node: 'A', ...error });
    const run = FlowRuntime.new(graph, { n: 7 });
    expect(await outputOf(space, run)).toBe(7);
    run.dispose();
  });

  it('is ended when the flow has no time left', async () => {
    using space = new TestWorkspace();
    const graph = await graphOf(
      space,
      'export default defineFlow({ input: A, output: Z, limits: { seconds: 3 } }).work(A, Z, () => { for (;;); }).build();',
    );
    const failure = await failureFrom(FlowRuntime.new(graph, { n: 0 }).next(space.context));
    expect(failure).toMatchObject({ node: 'A', variant: 'LimitExceeded', details: { limit: 'seconds' } });
  });

  it('is refused when its source is another one than when the run began', async () => {
    using space = new TestWorkspace();
    const source = (by: number) => `export default defineFlow({ input: A, output: Z }).work(A, Z, ({ n }) => n * ${by}).build();`;
    const graph = await graphOf(space, source(2));
    const run = FlowRuntime.new(graph, { n: 2 });
    const changed = await graphOf(space, source(3));
    expect(changed.hash).not.toBe(graph.hash);
    const failure = await failureFrom(run.next(space.context));
    expect(failure).toMatchObject({
      variant: 'HandlerError',
      retryable: false,
      message: expect.stringContaining('was changed after this run started'),
    });
    run.dispose();
    await graphOf(space, source(2));
    expect(await outputOf(space, run)).toBe(4);
    run.dispose();
  });
});
