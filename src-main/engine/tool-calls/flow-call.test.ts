import { describe, expect, it } from 'vitest';
import { FlowRuntime } from '#main/engine/flow-runtime.ts';
import { each, expr, type FlowSketch, flowOf, type NodeSketch, quietContext, run, suspend, work } from '#main/engine/testing/flows.ts';
import { MemoryRecorder } from '#main/engine/testing/memory-recorder.ts';
import { failureFrom, goOn, outputOf } from '#main/engine/testing/run-to-end.ts';
import { TestWorkspace } from '#main/engine/testing/workspace.ts';
import type { FlowGraph, NodeBody } from '#shared/flow/graph.ts';
import type { Json, JsonObject } from '#shared/json.ts';
import type { Snapshot } from '#shared/run/snapshot.ts';

const name = 'flow:./inner.flow.json';
const call = (input: JsonObject = {}): NodeBody => ({ type: 'tool', tool: name, with: input });
const append = (data: string): NodeBody => ({ type: 'tool', tool: 'storage', with: { path: 'log.txt', action: 'append', data } });

/** A flow of these nodes that calls `inner` as its tool. */
function calling(inner: FlowGraph, nodes: readonly NodeSketch[], sketch: FlowSketch = {}): FlowGraph {
  return flowOf(nodes, { ...sketch, tools: { [name]: inner } });
}

function agent(model: string): NodeSketch {
  return { kind: 'agent', from: ['A'], to: ['Z'], body: { type: 'agent', agent: { model, tools: [name] } } };
}

/** The run as another process would have it. */
function restored(graph: FlowGraph, runtime: FlowRuntime, recorder?: MemoryRecorder): FlowRuntime {
  const { snapshot, history } = JSON.parse(JSON.stringify({ snapshot: runtime.snapshot(), history: runtime.history() }));
  return FlowRuntime.fromSnapshot(graph, snapshot as Snapshot, { recorder, engine: 1 }).withHistory(history);
}

const double = flowOf([work('N', 'M', expr('n * 2')), work('M', 'O', expr('{ doubled: input }'))], {
  schemas: { N: { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] } },
});

describe('a flow as a tool', () => {
  it('takes the flow’s input and gives its output, from a tool body, a handler and an agent', async () => {
    using space = new TestWorkspace();
    expect(await outputOf(calling(double, [work('A', 'Z', call({ n: '{n}' }))]), { n: 3 }, space.context)).toEqual({ doubled: 6 });
    const handler = run(`async ({ n }, ctx) => (await ctx.tools['${name}']({ n })).doubled`, name);
    expect(await outputOf(calling(double, [work('A', 'Z', handler)]), { n: 4 }, space.context)).toBe(8);
    const model = space.script({ tool_calls: [{ tool: name, input: { n: 5 } }] }, { expect: { contains: 'doubled' }, output: 'ok' });
    expect(await outputOf(calling(double, [agent(model)]), {}, space.context)).toBe('ok');
  });

  it('may be called in an item of an each node, and by a flow that is a tool itself', async () => {
    const outer = calling(double, [work('N', 'O', call({ n: '{n}' }))]);
    const graph = flowOf([each('L', 'R', calling(outer, [work('I', 'J', call({ n: '{n}' }))]))]);
    expect(await outputOf(graph, [{ n: 1 }, { n: 2 }], quietContext())).toEqual([{ doubled: 2 }, { doubled: 4 }]);
  });

  it('wraps an input that is no object, and takes any object where the schema names no fields', async () => {
    const text = flowOf([work('T', 'O', expr('upper(input)'))], { schemas: { T: { type: 'string' } } });
    expect(await outputOf(calling(text, [work('A', 'Z', call({ input: 'hi' }))]), {}, quietContext())).toBe('HI');
    const any = flowOf([work('T', 'O')]);
    expect(await outputOf(calling(any, [work('A', 'Z', call({ x: 1 }))]), {}, quietContext())).toEqual({ x: 1 });
  });

  it('refuses input that misses the schema, as every tool does', async () => {
    expect(await failureFrom(outputOf(calling(double, [work('A', 'Z', call({ n: 'x' }))]), {}, quietContext()))).toMatchObject({
      type: 'ToolError',
      variant: 'Deserialize',
      node: 'A',
      tool_id: `A::${name}`,
    });
  });

  it('emits its events under the call, with their values', async () => {
    using space = new TestWorkspace();
    await outputOf(calling(double, [work('A', 'Z', call({ n: 1 }))]), {}, space.context);
    const told = space.events.map((event) => [event.type, 'node' in event && event.node, event.parent_span_id, event.seq]);
    expect(told).toEqual([
      ['node_enter', 'A', undefined, 1],
      ['tool_call', 'A', undefined, 1],
      ['node_enter', 'N', 'call_0', 1],
      ['node_exit', 'N', 'call_0', 1],
      ['node_enter', 'M', 'call_0', 1],
      ['node_exit', 'M', 'call_0', 1],
      ['tool_result', 'A', undefined, 1],
      ['node_exit', 'A', undefined, 1],
    ]);
    expect(space.events[3]).toMatchObject({ consumed: { N: { n: 1 } }, produced: { M: 2 } });
  });

  it('gives its failure to the model, and fails the step of a tool body', async () => {
    using space = new TestWorkspace();
    const failing = flowOf([work('N', 'O', expr('nothing'))]);
    const model = space.script({ tool_calls: [{ tool: name, input: {} }] }, { expect: { contains: 'failed at N' }, output: 'ok' });
    expect(await outputOf(calling(failing, [agent(model)]), {}, space.context)).toBe('ok');
    expect(space.events.filter(({ type }) => type === 'error')).toEqual([]);
    expect(await failureFrom(outputOf(calling(failing, [work('A', 'Z', call())]), {}, space.context))).toMatchObject({
      type: 'ToolError',
      variant: 'Other',
      node: 'A',
      cause: { variant: 'HandlerError', node: 'N' },
    });
  });

  it('draws on the limits of the run, steps and model calls', async () => {
    using space = new TestWorkspace();
    const graph = calling(double, [work('A', 'B', call({ n: 1 })), work('B', 'C', call({ n: 1 })), work('C', 'Z')], {
      limits: { steps: 5 },
    });
    const runtime = FlowRuntime.new(graph, {});
    await runtime.next(space.context);
    expect(runtime.snapshot().control.counters.steps).toBe(3);
    expect(await failureFrom(runtime.next(space.context))).toMatchObject({ variant: 'LimitExceeded', node: 'B' });
    const model = space.script({ text: 'one' });
    const says = flowOf([{ kind: 'agent', from: ['Q'], to: ['R'], body: { type: 'agent', agent: { model, mode: 'chat' } } }], {
      schemas: { R: { type: 'string' } },
    });
    const few = calling(says, [work('A', 'B', call()), work('B', 'Z', call())], { limits: { model_calls: 1 } });
    expect(await failureFrom(outputOf(few, {}, space.context))).toMatchObject({ variant: 'LimitExceeded', node: 'B' });
  });

  it('is cancelled with its caller', async () => {
    const abort = new AbortController();
    const stops = flowOf([work('N', 'M', { type: 'function', pure: true, tools: [], call: () => abort.abort() ?? 1 }), work('M', 'O')]);
    const ctx = quietContext({ signal: abort.signal });
    expect(await failureFrom(outputOf(calling(stops, [work('A', 'Z', call())]), {}, ctx))).toMatchObject({
      variant: 'Cancelled',
      node: 'A',
    });
  });
});

describe('a flow as a tool that asks', () => {
  const asks = flowOf([work('N', 'Q', append('once;')), suspend('Q', 'R'), work('R', 'S', append('then;')), suspend('S', 'O')], {
    schemas: { R: { type: 'string' }, O: { type: 'string' } },
  });

  it.each<[string, (space: TestWorkspace) => NodeSketch]>([
    ['a tool body', () => work('A', 'Z', call())],
    ['a handler', () => work('A', 'Z', run(`async (a, ctx) => ctx.tools['${name}']({})`, name))],
    ['an agent', (space) => agent(space.script({ tool_calls: [{ tool: name, input: {} }] }, { output: 'bye' }))],
  ])('is %s’s question, answered in another process, and nothing is done twice', async (_name, node) => {
    using space = new TestWorkspace();
    const graph = calling(asks, [node(space)]);
    let runtime = FlowRuntime.new(graph, {}, { engine: 1 });
    const first = await goOn(runtime, space.context);
    expect(first).toMatchObject({ type: 'suspend', reason: 'call', tool_id: `A::${name}`, node: 'A', payload_schema: { type: 'string' } });
    const firstId = (first as { readonly tool_call_id: string }).tool_call_id;
    runtime = restored(graph, runtime);
    expect(await failureFrom(runtime.resume(space.context, `A::${name}`, 1))).toMatchObject({ variant: 'DeserializeError' });
    const second = await runtime.resume(space.context, `A::${name}`, 'yes', { tool_call_id: firstId });
    expect(second).toMatchObject({ type: 'suspend', tool_id: `A::${name}` });
    expect(await failureFrom(runtime.resume(space.context, `A::${name}`, 'yes', { tool_call_id: firstId }))).toMatchObject({
      variant: 'ResumeMismatchError',
    });
    runtime = restored(graph, runtime);
    await runtime.resume(space.context, `A::${name}`, 'bye');
    expect(await goOn(runtime, space.context)).toEqual({ type: 'done', output: 'bye' });
    expect(space.read('log.txt')).toBe('once;then;');
    expect(space.count('suspended')).toBe(2);
    expect(space.count('resumed')).toBe(2);
    expect(space.count('tool_result')).toBeGreaterThanOrEqual(3);
  });

  it('may be called several times in one act, each asked by itself', async () => {
    using space = new TestWorkspace();
    const one = flowOf([suspend('N', 'O')], { schemas: { O: { type: 'string' } } });
    const model = space.script(
      {
        tool_calls: [
          { tool: name, input: { n: 1 } },
          { tool: name, input: { n: 2 } },
        ],
      },
      { expect: { contains: 'second' }, output: 'ok' },
    );
    const graph = calling(one, [agent(model)]);
    let runtime = FlowRuntime.new(graph, {}, { engine: 1 });
    const first = await goOn(runtime, space.context);
    expect(first).toMatchObject({ type: 'suspend', value: { n: 1 } });
    expect(await failureFrom(runtime.resume(space.context, `A::${name}`, 'x'))).toMatchObject({ variant: 'ResumeMismatchError' });
    const { tool_call_id } = first as { readonly tool_call_id: string };
    runtime = restored(graph, runtime);
    expect(await runtime.resume(space.context, `A::${name}`, 'first', { tool_call_id })).toMatchObject({
      type: 'suspend',
      value: { n: 2 },
    });
    runtime = restored(graph, runtime);
    await runtime.resume(space.context, `A::${name}`, 'second');
    expect(await goOn(runtime, space.context)).toEqual({ type: 'done', output: 'ok' });
  });

  it('passes an approval on, and asks for one of its own before it begins', async () => {
    using space = new TestWorkspace();
    const input = { path: 'note.txt', content: 'x' };
    const writes = flowOf([
      work('N', 'O', {
        type: 'run',
        source: `async (n, ctx) => ctx.tools.write_file(${JSON.stringify(input)})`,
        tools: [{ use: 'write_file', approve: 'always' }],
      }),
    ]);
    const body = run(`async (a, ctx) => ctx.tools['${name}']({})`);
    const graph = calling(writes, [work('A', 'Z', { ...body, tools: [{ use: name, approve: 'always' }] } as NodeBody)]);
    const runtime = FlowRuntime.new(graph, {});
    expect(await goOn(runtime, space.context)).toMatchObject({ reason: 'approval', value: { tool: name } });
    expect(await runtime.resume(space.context, `A::${name}`, { approve: true })).toMatchObject({
      reason: 'approval',
      value: { tool: 'write_file', input },
    });
    expect(await runtime.resume(space.context, `A::${name}`, { approve: true, input: { ...input, content: 'edited' } })).toMatchObject({
      type: 'done',
    });
    expect(space.read('note.txt')).toBe('edited');
  });

  it('takes no snapshot in which its own run is damaged', async () => {
    const graph = calling(flowOf([suspend('N', 'O')]), [work('A', 'Z', call())]);
    const runtime = FlowRuntime.new(graph, {});
    await goOn(runtime);
    const text = JSON.stringify(runtime.snapshot());
    const damaged = JSON.parse(text.replace('"states":[{"name":"N"', '"states":[{"name":"X"')) as Snapshot;
    expect(() => FlowRuntime.fromSnapshot(graph, damaged)).toThrow(expect.objectContaining({ variant: 'SnapLoadError' }));
    expect(() => FlowRuntime.fromSnapshot(graph, JSON.parse(text) as Snapshot)).not.toThrow();
  });
});

it('fails the caller’s step, and sends nothing to a model, if nothing can be recorded', async () => {
  using space = new TestWorkspace();
  const writes = flowOf([work('N', 'O', append('x'))]);
  const graph = calling(writes, [agent(space.script({ tool_calls: [{ tool: name, input: {} }] }, { output: 'told' }))]);
  const recorder = new MemoryRecorder();
  recorder.crashAt = (place, { kind }) => place === 'in' && kind === 'tool';
  const runtime = FlowRuntime.new(graph, {}, { recorder, engine: 1 });
  await runtime.next(space.context);
  await expect(runtime.next(space.context)).rejects.toThrow();
  expect(runtime.snapshot().control.agents.A).toMatchObject({ phase: 'act', pending: [{ tool: name }] });
});

describe('a flow as a tool whose process ended', () => {
  const two = flowOf([work('N', 'M', append('one;')), work('M', 'P', expr('1')), work('P', 'O', append('two;'))]);

  it.each<['in' | 'after', number, Json[], string]>([
    ['after', 1, [], 'one;two;'],
    ['after', 2, [], 'one;two;'],
    ['in', 2, [{ retry: true }], 'one;two;'],
    ['in', 2, [{ result: 'by hand' }], 'one;'],
  ])('%s its effect %i, repeats nothing', async (place, which, answers, log) => {
    using space = new TestWorkspace();
    const graph = calling(two, [work('A', 'Z', run(`async (a, ctx) => [await ctx.tools['${name}']({}), ctx.now()]`, name))]);
    const recorder = new MemoryRecorder();
    let met = 0;
    recorder.crashAt = (where, { kind }) => where === place && kind === 'tool' && ++met === which;
    let runtime = FlowRuntime.new(graph, {}, { recorder, run_id: 'run', engine: 1 });
    await failureFrom(goOn(runtime, space.context));
    recorder.crashAt = () => false;
    runtime = restored(graph, runtime, recorder);
    for (const answer of answers) {
      expect(await goOn(runtime, space.context)).toMatchObject({ reason: 'unknown_outcome', tool_id: `A::${name}` });
      runtime = restored(graph, runtime, recorder);
      await runtime.resume(space.context, `A::${name}`, answer);
    }
    expect(await goOn(runtime, space.context)).toMatchObject({ type: 'done' });
    expect(space.read('log.txt')).toBe(log);
  });
});
