import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Tool } from '#main/engine/ports/tool.ts';
import { RunReader } from '#main/journal/run-reader.ts';
import type { Breakpoint } from '#shared/contract/breakpoint.ts';
import type { Json } from '#shared/json.ts';
import type { Stop } from '#shared/run/stop.ts';
import { RunExecutor } from './run-executor.ts';
import { documentOf, TestWorkspace } from './testing.ts';

let space: TestWorkspace;
/** Emitted holds and their ends. */
let holds: (Stop | null)[];
let onHold: (stop: Stop | null) => void;
beforeEach(() => {
  space = new TestWorkspace();
  holds = [];
  onHold = (stop) => holds.push(stop);
});
afterEach(() => space.remove());

/** Resolves at the next hold. */
function held(): Promise<Stop> {
  return new Promise((resolve) => {
    const before = onHold;
    onHold = (stop) => {
      before(stop);
      if (!stop) return;
      onHold = before;
      resolve(stop);
    };
  });
}

async function started(
  document: Json,
  breakpoints: readonly Breakpoint[],
  tools: readonly Tool[] = [],
  now?: () => number,
): Promise<RunExecutor> {
  const { runId } = await space.start(document, { n: 1 }, tools);
  const options = await space.options(tools);
  const context = now ? { ...options.context, clock: { now } } : options.context;
  return RunExecutor.open({ ...options, context, breakpoints, onHold: (stop) => onHold(stop) }, runId);
}

const append = (data: string): Json => ({ path: 'log.txt', action: 'append', data });
const storage = { use: 'storage', approve: 'never' };
const log = () => readFileSync(join(space.folder, 'log.txt'), 'utf8');
/** A body that calls a tool twice, and a node after it. */
const twoCalls = (): Json =>
  documentOf('A', 'Z', [
    {
      kind: 'work',
      from: 'A',
      to: 'B',
      run: `async (a, ctx) => [await ctx.tools.storage(${JSON.stringify(append('one;'))}), await ctx.tools.storage(${JSON.stringify(append('two;'))})].length`,
      tools: [storage],
    },
    { kind: 'work', from: 'B', to: 'Z', expr: 'input' },
  ]);
const beforeStorage: Breakpoint = { id: 'b1', kind: 'tool', tool: 'storage', on: 'before' };

describe('a run is held', () => {
  test('before each call of ctx.tools, with the call and its input, until it is continued', async () => {
    const executor = await started(twoCalls(), [beforeStorage]);
    const first = held();
    const ended = executor.continue();
    const stop = await first;
    expect(stop).toMatchObject({ reason: 'hold', point: 'hold', text: 'b1: before storage in A', breakpoints: [{ id: 'b1', hits: 1 }] });
    expect(stop.place).toMatchObject([{ node: 'A', call: { tool: 'storage' } }]);
    expect(executor.stop).toEqual(stop);
    expect(() => log()).toThrow();
    const second = held();
    expect(executor.continueHeld('continue')).toBe(true);
    expect(await second).toMatchObject({ breakpoints: [{ hits: 2 }] });
    expect(log()).toBe('one;');
    executor.continueHeld('into');
    // One transition: the run then stops before the next node.
    expect(await ended).toMatchObject({ status: 'paused', stop: { point: 'stop', place: [{ node: 'B' }] } });
    expect(executor.continueHeld('continue')).toBe(false);
    expect(log()).toBe('one;two;');
    const moves = space.events.flatMap((event) => (event.type === 'lifecycle' ? [`${event.from} ${event.to}`] : []));
    expect(moves).toEqual(['running held', 'held running', 'running held', 'held running']);
    expect([...new RunReader(space.journal, space.journal.row(executor.runId)).events()].some(({ type }) => type === 'lifecycle')).toBe(
      false,
    );
  });

  test('before a model request, with its prompt and after its breakpoint’s condition', async () => {
    space.write('turns.json', { turns: [{ text: 'hi' }] });
    const agent = { mode: 'chat', model: 'script://turns.json', prompt: 'Say {n}' };
    const executor = await started(documentOf('A', 'Z', [{ kind: 'agent', from: 'A', to: 'Z', agent }]), [
      { id: 'b1', kind: 'model', on: 'before', condition: 'n == 1' },
      { id: 'b2', kind: 'model', on: 'before', condition: 'n == 2' },
    ]);
    const first = held();
    const ended = executor.continue();
    expect(await first).toMatchObject({
      place: [{ node: 'A', phase: 'reason' }],
      breakpoints: [{ id: 'b1', hits: 1 }],
      values: [{ role: 'user', content: [{ text: 'Say 1' }] }],
    });
    // Nothing was claimed.
    expect(new RunReader(space.journal, space.journal.row(executor.runId)).effects(1)).toEqual([]);
    executor.continueHeld('continue');
    expect(await ended).toMatchObject({ status: 'success' });
    expect(holds).toHaveLength(2);
  });

  test('inside a flow that runs within one step, at its nodes and calls, and steps through it', async () => {
    space.write(
      'inner.flow.json',
      documentOf('N', 'O', [
        { kind: 'work', from: 'N', to: 'M', expr: 'input' },
        { kind: 'work', from: 'M', to: 'O', tool: 'storage', with: append('x') },
      ]),
    );
    const document = documentOf('A', 'Z', [{ kind: 'work', from: 'A', to: 'Z', tool: 'flow:./inner.flow.json', with: { n: '{n}' } }]);
    const executor = await started(document, [{ id: 'b1', kind: 'before', flow: 'inner.flow.json', node: 'M' }, beforeStorage]);
    const first = held();
    const ended = executor.step('into');
    expect(await first).toMatchObject({ breakpoints: [], place: [{ node: 'A' }, { flow: 'inner.flow.json', node: 'N' }] });
    const second = held();
    executor.continueHeld('continue');
    expect(await second).toMatchObject({ text: expect.stringContaining('b1: before'), place: [{ node: 'A' }, { node: 'M' }] });
    const third = held();
    executor.continueHeld('continue');
    expect(await third).toMatchObject({ place: [{ node: 'A' }, { node: 'M', call: { tool: 'storage' } }] });
    executor.continueHeld('continue');
    expect(await ended).toMatchObject({ status: 'success' });
  });

  test('one call at a time: other calls of the act wait at the gate', async () => {
    const tool_calls = ['one;', 'two;'].map((data) => ({ tool: 'flow:./inner.flow.json', input: { data } }));
    space.write('turns.json', { turns: [{ tool_calls }, { text: 'done' }] });
    space.write(
      'inner.flow.json',
      documentOf('N', 'O', [{ kind: 'work', from: 'N', to: 'O', tool: 'storage', with: { ...(append('') as object), data: '{data}' } }]),
    );
    const agent = { mode: 'chat', model: 'script://turns.json', tools: ['flow:./inner.flow.json'] };
    const executor = await started(documentOf('A', 'Z', [{ kind: 'agent', from: 'A', to: 'Z', agent }]), [beforeStorage]);
    space.journal.database.prepare('UPDATE runs SET engine = 1 WHERE run_id = ?').run(executor.runId);
    const first = held();
    const ended = executor.continue();
    await first;
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(holds).toHaveLength(1);
    const second = held();
    executor.continueHeld('continue');
    await second;
    executor.continueHeld('continue');
    expect(await ended).toMatchObject({ status: 'success' });
    expect(holds.map((stop) => stop?.breakpoints[0]?.hits ?? null)).toEqual([1, null, 2, null]);
  });
});

/** What the journal holds of a run, but its id and times. */
function journalOf(runId: string): unknown {
  const row = space.journal.row(runId);
  const reader = new RunReader(space.journal, row);
  const whole = {
    output: row.output,
    steps: reader.timeline(),
    folds: [...reader.steps()],
    events: [...reader.events()],
    effects: reader.effectSeqs().map((seq) => reader.effects(seq)),
    messages: reader.messageSeqs().map((seq) => reader.messagesOf(seq)),
  };
  const timed = /^(timestamp|started_at|finished_at|duration_ms|seconds)$/;
  return JSON.parse(JSON.stringify(whole, (key, value: Json) => (timed.test(key) ? 0 : value)).replaceAll(runId, 'RUN'));
}

/** Drives a run to its end and returns the text of each hold. */
async function heldAt(executor: RunExecutor): Promise<string[]> {
  const texts: string[] = [];
  onHold = (stop) => {
    if (!stop) return;
    texts.push(stop.text);
    setImmediate(() => executor.continueHeld('continue'));
  };
  const { status, error } = await executor.continue();
  expect([status, error]).toEqual(['success', undefined]);
  return texts;
}

describe('in a flow that runs within one step, a run is held at once', () => {
  const inner = 'inner.flow.json';
  const caller = (): Json =>
    documentOf('A', 'Z', [{ kind: 'work', from: 'A', to: 'Z', tool: 'flow:./inner.flow.json', with: { n: '{n}' } }]);
  const failing = {
    kind: 'work',
    from: 'M',
    to: 'O',
    run: 'async (m, ctx) => { try { await ctx.tools.storage({ path: "../x", action: "read" }) } catch {} return m }',
    tools: [storage],
  };
  /** Two calls, the second of which fails, with the record that the step will become not yet written. */
  const innerFlow = (): Json => documentOf('N', 'O', [{ kind: 'work', from: 'N', to: 'M', tool: 'storage', with: append('x;') }, failing]);

  test('after a call, and after one that failed, not after the record once more', async () => {
    space.write(inner, innerFlow());
    const executor = await started(caller(), [
      { id: 'b1', kind: 'tool', tool: 'storage', on: 'after' },
      { id: 'b2', kind: 'tool', tool: 'storage', on: 'error', condition: 'error.message != "" && call.input.action == "read"' },
      { id: 'b3', kind: 'error', tool_results: true },
    ]);
    const first = held();
    const ended = executor.continue();
    const stop = await first;
    expect(stop).toMatchObject({ point: 'hold', place: [{ node: 'A' }, { flow: inner, node: 'N', call: { tool: 'storage' } }] });
    // The call was made, and the step that contains it has no record.
    expect(log()).toBe('x;');
    expect(space.journal.row(executor.runId).last_seq).toBe(0);
    const second = held();
    executor.continueHeld('continue');
    expect((await second).breakpoints).toEqual([
      { id: 'b1', hits: 2 },
      { id: 'b2', hits: 1 },
      { id: 'b3', hits: 1 },
    ]);
    executor.continueHeld('continue');
    expect(await ended).toMatchObject({ status: 'success' });
    expect(holds).toHaveLength(4);
  });

  test('after a node, a branch, a state that is written and a turn of an agent, before the first of its turns', async () => {
    space.write('turns.json', { turns: [{ text: 'three' }] });
    const agent = { mode: 'chat', model: 'script://turns.json' };
    space.write(
      inner,
      documentOf('N', 'O', [
        { kind: 'either', from: 'N', to: ['M', 'X'], run: '({ n }) => ({ left: { n: n + 1 } })' },
        { kind: 'work', from: 'X', to: 'N', expr: 'input' },
        { kind: 'agent', from: 'M', to: 'P', agent },
        { kind: 'work', from: 'P', to: 'O', expr: 'input' },
      ]),
    );
    const executor = await started(caller(), [
      { id: 'after', kind: 'after', flow: inner, node: 'N', condition: 'result.n == 2 && states.M.n == 2' },
      { id: 'branch', kind: 'branch', flow: inner, node: 'N', state: 'M' },
      { id: 'never', kind: 'branch', flow: inner, node: 'N', state: 'X' },
      { id: 'written', kind: 'state', flow: inner, state: 'P', on: 'written' },
      { id: 'model', kind: 'model', on: 'after' },
      { id: 'agent', kind: 'before', flow: inner, node: 'M' },
    ]);
    expect(await heldAt(executor)).toEqual([
      'after: after A › inner › N; branch: M produced by A › inner › N',
      'agent: before A › inner › M',
      'written: P written after A › inner › M; model: after a model call of A › inner › M',
    ]);
  });

  test('in each item of a list, with the item', async () => {
    space.write('item.flow.json', documentOf('I', 'J', [{ kind: 'work', from: 'I', to: 'J', expr: 'input' }]));
    const document = documentOf('N', 'O', [
      { kind: 'work', from: 'N', to: 'L', expr: '[1, 2]' },
      { kind: 'each', from: 'L', to: 'O', flow: './item.flow.json' },
    ]);
    const list = { type: 'array', items: {} };
    space.write(inner, { ...(document as object), schemas: { N: {}, I: {}, J: {}, L: list, O: list } });
    const executor = await started(caller(), [
      { id: 'b1', kind: 'before', flow: 'item.flow.json', node: 'I', condition: 'item.index >= 0 && input < 3' },
      { id: 'b2', kind: 'after', flow: 'item.flow.json', node: 'I', condition: 'item.index == 1 && result == 2' },
    ]);
    expect(await heldAt(executor)).toEqual([
      'b1: before A › inner › L › item 1 of 2 › I',
      'b1: before A › inner › L › item 2 of 2 › I, hit 2',
      'b2: after A › inner › L › item 2 of 2 › I',
    ]);
  });

  test('at a step that fails', async () => {
    space.write(inner, documentOf('N', 'O', [{ kind: 'work', from: 'N', to: 'O', run: '() => { throw new Error("no") }' }]));
    const executor = await started(caller(), [
      { id: 'b1', kind: 'error', flow: inner, node: 'N', condition: 'error.variant == "HandlerError"' },
    ]);
    const first = held();
    const ended = executor.continue();
    expect(await first).toMatchObject({ point: 'hold', place: [{ node: 'A' }, { flow: inner, node: 'N' }] });
    executor.continueHeld('continue');
    expect(await ended).toMatchObject({ status: 'error' });
  });

  test('and writes the journal of a run that is not debugged, conversations and effects included', async () => {
    const tool_calls = [
      { tool: 'storage', input: append('y;') },
      { tool: 'read_file', input: { path: 'missing.txt' } },
    ];
    space.write('turns.json', { turns: [{ tool_calls }, { text: 'three' }] });
    const agent = { mode: 'chat', model: 'script://turns.json', tools: [storage, 'read_file'] };
    space.write(
      inner,
      documentOf('N', 'O', [
        {
          kind: 'work',
          from: 'N',
          to: 'M',
          run: `async (n, ctx) => { await ctx.tools.storage(${JSON.stringify(append('x;'))}); return n }`,
          tools: [storage],
        },
        { kind: 'agent', from: 'M', to: 'P', agent },
        { kind: 'either', from: 'P', to: ['Q', 'O'], run: '(p) => ({ right: p })' },
        { kind: 'work', from: 'Q', to: 'P' },
      ]),
    );
    const at = { flow: inner } as const;
    const breakpoints: Breakpoint[] = [
      ...['N', 'M', 'P'].flatMap((node): Breakpoint[] => [
        { id: `before ${node}`, kind: 'before', ...at, node, turns: true },
        { id: `after ${node}`, kind: 'after', ...at, node, condition: 'states != null || result == result' },
      ]),
      { id: 'changed', kind: 'state', ...at, state: 'P', on: 'changed' },
      { id: 'consumed', kind: 'state', ...at, state: 'P', on: 'consumed' },
      ...(['before', 'after', 'error'] as const).map((on): Breakpoint => ({ id: on, kind: 'tool', tool: 'storage', on })),
      { id: 'request', kind: 'model', on: 'before' },
      { id: 'response', kind: 'model', on: 'after' },
      { id: 'error', kind: 'error', tool_results: true },
    ];
    const debugged = await started(caller(), breakpoints, [], () => 1_000);
    const texts = await heldAt(debugged);
    expect(texts.length).toBeGreaterThan(12);
    const plain = await started(caller(), [], [], () => 1_000);
    expect(await plain.continue()).toMatchObject({ status: 'success' });
    expect(journalOf(debugged.runId)).toEqual(journalOf(plain.runId));
  });

  test('and is stepped over and out of', async () => {
    space.write(
      'deep.flow.json',
      documentOf('D', 'F', [
        { kind: 'work', from: 'D', to: 'E', expr: 'input' },
        { kind: 'work', from: 'E', to: 'F', expr: 'input' },
      ]),
    );
    space.write(
      inner,
      documentOf('N', 'O', [
        { kind: 'work', from: 'N', to: 'M', tool: 'flow:./deep.flow.json', with: { n: '{n}' } },
        { kind: 'work', from: 'M', to: 'O', expr: 'input' },
      ]),
    );
    const places: string[] = [];
    const modes = ['into', 'out', 'over', 'over'] as const;
    const executor = await started(caller(), []);
    onHold = (stop) => {
      if (!stop) return;
      const mode = modes[places.length] as (typeof modes)[number];
      places.push(stop.text);
      setImmediate(() => executor.continueHeld(mode));
    };
    expect(await executor.step('into')).toMatchObject({ status: 'success' });
    expect(places).toEqual(['before A › inner › N', 'before A › inner › N › deep › D', 'before A › inner › M']);
  });
});

describe('a held run', () => {
  test('lets no time pass: durations, limits and its own clock leave the hold out', async () => {
    let time = 1_000;
    const document = twoCalls() as { limits?: Json };
    const executor = await started({ ...document, limits: { seconds: 30 } } as Json, [beforeStorage], [], () => time);
    let next = held();
    const ended = executor.continue();
    for (let call = 0; call < 2; call += 1) {
      await next;
      time += 60_000;
      next = held();
      executor.continueHeld('continue');
    }
    expect(await ended).toMatchObject({ status: 'success' });
    const reader = new RunReader(space.journal, space.journal.row(executor.runId));
    expect(reader.timeline().map(({ duration_ms }) => duration_ms)).toEqual([0, 0]);
    expect(reader.foldAt(2).control.counters.seconds).toBe(0);
    const results = [...reader.events()].flatMap((event) => (event.type === 'tool_result' ? [event.duration_ms] : []));
    expect(results).toEqual([0, 0]);
  });

  test('is ended by Stop, with nothing claimed', async () => {
    const executor = await started(twoCalls(), [beforeStorage]);
    const first = held();
    const ended = executor.continue();
    await first;
    expect(await executor.cancel()).toMatchObject({ status: 'cancelled' });
    expect(await ended).toMatchObject({ status: 'cancelled' });
    expect(() => log()).toThrow();
    const effects = new RunReader(space.journal, space.journal.row(executor.runId)).effects(1);
    expect(effects.filter(({ kind }) => kind === 'tool')).toEqual([]);
  });

  test('continues by Pause to the end of its transition', async () => {
    const executor = await started(twoCalls(), [beforeStorage]);
    const first = held();
    const ended = executor.continue();
    await first;
    executor.pause();
    expect(await ended).toMatchObject({ status: 'paused' });
    expect(log()).toBe('one;two;');
  });

  test('keeps finished calls when its process ends, and is held again before the others', async () => {
    const executor = await started(twoCalls(), [beforeStorage]);
    const first = held();
    void executor.continue();
    await first;
    const second = held();
    executor.continueHeld('continue');
    await second;
    // Another process takes over what this one leaves behind.
    space.journal.database.prepare("UPDATE runs SET lease_token = NULL, status = 'paused' WHERE run_id = ?").run(executor.runId);
    const other = RunExecutor.open(
      { ...(await space.options()), breakpoints: [beforeStorage], onHold: (stop) => onHold(stop) },
      executor.runId,
    );
    const third = held();
    const ended = other.continue();
    expect(await third).toMatchObject({ breakpoints: [{ hits: 1 }] });
    expect(log()).toBe('one;');
    other.continueHeld('continue');
    expect(await ended).toMatchObject({ status: 'success' });
    expect(log()).toBe('one;two;');
  });
});

test('a driver that cannot hold stops before an agent’s turn instead, and not before calls of code', async () => {
  const executor = await space.start(twoCalls(), { n: 1 });
  executor.setBreakpoints([beforeStorage]);
  expect(await executor.continue()).toMatchObject({ status: 'success' });
  expect(holds).toEqual([]);
});
