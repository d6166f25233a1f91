import { ORPCError } from '@orpc/client';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { RunDetail, RunSummary, StateAt } from '#shared/contract/runs.ts';
import { FlowError } from '#shared/run/error.ts';
import type { RunEvent } from '#shared/run/event.ts';
import { createRunSession, type RunsApi } from './run-session.ts';

const stateAt = (seq: number): StateAt => ({
  seq,
  node: 'x',
  states: [{ name: `S${seq}`, value: seq, written_at: seq, written_by: 'x' }],
  consumed: [],
  next: `S${seq}`,
  tallies: {},
  items: [],
});

function detailAt(seq: number, change: Partial<RunDetail> = {}): RunDetail {
  return {
    run_id: 'r',
    flow_path: 'a.flow.yaml',
    flow_name: 'A',
    flow_text: '',
    status: 'paused',
    seq,
    created_at: 0,
    updated_at: seq,
    error: null,
    suspensions: [],
    tokens: 0,
    forked_from: null,
    read_only: false,
    input: {},
    output: null,
    timeline: { total: 0, from: 1, entries: [] },
    current: stateAt(seq),
    titles: {},
    agents: {},
    conversations: [],
    ...change,
  };
}

/** Calls that the test answers itself, one by one: what is tested here is the order of things. */
function controlledRuns() {
  const calls: { name: string; input: unknown; resolve(value: unknown): void; reject(thrown: unknown): void }[] = [];
  const listeners: ((event: RunEvent | Error | null) => void)[] = [];
  async function* events(signal: AbortSignal): AsyncGenerator<RunEvent> {
    const { promise: aborted, resolve: abort } = Promise.withResolvers<null>();
    signal.addEventListener('abort', () => abort(null));
    while (true) {
      const { promise, resolve } = Promise.withResolvers<RunEvent | Error | null>();
      listeners.push(resolve);
      const next = await Promise.race([promise, aborted]);
      if (next instanceof Error) throw next;
      if (next === null) return;
      yield next;
    }
  }
  const api = new Proxy({} as RunsApi, {
    get: (_, name: string) => (input: unknown, options?: { signal: AbortSignal }) => {
      const { promise, resolve, reject } = Promise.withResolvers<unknown>();
      calls.push({ name, input, resolve, reject });
      return name === 'events' ? Promise.resolve(events(options?.signal as AbortSignal)) : promise;
    },
  });
  const settle = async () => {
    for (let turn = 0; turn < 20; turn++) await Promise.resolve();
  };
  return {
    api,
    calls,
    named: (name: string) => calls.filter((call) => call.name === name),
    async emit(event: RunEvent | Error | null) {
      await settle();
      listeners.shift()?.(event);
      await settle();
    },
    async answer(name: string, value: unknown) {
      calls.findLast((call) => call.name === name)?.resolve(value);
      await settle();
    },
    async refuse(name: string, thrown: unknown) {
      calls.findLast((call) => call.name === name)?.reject(thrown);
      await settle();
    },
    settle,
  };
}

/** An expected failure as the client of the contract throws it. */
const refusal = (error: FlowError) => new ORPCError('FAILED', { defined: true, data: error.toJSON() });

async function opened(detail = detailAt(3)) {
  const runs = controlledRuns();
  const store = createRunSession(runs.api, queueMicrotask);
  void store.getState().open('r');
  await runs.answer('get', detail);
  return { runs, store, state: () => store.getState() };
}

const exit = (seq: number): RunEvent => ({
  run_id: 'r',
  seq,
  timestamp: seq,
  type: 'node_exit',
  node: `S${seq - 1}`,
  kind: 'work',
  duration_ms: 1,
  consumed: [`S${seq - 1}`],
  produced: [`S${seq}`],
});

describe('the run session', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  it('sends one step, however often it is requested meanwhile', async () => {
    const { runs, state } = await opened();
    void state().step('over');
    void state().step('over');
    void state().continue();
    expect(runs.named('step')).toHaveLength(1);
    expect(runs.named('continue')).toHaveLength(0);
    await runs.answer('step', detailAt(4));
    expect(state()).toMatchObject({ call: null, view: { seq: 4 } });
    void state().step('into');
    expect(runs.named('step')).toHaveLength(2);
  });

  it('changes the view once for events and a state map that has been read meanwhile', async () => {
    const runs = controlledRuns();
    const flushes: (() => void)[] = [];
    const store = createRunSession(runs.api, (flush) => flushes.push(flush));
    void store.getState().open('r');
    await runs.answer('get', detailAt(3));
    await runs.emit(exit(4));
    flushes.shift()?.();
    expect(runs.named('stateAt')).toHaveLength(1);
    await runs.emit(exit(5));
    const views = new Set([store.getState().view]);
    store.subscribe(({ view }) => views.add(view));
    await runs.answer('stateAt', stateAt(4));
    flushes.shift()?.();
    expect(store.getState().view).toMatchObject({ seq: 5, current: { seq: 4 } });
    expect(views.size).toBe(2);
  });

  it('can be stopped once while a step runs', async () => {
    const { runs, state } = await opened();
    void state().step('over');
    void state().stop();
    void state().stop();
    expect(runs.named('stop')).toHaveLength(1);
  });

  it('shows why a step failed and is ready for the next', async () => {
    const { runs, state } = await opened();
    void state().step('over');
    await runs.refuse('step', refusal(new FlowError('Conflict', 'another process drives this run')));
    expect(state().failure).toMatchObject({ variant: 'Conflict' });
    expect(state().call).toBeNull();
  });

  it('follows events and loads the state map of the current step', async () => {
    const { runs, state } = await opened();
    await runs.emit(exit(4));
    expect(state().view?.timeline.map(({ seq }) => seq)).toEqual([4]);
    expect(runs.named('stateAt').map(({ input }) => input)).toEqual([{ run_id: 'r', seq: 4 }]);
    await runs.emit(exit(5));
    await runs.emit(exit(6));
    expect(runs.named('stateAt')).toHaveLength(1);
    await runs.answer('stateAt', stateAt(4));
    expect(runs.named('stateAt').at(-1)?.input).toEqual({ run_id: 'r', seq: 6 });
    await runs.answer('stateAt', stateAt(6));
    expect(state().view?.current.seq).toBe(6);
    expect(runs.named('stateAt')).toHaveLength(2);
  });

  it('reloads the run after a gap', async () => {
    const { runs, state } = await opened();
    await runs.emit({ run_id: 'r', seq: 4, timestamp: 4, type: 'gap', from: 4, to: 900 });
    expect(runs.named('get')).toHaveLength(2);
    await runs.answer('get', detailAt(900));
    expect(state().view).toMatchObject({ seq: 900, stale: false });
  });

  it('resumes a broken stream where it ended', async () => {
    vi.useFakeTimers();
    const { runs, state } = await opened();
    await runs.emit(exit(4));
    await runs.emit(new Error('the connection broke'));
    await vi.runAllTimersAsync();
    expect(runs.named('events').map(({ input }) => input)).toEqual([
      { run_id: 'r', after_seq: 0 },
      { run_id: 'r', after_seq: 4 },
    ]);
    await runs.emit(exit(5));
    expect(state().view?.seq).toBe(5);
  });

  it('shows a past step and returns to the latest', async () => {
    const { runs, state } = await opened();
    state().select(1);
    expect(state()).toMatchObject({ selected: 1, shown: null });
    await runs.answer('stateAt', stateAt(1));
    expect(state().shown).toEqual(stateAt(1));
    state().select(2);
    state().select(1);
    expect(state().shown).toEqual(stateAt(1));
    state().select(3);
    expect(state()).toMatchObject({ selected: null, shown: null });
    state().select(-4);
    expect(state().selected).toBe(0);
  });

  it('keeps a chosen round while its steps are shown, and leaves it with another step or a new one', async () => {
    const { runs, state } = await opened();
    const round = { kind: 'round', node: 'x', index: 1, from_seq: 1, to_seq: 2 } as const;
    state().select(2, round);
    expect(state()).toMatchObject({ selected: 2, round });
    state().select(1);
    expect(state().round).toEqual(round);
    state().select(0);
    expect(state().round).toBeNull();
    const last = { ...round, to_seq: 3 };
    state().select(3, last);
    expect(state()).toMatchObject({ selected: null, round: last });
    await runs.emit(exit(4));
    expect(state()).toMatchObject({ selected: null, round: null });
    state().select(2, round);
    state().select(null);
    expect(state().round).toBeNull();
  });

  it('does not touch the run that was shown before', async () => {
    const { runs, state } = await opened();
    void state().open('s');
    await runs.answer('get', detailAt(1, { run_id: 's' }));
    await runs.emit(exit(4));
    expect(state().view).toMatchObject({ run_id: 's', seq: 1 });
  });

  it('moves the shown run no further while another one is made to take its place', async () => {
    const { runs, state } = await opened();
    const { promise, resolve } = Promise.withResolvers<string | null>();
    const replaced = state().replace(() => promise);
    void state().continue();
    void state().step('over');
    expect([runs.named('continue'), runs.named('step')]).toEqual([[], []]);
    resolve('s');
    await runs.settle();
    await runs.answer('get', detailAt(1, { run_id: 's' }));
    expect(await replaced).toBe(true);
    expect(state()).toMatchObject({ call: null, view: { run_id: 's', seq: 1 } });
  });

  it('starts nothing, says so, and does not continue the shown run while another command is in progress', async () => {
    const { runs, state } = await opened();
    void state().step('over');
    await state().start({ flow_path: 'f', text: '', input: {}, models: {}, pace: 'continue' });
    expect([runs.named('start'), runs.named('continue')]).toEqual([[], []]);
    expect(state().failure).toMatchObject({ variant: 'Conflict', message: expect.stringContaining('No run was started') });
  });

  it('keeps the shown run when none takes its place', async () => {
    const { state } = await opened();
    expect(await state().replace(async () => null)).toBe(false);
    await expect(state().replace(() => Promise.reject(new Error('full disk')))).rejects.toThrow('full disk');
    expect(state()).toMatchObject({ call: null, view: { run_id: 'r' } });
  });

  it('returns a refused answer and loads the current question', async () => {
    const { runs, state } = await opened(detailAt(3, { status: 'suspended' }));
    const answered = state().answer({ tool_id: 't', tool_call_id: 'c', payload: { approve: true } });
    void state().answer({ tool_id: 't', tool_call_id: 'c', payload: { approve: true } });
    expect(runs.named('resume')).toHaveLength(1);
    expect(runs.named('resume')[0]?.input).toMatchObject({ tool_call_id: 'c', then_continue: true });
    await runs.refuse('resume', refusal(new FlowError('ResumeMismatchError', 'answered already')));
    expect(runs.named('get')).toHaveLength(2);
    await runs.answer('get', detailAt(5, { status: 'success' }));
    expect(await answered).toMatchObject({ variant: 'ResumeMismatchError' });
    expect(state().view?.status).toBe('success');
  });

  it('receives changes by another window', async () => {
    const { runs, state } = await opened();
    const { flow_text, input, output, timeline, current, agents, conversations, ...summary } = detailAt(4, { status: 'success' });
    state().onSummary(summary satisfies RunSummary);
    expect(state().view?.status).toBe('success');
    expect(runs.named('get')).toHaveLength(2);
  });
});
