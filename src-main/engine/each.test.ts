import { describe, expect, it } from 'vitest';
import { each, expr, flowOf, fork, join, pure, quietContext, suspend, work } from '#main/engine/testing/flows.ts';
import { MemoryRecorder } from '#main/engine/testing/memory-recorder.ts';
import { failureFrom, goOn, outputOf } from '#main/engine/testing/run-to-end.ts';
import { TestWorkspace } from '#main/engine/testing/workspace.ts';
import type { NodeBody } from '#shared/flow/graph.ts';
import type { Json } from '#shared/json.ts';
import type { Snapshot } from '#shared/run/snapshot.ts';
import { FlowRuntime } from './flow-runtime.ts';

const item = flowOf([work('Item', 'Mid', expr('input + 1')), work('Mid', 'Out', expr('input * 2'))], {
  schemas: { Item: { type: 'integer' } },
});
const items = flowOf([each('List', 'Results', item)]);
const json = (value: unknown) => JSON.parse(JSON.stringify(value)) as Json;

describe('an each node', () => {
  it('runs the inner flow once an item, in order, one transition a call', async () => {
    const recorder = new MemoryRecorder();
    const runtime = FlowRuntime.new(items, [1, 2], { recorder });
    const next: (string | null)[] = [];
    const frames: unknown[] = [];
    let outcome: { readonly type: string } = { type: 'continue' };
    while (outcome.type === 'continue') {
      next.push(runtime.nextNode);
      outcome = await runtime.next(quietContext());
      frames.push(json(runtime.snapshot().control.frames));
    }
    expect(outcome).toEqual({ type: 'done', output: [4, 6] });
    expect(next).toEqual(['List', 'List[0]::Mid', 'List[1]::Item', 'List[1]::Mid', 'List']);
    expect(frames).toEqual([
      { List: { index: 0, states: [{ name: 'Mid', value: 2 }], results: [], made: 1 } },
      { List: { index: 1, states: [], results: [[4]] } },
      { List: { index: 1, states: [{ name: 'Mid', value: 3 }], results: [[4]], made: 1 } },
      { List: { index: 2, states: [], results: [[4, 6]] } },
      {},
    ]);
    expect(runtime.snapshot()).toMatchObject({ seq: 5, control: { counters: { steps: 5 } } });
    expect(recorder.records.map(({ node, kind, consumed, produced, inner }) => [node, kind, consumed, produced, inner])).toEqual([
      ['List[0]::Item', 'work', [], [], { consumed: [{ name: 'Item', value: 1 }], produced: [{ name: 'Mid', value: 2 }] }],
      ['List[0]::Mid', 'work', [], [], { consumed: [{ name: 'Mid', value: 2 }], produced: [{ name: 'Out', value: 4 }] }],
      ['List[1]::Item', 'work', [], [], { consumed: [{ name: 'Item', value: 2 }], produced: [{ name: 'Mid', value: 3 }] }],
      ['List[1]::Mid', 'work', [], [], { consumed: [{ name: 'Mid', value: 3 }], produced: [{ name: 'Out', value: 6 }] }],
      ['List', 'each', ['List'], [{ name: 'Results', value: [4, 6] }], undefined],
    ]);
  });

  it('gives an empty list for an empty list', async () => {
    expect(await outputOf(items, [])).toEqual([]);
  });

  it('emits events of inner nodes with the names of their own states', async () => {
    using space = new TestWorkspace();
    await outputOf(items, [1], space.context);
    expect(space.events.map((event) => [event.type, 'node' in event && event.node, 'produced' in event && event.produced])).toEqual([
      ['node_enter', 'List[0]::Item', false],
      ['node_exit', 'List[0]::Item', ['Mid']],
      ['node_enter', 'List[0]::Mid', false],
      ['node_exit', 'List[0]::Mid', ['Out']],
      ['node_enter', 'List', false],
      ['node_exit', 'List', ['Results']],
    ]);
  });

  it('fails at the inner node of a failed item, keeps what is finished, and can be tried again', async () => {
    let broken = true;
    const call = (value: number) => {
      if (broken && value === 2) throw new Error('no twos');
      return value * 10;
    };
    const runtime = FlowRuntime.new(flowOf([each('List', 'Results', flowOf([work('Item', 'Out', pure(call))]))]), [1, 2, 3]);
    expect(await failureFrom(goOn(runtime))).toMatchObject({ variant: 'HandlerError', node: 'List[1]::Item' });
    expect(runtime.snapshot().control.frames).toEqual({ List: { index: 1, states: [], results: [[10]] } });
    expect(runtime.snapshot().states).toEqual([{ name: 'List', value: [1, 2, 3] }]);
    broken = false;
    expect(await goOn(runtime)).toEqual({ type: 'done', output: [10, 20, 30] });
  });

  it.each<[string, Json, object]>([
    ['an item that the inner flow does not take', [1, 'two'], { variant: 'DeserializeError', node: 'List[1]::Item' }],
    ['what is no list', { 0: 1 }, { variant: 'DeserializeError', node: 'List', details: { schema: 'List', path: '', keyword: 'type' } }],
  ])('refuses %s', async (_name, input, failure) => {
    expect(await failureFrom(outputOf(items, input))).toMatchObject(failure);
  });

  it('checks the list that it gives', async () => {
    const few = flowOf([each('List', 'Results', item)], { schemas: { Results: { type: 'array', maxItems: 1 } } });
    expect(await failureFrom(outputOf(few, [1, 2]))).toMatchObject({ variant: 'SerializeError', node: 'List' });
  });

  it('says where an item is stuck, and where it collides', async () => {
    const stuck = { ...flowOf([fork('A', ['B', 'C']), work('B', 'Z'), join(['C', 'D'], 'Y')]), output: 'Z' };
    expect(await failureFrom(outputOf(flowOf([each('List', 'R', stuck)]), [1]))).toMatchObject({
      variant: 'Deadlock',
      node: 'List[0]::C+D',
      details: { joins: [{ join: 'List[0]::C+D', waits_for: ['D'] }] },
    });
    const colliding = flowOf([fork('A', ['B', 'C']), work('B', 'Z'), work('C', 'Z')]);
    expect(await failureFrom(outputOf(flowOf([each('List', 'R', colliding)]), [1]))).toMatchObject({
      variant: 'StateConflict',
      node: 'List[0]::C',
    });
  });

  it('draws on the limits of the run', async () => {
    const runtime = FlowRuntime.new({ ...items, limits: { ...items.limits, steps: 3 } }, [1, 2]);
    expect(await failureFrom(goOn(runtime))).toMatchObject({ variant: 'LimitExceeded' });
    expect(runtime.snapshot().control).toMatchObject({ counters: { steps: 3 }, frames: { List: { index: 1, results: [[4]] } } });
  });

  it('nests', async () => {
    const inner = flowOf([work('Row', 'Cells'), each('Cells', 'Sums', item), work('Sums', 'Total', expr('sum(input)'))]);
    const runtime = FlowRuntime.new(flowOf([each('Rows', 'Totals', inner)]), [[1, 2], [], [3]]);
    await runtime.next(quietContext());
    await runtime.next(quietContext());
    expect(runtime.nextNode).toBe('Rows[0]::Cells[0]::Mid');
    expect(runtime.snapshot().control.frames).toEqual({
      Rows: { index: 0, states: [{ name: 'Cells', value: [1, 2] }], results: [], made: 2 },
      'Rows[0]::Cells': { index: 0, states: [{ name: 'Mid', value: 2 }], results: [], made: 1 },
    });
    expect(await goOn(runtime)).toEqual({ type: 'done', output: [10, 0, 8] });
    expect(runtime.snapshot().control.frames).toEqual({});
  });

  it('holds agents, each with a conversation of its own', async () => {
    using space = new TestWorkspace();
    const body: NodeBody = { type: 'agent', agent: { model: space.script({ text: 'hm' }, { output: 'yes' }), tools: ['ask_user'] } };
    const graph = flowOf([each('List', 'Results', flowOf([{ kind: 'agent', from: ['Q'], to: ['A'], body }]))]);
    const runtime = FlowRuntime.new(graph, ['one', 'two']);
    await runtime.next(space.context);
    expect(Object.keys(runtime.snapshot().control.agents)).toEqual(['List[0]::Q']);
    expect(await goOn(runtime, space.context)).toEqual({ type: 'done', output: ['yes', 'yes'] });
    expect(Object.entries(runtime.history()).map(([node, messages]) => [node, messages[0]?.content])).toEqual([
      ['List[0]::Q', [{ type: 'text', text: '"one"' }]],
      ['List[1]::Q', [{ type: 'text', text: '"two"' }]],
    ]);
    expect(runtime.snapshot().control).toMatchObject({
      agents: {},
      counters: { steps: 7, model_calls: 4 },
      script_positions: { 'List[0]::Q': 2, 'List[1]::Q': 2 },
    });
  });

  it('waits inside an item and continues there in another process', async () => {
    const graph = flowOf([each('List', 'Results', flowOf([suspend('Q', 'A')], { schemas: { A: { type: 'string' } } }))]);
    let runtime = FlowRuntime.new(graph, ['one', 'two']);
    const restored = () => FlowRuntime.fromSnapshot(graph, json(runtime.snapshot()) as unknown as Snapshot);
    expect(await runtime.next(quietContext())).toMatchObject({ tool_id: 'List[0]::Q::suspend', node: 'List[0]::Q', value: 'one' });
    runtime = restored();
    expect(await failureFrom(runtime.resume(quietContext(), 'List[0]::Q::suspend', 1))).toMatchObject({ variant: 'DeserializeError' });
    expect(await runtime.resume(quietContext(), 'List[0]::Q::suspend', 'first')).toEqual({ type: 'continue' });
    runtime = restored();
    expect(await runtime.next(quietContext())).toMatchObject({ tool_id: 'List[1]::Q::suspend', value: 'two' });
    runtime = restored();
    expect(await runtime.resume(quietContext(), 'List[1]::Q::suspend', 'second')).toEqual({ type: 'continue' });
    expect(await goOn(runtime)).toEqual({ type: 'done', output: ['first', 'second'] });
  });

  const frame = { index: 1, states: [{ name: 'Mid', value: 3 }], results: [[4]] };
  it.each<[string, Json, string]>([
    ['of no node', { Other: frame }, '/control/frames/Other'],
    ['of a node that is no each', { 'List[0]::Mid': frame }, '/control/frames/List[0]::Mid'],
    ['past its list', { List: { index: 3, states: [], results: [[1, 2], [3]] } }, '/control/frames/List/index'],
    ['that lacks a result', { List: { ...frame, results: [] } }, '/control/frames/List/index'],
    ['with an unknown state', { List: { ...frame, states: [{ name: 'X', value: 1 }] } }, '/control/frames/List/states/0/name'],
    ['with a wrong value', { List: { ...frame, states: [{ name: 'Item', value: 'x' }] } }, '/control/frames/List/states/0/value'],
  ])('takes no snapshot with a frame %s', (_name, frames, path) => {
    const snapshot = FlowRuntime.new(items, [1, 2]).snapshot();
    const damaged = { ...snapshot, control: { ...snapshot.control, frames } } as unknown as Snapshot;
    expect(() => FlowRuntime.fromSnapshot(items, damaged)).toThrow(
      expect.objectContaining({ variant: 'SnapLoadError', options: expect.objectContaining({ details: { path } }) }),
    );
  });
});
