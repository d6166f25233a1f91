import { describe, expect, it } from 'vitest';
import { FlowRuntime } from '#main/engine/flow-runtime.ts';
import {
  each,
  either,
  expr,
  type FlowSketch,
  flowOf,
  fork,
  join,
  type NodeSketch,
  pure,
  quietContext,
  suspend,
  work,
} from '#main/engine/testing/flows.ts';
import { MemoryRecorder } from '#main/engine/testing/memory-recorder.ts';
import { failureFrom, goOn } from '#main/engine/testing/run-to-end.ts';
import { TestWorkspace } from '#main/engine/testing/workspace.ts';
import type { FlowGraph, NodeBody } from '#shared/flow/graph.ts';
import type { Json, JsonObject } from '#shared/json.ts';
import type { RunOutcome, Snapshot } from '#shared/run/snapshot.ts';

const name = 'flow:./inner.flow.json';
const append = (data: string): NodeBody => ({ type: 'tool', tool: 'storage', with: { path: 'log.txt', action: 'append', data } });

/** A flow of these nodes that calls `inner` as its tool. */
function calling(inner: FlowGraph, nodes: readonly NodeSketch[], sketch: FlowSketch = {}): FlowGraph {
  return flowOf(nodes, { ...sketch, tools: { [name]: inner } });
}

function agent(model: string, from = 'A', to = 'Z', tools: string[] = [name]): NodeSketch {
  return { kind: 'agent', from: [from], to: [to], body: { type: 'agent', agent: { model, tools } } };
}

const calls = (...inputs: JsonObject[]): Json => ({ tool_calls: inputs.map((input) => ({ tool: name, input })) });

const double = flowOf([work('N', 'M', expr('n * 2')), work('M', 'O', expr('{ doubled: input }'))], {
  schemas: { N: { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] } },
});

/** The run as another process would have it. */
function restored(graph: FlowGraph, runtime: FlowRuntime, recorder?: MemoryRecorder): FlowRuntime {
  const { snapshot, history } = JSON.parse(JSON.stringify({ snapshot: runtime.snapshot(), history: runtime.history() }));
  return FlowRuntime.fromSnapshot(graph, snapshot as Snapshot, { recorder }).withHistory(history);
}

/** Drives a run to its end or next question, as another process before each transition. */
async function driven(graph: FlowGraph, space: TestWorkspace, recorder: MemoryRecorder, input: Json = {}): Promise<RunOutcome> {
  let runtime = FlowRuntime.new<unknown>(graph, input, { recorder });
  for (;;) {
    const outcome = await runtime.next(space.context);
    if (outcome.type !== 'continue') return outcome;
    runtime = restored(graph, runtime, recorder);
  }
}

const placesOf = ({ records }: MemoryRecorder): string[] => records.map(({ node, phase }) => (phase ? `${node} ${phase}` : node));

describe('a flow that an agent calls', () => {
  it('runs in steps of its own between two acts, each call in its turn', async () => {
    using space = new TestWorkspace();
    const tool_calls: Json = [
      { tool: name, input: { n: 1 } },
      { tool: 'storage', input: { path: 'log.txt', action: 'append', data: 'x' } },
      { tool: name, input: { n: 5 } },
    ];
    const model = space.script({ tool_calls }, { expect: { contains: '"doubled":10' }, output: 'ok' });
    const recorder = new MemoryRecorder();
    const graph = calling(double, [agent(model, 'A', 'Z', [name, 'storage'])]);
    expect(await driven(graph, space, recorder)).toEqual({ type: 'done', output: 'ok' });
    expect(placesOf(recorder)).toEqual([
      'A reason',
      'A act',
      'A::flow:./inner.flow.json[call_0_1_0]::N',
      'A::flow:./inner.flow.json[call_0_1_0]::M',
      'A::flow:./inner.flow.json[call_0_1_2]::N',
      'A::flow:./inner.flow.json[call_0_1_2]::M',
      'A act',
      'A reason',
      'A act',
    ]);
    // The first act commits the ordinary call's result and opens the frames.
    const opened = recorder.records[1]?.control;
    expect(Object.keys(opened?.frames ?? {})).toEqual(['A::flow:./inner.flow.json[call_0_1_0]', 'A::flow:./inner.flow.json[call_0_1_2]']);
    expect(opened?.agents.A?.pending.map(({ result }) => result !== undefined)).toEqual([false, true, false]);
    expect(recorder.records[4]?.inner).toEqual({ consumed: [{ name: 'N', value: { n: 5 } }], produced: [{ name: 'M', value: 10 }] });
    // The last one collects: one message with all results in call order, and no frames left.
    const [message] = recorder.records[6]?.history.A ?? [];
    expect(message?.content.map((part) => part.type === 'tool_result' && part.result)).toEqual([
      { doubled: 2 },
      expect.anything(),
      { doubled: 10 },
    ]);
    expect(recorder.records[6]?.control.frames).toEqual({});
    expect(space.count('tool_call')).toBe(4);
    expect(space.count('tool_result')).toBe(4);
  });

  it('emits the events of its steps under the call', async () => {
    using space = new TestWorkspace();
    const graph = calling(double, [agent(space.script(calls({ n: 1 }), { output: 'ok' }))]);
    await driven(graph, space, new MemoryRecorder());
    const inside = space.events.filter(({ parent_span_id }) => parent_span_id === 'call_0_1_0');
    expect(inside.map((event) => [event.type, 'node' in event && event.node, event.seq])).toEqual([
      ['node_enter', 'A::flow:./inner.flow.json[call_0_1_0]::N', 3],
      ['node_exit', 'A::flow:./inner.flow.json[call_0_1_0]::N', 3],
      ['node_enter', 'A::flow:./inner.flow.json[call_0_1_0]::M', 4],
      ['node_exit', 'A::flow:./inner.flow.json[call_0_1_0]::M', 4],
    ]);
  });

  it('runs within one step of a run of engine 1', async () => {
    using space = new TestWorkspace();
    const recorder = new MemoryRecorder();
    const graph = calling(double, [agent(space.script(calls({ n: 1 }), { output: 'ok' }))]);
    expect(await goOn(FlowRuntime.new(graph, {}, { recorder, engine: 1 }), space.context)).toMatchObject({ output: 'ok' });
    expect(placesOf(recorder)).toEqual(['A reason', 'A act', 'A reason', 'A act']);
  });

  it('is called in items, calls flows itself, and contains each nodes and agents', async () => {
    using space = new TestWorkspace();
    const model = space.script(calls({ n: 1 }), { output: { n: 7 } });
    const list = flowOf([work('N', 'L', expr('[{ n: n }]')), each('L', 'R', flowOf([work('I', 'J')])), work('R', 'O')]);
    const middle = calling(list, [agent(model, 'B', 'C')]);
    const outer = calling(middle, [agent(model, 'I', 'J')]);
    const recorder = new MemoryRecorder();
    const graph = flowOf([each('L', 'R', outer)]);
    expect(await driven(graph, space, recorder, [{}, {}])).toEqual({ type: 'done', output: [{ n: 7 }, { n: 7 }] });
    const deepest = placesOf(recorder).filter((place) => place.endsWith('::I'));
    expect(deepest).toHaveLength(2);
    expect(deepest[1]).toMatch(
      /^L\[1\]::I::flow:\.\/inner\.flow\.json\[call_[\d-]+_1_0\]::B::flow:\.\/inner\.flow\.json\[call_[\d-]+_1_0\]::L\[0\]::I$/,
    );
    // Scripts start from the beginning in each call and leave nothing behind.
    expect(Object.keys(recorder.records.at(-1)?.control.script_positions ?? {})).toEqual(['L[0]::I', 'L[1]::I']);
  });

  it('draws on the limits of the run', async () => {
    using space = new TestWorkspace();
    const graph = calling(double, [agent(space.script(calls({ n: 1 }), { output: 'ok' }))], { limits: { steps: 3 } });
    const failure = await failureFrom(driven(graph, space, new MemoryRecorder()));
    expect(failure).toMatchObject({ variant: 'LimitExceeded', node: 'A' });
  });

  it('keeps ids apart that contain brackets', async () => {
    using space = new TestWorkspace();
    const path = 'flow:./a[1]::%5B.flow.json';
    const model = space.script({ tool_calls: [{ tool: path, input: { n: 1 } }] }, { output: 'ok' });
    const graph = flowOf([agent(model, 'A', 'Z', [path])], { tools: { [path]: double } });
    const recorder = new MemoryRecorder();
    expect(await driven(graph, space, recorder)).toMatchObject({ output: 'ok' });
    expect(placesOf(recorder)[2]).toBe('A::flow:./a%5B1%5D:%3A%255B.flow.json[call_0_1_0]::N');
  });
});

describe('a called flow that fails', () => {
  it.each<[string, FlowGraph, JsonObject, string]>([
    ['a body throws', flowOf([work('N', 'O', expr('nothing'))]), {}, 'failed at N'],
    ['its input does not fit', double, { n: 'x' }, 'cannot take this input'],
    [
      'nothing can fire',
      flowOf([either('N', ['L', 'M'], expr('true')), fork('M', ['P', 'Q']), work('L', 'X'), join(['X', 'P'], 'Y'), join(['Y', 'Q'], 'O')]),
      {},
      'Nothing can fire',
    ],
    ['an item does not fit', flowOf([work('N', 'L', expr('[1]')), each('L', 'O', double)]), {}, 'Item 0 of'],
    ['a list is not an array', flowOf([each('N', 'O', double)]), {}, 'is not an array'],
  ])('gives the failure to the model: %s', async (_name, inner, input, text) => {
    using space = new TestWorkspace();
    const model = space.script(calls(input), { expect: { contains: text }, output: 'ok' });
    const recorder = new MemoryRecorder();
    expect(await driven(calling(inner, [agent(model)]), space, recorder)).toEqual({ type: 'done', output: 'ok' });
    expect(space.count('error')).toBe(0);
    expect(recorder.records.at(-1)?.control).toMatchObject({ frames: {}, agents: {} });
  });

  it('ends what was in progress inside it, and the calls after it run', async () => {
    using space = new TestWorkspace();
    const failing = flowOf([work('N', 'L', expr('[1, 2]')), each('L', 'O', flowOf([work('I', 'J', expr('input > 1 ? nothing : 1'))]))]);
    const model = space.script(calls({}, {}), { expect: { contains: 'failed at L[1]::I' }, output: 'ok' });
    const recorder = new MemoryRecorder();
    expect(await driven(calling(failing, [agent(model)]), space, recorder)).toMatchObject({ output: 'ok' });
    expect(space.calls.filter(([tool]) => tool === name)).toHaveLength(2);
    const failed = recorder.records[5]?.control.frames;
    expect(Object.values(failed ?? {}).map(({ index, call }) => [index, call?.error?.variant])).toEqual([
      [1, 'HandlerError'],
      [0, undefined],
    ]);
  });

  it('fails the run where it is cancelled', async () => {
    const abort = new AbortController();
    using space = new TestWorkspace({ signal: abort.signal });
    const stops = flowOf([
      work(
        'N',
        'M',
        pure(() => abort.abort() ?? 1),
      ),
      work('M', 'O'),
    ]);
    const runtime = FlowRuntime.new(calling(stops, [agent(space.script(calls({})))]), {});
    expect(await failureFrom(goOn(runtime, space.context))).toMatchObject({ variant: 'Cancelled' });
  });

  it('fails the run where nothing can be recorded', async () => {
    using space = new TestWorkspace();
    const graph = calling(flowOf([work('N', 'O', append('x'))]), [agent(space.script(calls({}), { output: 'told' }))]);
    const recorder = new MemoryRecorder();
    recorder.crashAt = (place, { kind }) => place === 'in' && kind === 'tool';
    const runtime = FlowRuntime.new(graph, {}, { recorder });
    await expect(goOn(runtime, space.context)).rejects.toThrow();
    expect(runtime.nextNode).toBe('A::flow:./inner.flow.json[call_0_1_0]::N');
  });
});

describe('a called flow that asks', () => {
  const asks = flowOf([work('N', 'Q', append('once;')), suspend('Q', 'R'), work('R', 'S', append('then;')), suspend('S', 'O')], {
    schemas: { R: { type: 'string' }, O: { type: 'string' } },
  });

  it('asks as the outermost call, and continues from the answer in another process', async () => {
    using space = new TestWorkspace();
    const model = space.script(calls({}), { output: 'bye' });
    const graph = calling(calling(asks, [agent(model, 'B', 'C')]), [agent(model)]);
    const recorder = new MemoryRecorder();
    const inner = /^A::flow:\.\/inner\.flow\.json\[call_0_1_0\]::B::flow:\.\/inner\.flow\.json\[call_0-1-0-0_1_0\]::Q$/;
    let runtime = FlowRuntime.new(graph, {}, { recorder });
    const first = await goOn(runtime, space.context);
    expect(first).toMatchObject({ reason: 'suspend_node', tool_id: `A::${name}`, node: expect.stringMatching(inner) });
    expect((first as { inner_tool_id?: string }).inner_tool_id).toMatch(/::Q::suspend$/);
    runtime = restored(graph, runtime, recorder);
    expect(await failureFrom(runtime.resume(space.context, `A::${name}`, 1))).toMatchObject({ variant: 'DeserializeError' });
    await runtime.resume(space.context, `A::${name}`, 'yes');
    expect(await goOn(runtime, space.context)).toMatchObject({ type: 'suspend', tool_id: `A::${name}` });
    runtime = restored(graph, runtime, recorder);
    await runtime.resume(space.context, `A::${name}`, 'bye');
    expect(await goOn(runtime, space.context)).toEqual({ type: 'done', output: 'bye' });
    expect(space.read('log.txt')).toBe('once;then;');
    expect(space.events.filter(({ type }) => type === 'suspended').map(({ parent_span_id }) => parent_span_id)).toEqual([
      'call_0-1-0-0_1_0',
      'call_0-1-0-0_1_0',
    ]);
  });

  it('waits for the approval of a call before any flow of the turn begins', async () => {
    using space = new TestWorkspace();
    const tools = [{ use: name, approve: 'always' as const }, 'write_file'];
    const tool_calls: Json = [
      { tool: name, input: { n: 1 } },
      { tool: name, input: { n: 2 } },
    ];
    const model = space.script({ tool_calls }, { expect: { contains: 'refused' }, output: 'ok' });
    const graph = calling(double, [{ kind: 'agent', from: ['A'], to: ['Z'], body: { type: 'agent', agent: { model, tools } } }]);
    const recorder = new MemoryRecorder();
    let runtime = FlowRuntime.new(graph, {}, { recorder });
    expect(await goOn(runtime, space.context)).toMatchObject({ reason: 'approval', tool_id: `A::${name}`, node: 'A' });
    runtime = restored(graph, runtime, recorder);
    await runtime.resume(space.context, `A::${name}`, { approve: true, input: { n: 4 } }, { tool_call_id: 'call_0_1_0' });
    expect(placesOf(recorder).filter((place) => place.includes('['))).toEqual([]);
    runtime = restored(graph, runtime, recorder);
    await runtime.resume(space.context, `A::${name}`, { approve: false }, { tool_call_id: 'call_0_1_1' });
    expect(await goOn(runtime, space.context)).toMatchObject({ type: 'done', output: 'ok' });
    expect(space.calls.map(([tool, result]) => [tool, result])).toContainEqual([name, { doubled: 8 }]);
    expect(space.events.filter(({ type }) => type === 'tool_call')).toHaveLength(3);
  });

  it('passes the approval of a call inside it on', async () => {
    using space = new TestWorkspace();
    const input = { path: 'note.txt', content: 'x' };
    const agentThatWrites: NodeSketch = {
      kind: 'agent',
      from: ['N'],
      to: ['O'],
      body: { type: 'agent', agent: { model: 'script://inner.json', tools: [{ use: 'write_file', approve: 'always' }] } },
    };
    space.write('inner.json', JSON.stringify({ turns: [{ tool_calls: [{ tool: 'write_file', input }] }, { output: 'done' }] }));
    const graph = calling(flowOf([agentThatWrites]), [agent(space.script(calls({}), { output: 'ok' }))]);
    const runtime = FlowRuntime.new(graph, {}, { recorder: new MemoryRecorder() });
    expect(await goOn(runtime, space.context)).toMatchObject({ reason: 'approval', tool_id: `A::${name}`, value: { tool: 'write_file' } });
    await runtime.resume(space.context, `A::${name}`, { approve: true, input: { ...input, content: 'edited' } });
    expect(await goOn(runtime, space.context)).toMatchObject({ type: 'done', output: 'ok' });
    expect(space.read('note.txt')).toBe('edited');
  });
});

describe('a called flow whose process ended', () => {
  const two = flowOf([work('N', 'M', append('one;')), work('M', 'P', expr('1')), work('P', 'O', append('two;'))]);

  it.each<['in' | 'after', number, Json[], string]>([
    ['after', 1, [], 'one;two;'],
    ['after', 2, [], 'one;two;'],
    ['in', 2, [{ retry: true }], 'one;two;'],
    ['in', 2, [{ result: 'by hand' }], 'one;'],
  ])('%s its effect %i, repeats nothing', async (place, which, answers, log) => {
    using space = new TestWorkspace();
    const graph = calling(two, [agent(space.script(calls({}), { output: 'ok' }))]);
    const recorder = new MemoryRecorder();
    let met = 0;
    recorder.crashAt = (where, { kind }) => where === place && kind === 'tool' && ++met === which;
    let runtime = FlowRuntime.new(graph, {}, { recorder, run_id: 'run' });
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

  it('repeats its model call without asking', async () => {
    using space = new TestWorkspace();
    const said = flowOf([{ kind: 'agent', from: ['N'], to: ['O'], body: { type: 'agent', agent: { model: 'script://script.json' } } }]);
    const graph = calling(said, [agent(space.script(calls({}), { output: 'ok' }))]);
    const recorder = new MemoryRecorder();
    recorder.crashAt = (where, { node }) => where === 'in' && node.endsWith('::N');
    const runtime = FlowRuntime.new(graph, {}, { recorder, run_id: 'run' });
    await failureFrom(goOn(runtime, space.context));
    recorder.crashAt = () => false;
    expect(await goOn(restored(graph, runtime, recorder), space.context)).toMatchObject({ output: 'ok' });
  });
});

describe('a snapshot inside a called flow', () => {
  it.each<[string, (text: string) => string]>([
    ['another node', (text) => text.replaceAll('[call_0_1_0]', '[call_9_9]')],
    ['a flow that the agent does not call', (text) => text.replaceAll('"flow":"flow:./inner.flow.json"', '"flow":"flow:./other.json"')],
    ['an unknown state', (text) => text.replace('"states":[{"name":"M"', '"states":[{"name":"X"')],
    ['a result and states', (text) => text.replace('"index":0', '"index":1')],
  ])('is refused if damaged: %s', async (_name, damage) => {
    using space = new TestWorkspace();
    const graph = calling(double, [agent(space.script(calls({ n: 1 })))]);
    const runtime = FlowRuntime.new(graph, {});
    for (let step = 0; step < 3; step += 1) await runtime.next(space.context);
    const text = JSON.stringify(runtime.snapshot());
    expect(() => FlowRuntime.fromSnapshot(graph, JSON.parse(text) as Snapshot)).not.toThrow();
    const damaged = JSON.parse(damage(text).replace('"frame":"A::flow:./inner.flow.json[call_9_9]"', '"frame":"none"')) as Snapshot;
    expect(() => FlowRuntime.fromSnapshot(graph, damaged)).toThrow(expect.objectContaining({ variant: 'SnapLoadError' }));
  });
});

it('refuses calls deeper than 64 levels', async () => {
  using space = new TestWorkspace();
  const model = space.script(calls({ n: 1 }), { output: { n: 1 } });
  let graph: FlowGraph = double;
  for (let level = 0; level < 66; level += 1) graph = calling(graph, [agent(model)], { limits: { steps: 1e5, model_calls: 1e5 } });
  const runtime = FlowRuntime.new(graph, {});
  expect(await goOn(runtime, { ...quietContext(), ...space.context })).toMatchObject({ type: 'done' });
  expect(space.calls.filter(([, result]) => String(result).includes('64 levels deep'))).toHaveLength(1);
});
