import { describe, expect, it } from 'vitest';
import { agentLoop } from '#main/agents/agent-loop.ts';
import type { ModelClient } from '#main/engine/ports/model-client.ts';
import { each, expr, flowOf, fork, join, type NodeSketch, pure, quietContext, suspend, work } from '#main/engine/testing/flows.ts';
import { MemoryRecorder } from '#main/engine/testing/memory-recorder.ts';
import { failureFrom } from '#main/engine/testing/run-to-end.ts';
import type { FlowGraph } from '#shared/flow/graph.ts';
import type { Parallel } from '#shared/flow/parallel.ts';
import type { Json } from '#shared/json.ts';
import type { AheadEvent } from '#shared/run/event.ts';
import type { Snapshot } from '#shared/run/snapshot.ts';
import { FlowRuntime } from './flow-runtime.ts';

/** A model whose calls take a number of turns of the event loop, and which counts those in progress. */
class SlowModel implements ModelClient {
  /** Nodes whose calls have begun, in order. */
  readonly begun: string[] = [];
  most = 0;
  #now = 0;
  readonly #turns: number;

  constructor(turns = 60) {
    this.#turns = turns;
  }

  async complete({ node = '', signal }: Parameters<ModelClient['complete']>[0]) {
    this.begun.push(node);
    this.#now += 1;
    this.most = Math.max(this.most, this.#now);
    for (let turn = 0; turn < this.#turns; turn += 1) {
      await new Promise(setImmediate);
      signal.throwIfAborted();
    }
    this.#now -= 1;
    return {
      message: { role: 'assistant' as const, content: [{ type: 'text' as const, text: `"${node}"` }] },
      finish_reason: 'stop' as const,
      usage: { tokens_in: 1, tokens_out: 1 },
    };
  }
}

const agent = (from: string, to: string): NodeSketch => ({
  kind: 'agent',
  from: [from],
  to: [to],
  body: { type: 'agent', agent: { model: 'gated://x', mode: 'chat' } },
});

function branches(parallel?: Partial<Parallel>): FlowGraph {
  const graph = flowOf([
    fork('A', ['B', 'C', 'D']),
    agent('B', 'B1'),
    agent('C', 'C1'),
    agent('D', 'D1'),
    join(
      ['B1', 'C1'],
      'E',
      pure((b: Json, c: Json) => ({ b, c })),
    ),
    join(
      ['E', 'D1'],
      'Z',
      pure((e: Json, d: Json) => [e, d]),
    ),
  ]);
  return { ...graph, ...(parallel && { parallel }) };
}

const contextOf = (model: ModelClient, signal?: AbortSignal) => quietContext({ models: () => model, agentLoop, ...(signal && { signal }) });

/** What of the records does not depend on time. */
function timeless({ records }: MemoryRecorder): Json {
  return JSON.parse(
    JSON.stringify(records, (key, value) => (['started_at', 'duration_ms', 'timestamp', 'seconds'].includes(key) ? 0 : (value as unknown))),
  ) as Json;
}

describe('a run that works ahead', () => {
  it('has the model calls of branches in progress at once, and records them in order', async () => {
    const model = new SlowModel();
    const recorder = new MemoryRecorder();
    const run = FlowRuntime.new<unknown>(branches(), {}, { recorder, run_id: 'run' });
    expect(await run.toEnd(contextOf(model))).toMatchObject({ type: 'done' });
    expect(model.most).toBe(3);
    expect(recorder.records.map(({ node }) => node)).toEqual(['A', 'B', 'C', 'D', 'B1+C1', 'E+D1']);
    const alone = new MemoryRecorder();
    const one = FlowRuntime.new<unknown>(branches({ ahead: 1 }), {}, { recorder: alone, run_id: 'run' });
    const serial = new SlowModel();
    expect(await one.toEnd(contextOf(serial))).toMatchObject({ type: 'done' });
    expect(serial.most).toBe(1);
    expect(timeless(recorder)).toEqual(timeless(alone));
  });

  it('tells what is made ahead as it happens, without a number, and again in its turn', async () => {
    const told: AheadEvent[] = [];
    const recorder = new MemoryRecorder();
    const ctx = { ...contextOf(new SlowModel()), onAhead: (event: AheadEvent) => told.push(event) };
    await FlowRuntime.new<unknown>(branches(), {}, { recorder, run_id: 'run' }).toEnd(ctx);
    expect(told.every((event) => event.ahead && !('seq' in event))).toBe(true);
    for (const node of ['C', 'D']) {
      const own = told.filter((event) => 'node' in event && event.node === node);
      const types = own.map((event) => (event.type === 'lifecycle' ? event.to : event.type));
      expect(types[0]).toBe('node_enter');
      expect(types.slice(-1)).toEqual(['taken']);
      const recorded = recorder.records.find((record) => record.node === node)?.events.map(({ type }) => type);
      expect(types.filter((type) => type.startsWith('inference'))).toEqual(recorded?.filter((type) => type.startsWith('inference')));
    }
    expect(told.some((event) => 'node' in event && event.node === 'B')).toBe(false);
  });

  it('has in the snapshot of a run without a journal what was done before its turn, which is not done again', async () => {
    const waits = branches();
    const graph = { ...waits, nodes: waits.nodes.map((node) => (node.id === 'C' ? { ...node, ...suspend('C', 'C1') } : node)) };
    const model = new SlowModel();
    const ctx = contextOf(model);
    const first = FlowRuntime.new<unknown>(graph, {}, { run_id: 'run' });
    expect(await first.toEnd(ctx)).toMatchObject({ type: 'suspend' });
    const snapshot = JSON.parse(JSON.stringify(first.snapshot())) as Snapshot;
    expect(snapshot.ahead).toMatchObject([{ node: 'D', outcome: { result: {} } }]);
    const second = FlowRuntime.fromSnapshot(graph, snapshot);
    await second.resume(ctx, 'C::suspend', 'answer');
    expect(await second.toEnd(ctx)).toMatchObject({ type: 'done', output: [{ b: '"B"', c: 'answer' }, '"D"'] });
    expect(model.begun.toSorted()).toEqual(['B', 'D']);
    expect(second.snapshot()).not.toHaveProperty('ahead');
  });

  it('starts nothing ahead in next()', async () => {
    const model = new SlowModel();
    const run = FlowRuntime.new<unknown>(branches(), {}, { recorder: new MemoryRecorder() });
    const ctx = contextOf(model);
    while ((await run.next(ctx)).type === 'continue');
    expect(model.most).toBe(1);
  });

  it('runs as many items of a list at once as the node says, in the order of the list', async () => {
    const item = flowOf([agent('I', 'J'), work('J', 'K', expr('input'))]);
    const list = each('L', 'M', item);
    const graph = flowOf([{ ...list, body: { type: 'each', flow: item, parallel: 4 } }]);
    const model = new SlowModel();
    const recorder = new MemoryRecorder();
    const run = FlowRuntime.new<unknown>(
      graph,
      Array.from({ length: 12 }, (_, n) => n),
      { recorder },
    );
    expect(await run.toEnd(contextOf(model))).toMatchObject({ type: 'done' });
    expect(model.most).toBe(4);
    expect(recorder.records.map(({ node }) => node).filter((node) => node.endsWith('I'))).toEqual(
      Array.from({ length: 12 }, (_, n) => `L[${n}]::I`),
    );
  });

  it('aborts the calls in progress when it is cancelled', async () => {
    const model = new SlowModel(Number.POSITIVE_INFINITY);
    const abort = new AbortController();
    const run = FlowRuntime.new<unknown>(branches(), {}, { recorder: new MemoryRecorder() });
    const ended = failureFrom(run.toEnd(contextOf(model, abort.signal)));
    while (model.begun.length < 3) await new Promise(setImmediate);
    abort.abort();
    expect(await ended).toMatchObject({ variant: 'Cancelled' });
  });

  it('counts what is begun ahead in its limits', async () => {
    const model = new SlowModel();
    const graph = { ...branches(), limits: { steps: 100, seconds: 100, model_calls: 2, tokens: 1000 } };
    const run = FlowRuntime.new<unknown>(graph, {}, { recorder: new MemoryRecorder() });
    expect(await failureFrom(run.toEnd(contextOf(model)))).toMatchObject({ variant: 'LimitExceeded', node: 'D' });
    expect(model.begun).toHaveLength(2);
  });
});
