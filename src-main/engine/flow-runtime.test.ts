import { describe, expect, it } from 'vitest';
import type { Recorder, StepRecord } from '#main/engine/ports/recorder.ts';
import { either, expr, flowOf, fork, join, pass, pure, quietContext, work } from '#main/engine/testing/flows.ts';
import { failureFrom, goOn, outputOf } from '#main/engine/testing/run-to-end.ts';
import type { RunEvent } from '#shared/run/event.ts';
import { FlowRuntime } from './flow-runtime.ts';

const ctx = quietContext();
const names = (runtime: FlowRuntime) => runtime.snapshot().states.map(({ name }) => name);
const number = { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] };

describe('FlowRuntime', () => {
  it('fires the first state in insertion order whose node can fire', async () => {
    const runtime = FlowRuntime.new(
      flowOf([fork('A', ['B', 'C']), work('B', 'B1'), work('C', 'C1'), work('B1', 'B2'), join(['B2', 'C1'], 'Z')]),
      {},
    );
    const trace: string[][] = [];
    for (let outcome = await runtime.next(ctx); outcome.type === 'continue'; outcome = await runtime.next(ctx)) trace.push(names(runtime));
    expect(trace).toEqual([
      ['B', 'C'],
      ['C', 'B1'],
      ['B1', 'C1'],
      ['C1', 'B2'],
    ]);
    expect(names(runtime)).toEqual(['Z']);
  });

  it('fires a join at the position of its older parent, with its arguments in the order of from', async () => {
    const graph = flowOf([
      fork('A', ['B', 'C', 'D']),
      work(
        'C',
        'C1',
        pure(() => 'c'),
      ),
      join(
        ['C1', 'B'],
        'E',
        pure((c: string, b: unknown) => ({ c, b })),
      ),
      work('D', 'D1'),
      join(['E', 'D1'], 'Z', pass),
    ]);
    const runtime = FlowRuntime.new(graph, { a: 1 });
    await runtime.next(ctx);
    await runtime.next(ctx);
    expect(names(runtime)).toEqual(['B', 'D', 'C1']);
    await runtime.next(ctx);
    expect(runtime.snapshot().states).toEqual([
      { name: 'D', value: { a: 1 } },
      { name: 'E', value: { c: 'c', b: { a: 1 } } },
    ]);
  });

  it('ends in the call that leaves the terminal alone, and says done again', async () => {
    const runtime = FlowRuntime.new(
      flowOf([
        work(
          'A',
          'Z',
          pure((a: { n: number }) => ({ n: a.n + 1 })),
        ),
      ]),
      { n: 1 },
    );
    const done = { type: 'done', output: { n: 2 } };
    expect(await runtime.next(ctx)).toEqual(done);
    expect(await runtime.next(ctx)).toEqual(done);
    expect(runtime.snapshot().seq).toBe(1);
  });

  it('waits with a transition until the readers of its events have room, or the run is cancelled', async () => {
    const room = Promise.withResolvers<void>();
    const stop = new AbortController();
    let full = true;
    const held = quietContext({ ready: () => (full ? room.promise : undefined), signal: stop.signal });
    const runtime = FlowRuntime.new(flowOf([work('A', 'B'), work('B', 'C'), work('C', 'Z')]), {});
    const first = runtime.next(held);
    await new Promise(setImmediate);
    expect(runtime.snapshot().seq).toBe(0);
    room.resolve();
    expect(await first).toEqual({ type: 'continue' });
    full = false;
    await runtime.next(held);
    expect(runtime.snapshot().seq).toBe(2);
    const never = quietContext({ ready: () => new Promise(() => undefined), signal: stop.signal });
    const last = failureFrom(runtime.next(never));
    stop.abort();
    expect((await last).variant).toBe('Cancelled');
  });

  it('continues beside a terminal state, and ends in a deadlock if the rest cannot', async () => {
    const graph = flowOf([
      fork('A', ['B', 'C']),
      work('B', 'Z'),
      either('C', ['L', 'R'], expr('true')),
      join(['L', 'R'], 'Z2'),
      work('Z2', 'Z'),
    ]);
    const runtime = FlowRuntime.new(graph, {});
    const error = await failureFrom(goOn(runtime));
    expect(error).toMatchObject({ variant: 'Deadlock', details: { waiting: ['Z', 'L'], joins: [{ join: 'L+R', waits_for: ['R'] }] } });
    expect(names(runtime)).toEqual(['Z', 'L']);
  });

  it('refuses to overwrite a waiting state and leaves the map as it was', async () => {
    const runtime = FlowRuntime.new(flowOf([fork('A', ['B', 'C']), work('B', 'E'), work('C', 'E'), work('E', 'Z')]), {});
    const error = await failureFrom(goOn(runtime));
    expect(error).toMatchObject({ variant: 'StateConflict', node: 'C' });
    expect(names(runtime)).toEqual(['C', 'E']);
    expect(await failureFrom(runtime.next(ctx))).toMatchObject({ variant: 'StateConflict' });
  });

  it('lets an either go back to its own input', async () => {
    const graph = flowOf([
      either(
        'A',
        ['A', 'Z'],
        pure((a: { n: number }) => (a.n < 3 ? { left: { n: a.n + 1 } } : { right: a })),
      ),
    ]);
    expect(await outputOf(graph, { n: 0 })).toEqual({ n: 3 });
  });

  it('refuses an input that misses the entry schema, with the path', () => {
    expect(() => FlowRuntime.new(flowOf([work('A', 'Z')], { schemas: { A: number } }), { n: 'x' })).toThrow(
      expect.objectContaining({ variant: 'DeserializeError', message: expect.stringContaining('/n') }),
    );
    expect(() => FlowRuntime.new(flowOf([work('A', 'Z')]), { n: undefined })).toThrow(
      expect.objectContaining({ variant: 'DeserializeError' }),
    );
  });

  it('checks what a node gives, also when it passes the value on under another schema', async () => {
    const wrong = flowOf(
      [
        work(
          'A',
          'B',
          pure(() => ({ n: 'x' })),
        ),
        work('B', 'Z'),
      ],
      { schemas: { B: number } },
    );
    expect(await failureFrom(outputOf(wrong, {}))).toMatchObject({
      variant: 'SerializeError',
      node: 'A',
      details: { schema: 'B', path: '/n', keyword: 'type' },
    });
    const passed = flowOf([work('A', 'B'), work('B', 'Z')], { schemas: { B: number } });
    expect(await failureFrom(outputOf(passed, { m: 1 }))).toMatchObject({ variant: 'SerializeError', details: { path: '/n' } });
    expect(
      await failureFrom(
        outputOf(
          flowOf([
            work(
              'A',
              'Z',
              pure(() => undefined),
            ),
          ]),
          {},
        ),
      ),
    ).toMatchObject({ variant: 'SerializeError' });
  });

  it.each([
    [
      'an either without a side',
      either(
        'A',
        ['L', 'Z'],
        pure(() => ({})),
      ),
    ],
    [
      'an either with both sides',
      either(
        'A',
        ['L', 'Z'],
        pure(() => ({ left: 1, right: 2 })),
      ),
    ],
    ['an either whose expression is no truth value', either('A', ['L', 'Z'], expr('1'))],
    [
      'a fork with too few values',
      fork(
        'A',
        ['L', 'Z'],
        pure(() => [1]),
      ),
    ],
    [
      'a fork without a list',
      fork(
        'A',
        ['L', 'Z'],
        pure(() => ({ 0: 1, 1: 2 })),
      ),
    ],
    ['a field set in what is no object', work('A', 'Z', expr('1', 'n'))],
  ])('refuses the result of %s', async (_name, node) => {
    expect(await failureFrom(FlowRuntime.new(flowOf([node, work('L', 'Z')]), [1]).next(ctx))).toMatchObject({
      variant: 'SerializeError',
      node: 'A',
    });
  });

  it('refuses to merge what are no objects', async () => {
    const graph = flowOf([
      fork(
        'A',
        ['B', 'C'],
        pure(() => [1, {}]),
      ),
      join(['B', 'C'], 'Z'),
    ]);
    expect(await failureFrom(outputOf(graph, {}))).toMatchObject({ variant: 'SerializeError', node: 'B+C' });
  });

  it('can be retried after a handler failed, its input untouched', async () => {
    let broken = true;
    const handler = (a: { n: number }) => {
      if (broken) throw Object.assign(new Error('out of paper'), { retryable: false });
      return { n: a.n + 1 };
    };
    const runtime = FlowRuntime.new(flowOf([work('A', 'Z', pure(handler))]), { n: 1 });
    const before = JSON.stringify(runtime.snapshot());
    expect(await failureFrom(runtime.next(ctx))).toMatchObject({
      variant: 'HandlerError',
      node: 'A',
      retryable: false,
      message: expect.stringContaining('out of paper'),
    });
    expect(JSON.stringify(runtime.snapshot())).toBe(before);
    broken = false;
    expect(await runtime.next(ctx)).toEqual({ type: 'done', output: { n: 2 } });
  });

  it('hands handlers frozen values and freezes what they give', async () => {
    const graph = flowOf([
      work(
        'A',
        'B',
        pure((a: { list: number[] }) => ({ list: [...a.list, 1] })),
      ),
      work(
        'B',
        'Z',
        pure((b: { list: number[] }) => b.list.push(2)),
      ),
    ]);
    expect(await failureFrom(outputOf(graph, { list: [] }))).toMatchObject({ variant: 'HandlerError', node: 'B' });
  });

  it('refuses a second call while one is pending, from outside and from a handler', async () => {
    let release: (value: unknown) => void = () => {};
    const held = new Promise((resolve) => {
      release = resolve;
    });
    const runtime = FlowRuntime.new(
      flowOf([
        work(
          'A',
          'B',
          pure(() => held),
        ),
        work(
          'B',
          'Z',
          pure(() => runtime.next(ctx)),
        ),
      ]),
      {},
    );
    const first = runtime.next(ctx);
    expect(await failureFrom(runtime.next(ctx))).toMatchObject({ variant: 'Conflict' });
    expect(await failureFrom(runtime.resume(ctx, 'A::x', null))).toMatchObject({ variant: 'Conflict' });
    release({ n: 1 });
    expect(await first).toEqual({ type: 'continue' });
    expect(await failureFrom(runtime.next(ctx))).toMatchObject({ variant: 'Conflict' });
  });

  it('makes as many transitions as the limit says', async () => {
    const graph = flowOf([either('A', ['B', 'Z'], expr('true')), work('B', 'A')], { limits: { steps: 5 } });
    const runtime = FlowRuntime.new(graph, {});
    expect(await failureFrom(goOn(runtime))).toMatchObject({ variant: 'LimitExceeded', details: { limit: 'steps', value: 5 } });
    expect(runtime.snapshot().control.counters.steps).toBe(5);
  });

  it('counts seconds inside its calls only', async () => {
    let time = 0;
    const tired = quietContext({ clock: { now: () => time } });
    const slow = pure((a: unknown) => {
      time += 2_500;
      return a;
    });
    const runtime = FlowRuntime.new(flowOf([either('A', ['B', 'Z'], expr('true')), work('B', 'A', slow)], { limits: { seconds: 5 } }), {});
    for (let step = 0; step < 4; step += 1) {
      time += 60_000;
      await runtime.next(tired);
    }
    expect(runtime.snapshot().control.counters.seconds).toBe(5);
    expect(await failureFrom(runtime.next(tired))).toMatchObject({ variant: 'LimitExceeded', details: { limit: 'seconds' } });
  });

  it('stops when it is cancelled, before a step and in the middle of one', async () => {
    const abort = new AbortController();
    const cancellable = quietContext({ signal: abort.signal });
    const runtime = FlowRuntime.new(
      flowOf([
        work(
          'A',
          'Z',
          pure(() => new Promise(() => {})),
        ),
      ]),
      {},
    );
    const step = runtime.next(cancellable);
    abort.abort();
    expect(await failureFrom(step)).toMatchObject({ variant: 'Cancelled', node: 'A' });
    expect(await failureFrom(runtime.next(cancellable))).toMatchObject({ variant: 'Cancelled' });
    expect(names(runtime)).toEqual(['A']);
  });

  it('fails the step when a known secret would enter the run', async () => {
    const secretive = quietContext({ secrets: new Map([['API_KEY', 'sk-12345678']]) });
    const graph = flowOf([
      work(
        'A',
        'Z',
        pure(() => ({ list: ['is sk-12345678 here'] })),
      ),
    ]);
    const error = await failureFrom(FlowRuntime.new(graph, {}).next(secretive));
    expect(error).toMatchObject({ variant: 'SecretInState', node: 'A', details: { secret: 'API_KEY', path: '/list/0' } });
    expect(JSON.stringify(error)).not.toContain('sk-12345678');
  });

  it('masks known secrets in events and failures', async () => {
    const events: RunEvent[] = [];
    const secretive = quietContext({ secrets: new Map([['API_KEY', 'sk-12345678']]), onEvent: (event) => events.push(event) });
    const handler = (_: unknown, handle: { log(...values: unknown[]): void }) => {
      handle.log('key', 'sk-12345678');
      throw new Error('sk-12345678 was refused');
    };
    const error = await failureFrom(FlowRuntime.new(flowOf([work('A', 'Z', pure(handler as never))]), {}).next(secretive));
    expect(events.map(({ type }) => type)).toEqual(['node_enter', 'log', 'error']);
    expect(JSON.stringify([events, error])).not.toContain('sk-12345678');
    expect(error.message).toContain('{secret:API_KEY}');
  });

  it('emits events for what it does, without node_exit for a failed step', async () => {
    const events: RunEvent[] = [];
    const loud = quietContext({ onEvent: (event) => events.push(event) });
    const runtime = FlowRuntime.new(
      flowOf([
        fork('A', ['B', 'C']),
        work(
          'B',
          'Z',
          pure(() => Promise.reject(new Error('no'))),
        ),
        work('C', 'Z'),
      ]),
      {},
    );
    await runtime.next(loud);
    await failureFrom(runtime.next(loud));
    expect(events).toMatchObject([
      { seq: 1, type: 'node_enter', node: 'A', kind: 'fork' },
      { seq: 1, type: 'node_exit', node: 'A', consumed: ['A'], produced: ['B', 'C'] },
      { seq: 2, type: 'node_enter', node: 'B' },
      { seq: 2, type: 'error', node: 'B', error: { variant: 'HandlerError' } },
    ]);
  });

  it('emits the events of a step that ran and cannot be committed once', async () => {
    const events: RunEvent[] = [];
    const loud = quietContext({ onEvent: (event) => events.push(event) });
    const runtime = FlowRuntime.new(flowOf([fork('A', ['B', 'C']), work('B', 'C'), join(['C', 'D'], 'Z'), work('E', 'D')]), {});
    await runtime.next(loud);
    expect(await failureFrom(runtime.next(loud))).toMatchObject({ variant: 'StateConflict' });
    expect(events.filter(({ type }) => type === 'error')).toMatchObject([{ seq: 2, node: 'B' }]);
  });

  it('writes each step down before it takes effect', async () => {
    const records: StepRecord[] = [];
    let full = true;
    const recorder: Recorder = {
      effect: () => Promise.reject(new Error('there is no effect here')),
      commit(step) {
        if (full) throw new Error('the disk is full');
        records.push(step);
        return Promise.resolve();
      },
    };
    const runtime = FlowRuntime.new(flowOf([work('A', 'B'), work('B', 'Z', expr('1'))]), {}, { recorder, run_id: 'run' });
    expect(await failureFrom(runtime.next(ctx))).toMatchObject({ message: 'the disk is full' });
    expect(names(runtime)).toEqual(['A']);
    full = false;
    await goOn(runtime);
    expect(records).toMatchObject([
      { seq: 1, type: 'transition', node: 'A', kind: 'work', consumed: ['A'], produced: [{ name: 'B', value: {} }], pure: true },
      { seq: 2, type: 'transition', node: 'B', consumed: ['B'], produced: [{ name: 'Z', value: 1 }], control: { counters: { steps: 2 } } },
    ]);
    // That a node began and ended its record says by itself.
    expect(records[0]?.events).toEqual([]);
  });
});
