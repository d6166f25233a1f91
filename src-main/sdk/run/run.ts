import type { Context } from '#main/engine/ports/context.ts';
import { notifyListener } from '#main/engine/step/notify-listener.ts';
import { unlessAborted } from '#main/engine/step/on-abort.ts';
import { readerRoom } from '#main/engine/step/reader-room.ts';
import type { ReplayReport } from '#shared/contract/time-travel.ts';
import type { Json } from '#shared/json.ts';
import { Correlation } from '#shared/run/correlation.ts';
import { FlowError, toTransferable } from '#shared/run/error.ts';
import type { EventBody, RunEvent, Suspension } from '#shared/run/event.ts';
import type { History } from '#shared/run/message.ts';
import type { Counters, RunOutcome, Snapshot } from '#shared/run/snapshot.ts';
import { promptUsage, UsageCounter } from '#shared/run/token-usage.ts';
import type { DrivenRun } from './driven-run.ts';
import { EventStream, type StreamOptions } from './event-stream.ts';
import { outputOrThrow, type RunResult } from './run-result.ts';

type Listener = (event: RunEvent) => unknown;

/**
 * A run of a flow with its context, in memory or in a journal. `stream()`, `result()` and `toEnd()` drive it; `next()` makes one transition.
 * Only one of them drives at a time: the others wait for it, and `next()` and `resume()` fail with `Conflict`.
 */
export class Run<Output = Json> implements AsyncDisposable {
  readonly run_id: string;
  readonly #driven: DrivenRun<Output>;
  readonly #given: Context;
  readonly #context: Context;
  readonly #abort = new AbortController();
  readonly #listeners = new Set<Listener>();
  readonly #streams = new Set<EventStream>();
  readonly #waiters = new Set<() => void>();
  /** Set once the run has ended, and while it waits for an answer. */
  #result: RunResult<Output> | undefined;
  readonly #correlation = new Correlation();
  /** Of the model calls in the current drive. */
  #usage = new UsageCounter();
  #drive: Promise<RunResult<Output>> | undefined;
  #pausing = false;
  /** Events of transitions that `resume` and `next` made while nothing streamed them. */
  #unread: RunEvent[] = [];

  /** @internal Use `flow.start` or `journal.start`. */
  constructor(driven: DrivenRun<Output>, context: Context) {
    this.#driven = driven;
    this.#given = context;
    this.#context = this.#listening(context);
    this.run_id = driven.snapshot().run_id;
  }

  /** Makes one transition. Rejects with its failure; see `FlowRuntime.next`. */
  next(): Promise<RunOutcome<Output>> {
    return this.#transition(() => this.#driven.next(this.#context));
  }

  /** The same as `next()`. */
  step(): Promise<RunOutcome<Output>> {
    return this.next();
  }

  /**
   * Answers a suspension and makes the transition that continues from it. Rejects if it is not the pending one (`ResumeMismatchError`) or the answer does
   * not match its schema (`DeserializeError`); the run then still waits.
   */
  resume(suspension: Pick<Suspension, 'tool_id'> & Partial<Suspension>, answer: unknown): Promise<RunOutcome<Output>> {
    const { tool_id, tool_call_id } = suspension;
    const options = tool_call_id === undefined ? {} : { tool_call_id };
    return this.#transition(() => this.#driven.resume(this.#context, tool_id, answer as Json, options));
  }

  /** Drives the run to its end, a question or a failure. Never rejects for what the run does. The context's `onSuspend` answers questions. */
  result(): Promise<RunResult<Output>> {
    if (this.#drive) return this.#drive;
    if (this.#result) return Promise.resolve(this.#result);
    return this.#driving();
  }

  /** Drives the run and returns its output. Throws if it fails, waits for an answer, or is cancelled or paused. */
  async toEnd(): Promise<Output> {
    return outputOrThrow(await this.result());
  }

  /**
   * Drives the run and yields its events: `init_stream` first, `end_stream` last. A reader that is 1,000 events behind holds the run, between transitions
   * and between the chunks of a model's answer; with `overflow: 'gap'` it gets a `gap` event instead. Leaving the loop pauses the run after the
   * transition in progress.
   */
  stream(options: StreamOptions = {}): EventStream {
    return new EventStream((stream) => this.#streamed(stream), options);
  }

  /** Calls `listener` for each event and returns a function that ends this. Its errors go to the context's `onListenerError` and never fail a step. */
  subscribe(listener: Listener): () => void {
    const own: Listener = (event) => listener(event);
    this.#listeners.add(own);
    return () => {
      this.#listeners.delete(own);
    };
  }

  /** Cancels the run: aborts what is in progress and resolves when it has ended. A run that has ended is not changed. */
  async cancel(reason = 'The run was cancelled.'): Promise<void> {
    if (this.#ending) return;
    const failure = new FlowError('Cancelled', reason);
    this.#abort.abort(failure);
    await this.#drive;
    const result = this.#result as RunResult<Output> | undefined;
    if (result && result.status !== 'suspended' && result.status !== 'cancelled') return;
    this.#result = { status: 'cancelled', error: failure.toJSON() };
    this.#driven.cancel?.();
    this.#wake();
  }

  /** The run between two transitions, as plain JSON. */
  snapshot(): Snapshot {
    return this.#driven.snapshot();
  }

  /**
   * Replays a run of a journal with its flow from the recorded effects, and returns the first difference. Calls no model, tool or effect of a handler. Rejects
   * with `Invalid` for a run in memory, and with `Conflict` while the run is driven.
   */
  async replay(): Promise<ReplayReport> {
    if (this.#drive) throw new FlowError('Conflict', 'The run is being driven. Wait for result(), then replay it.');
    if (!this.#driven.replay) throw new FlowError('Invalid', 'A run in memory has no records to replay. Start it with journal.start.');
    return this.#driven.replay();
  }

  /** The agents' conversations by node. */
  history(): History {
    return this.#driven.history();
  }

  /** The value of the waiting state with this name; undefined if there is none. */
  state(name: string): Json | undefined {
    return this.snapshot().states.find((each) => each.name === name)?.value;
  }

  /** The questions that wait for an answer; the first one is pending. */
  get suspensions(): readonly Suspension[] {
    return this.snapshot().control.suspensions;
  }

  /** What the limits have counted: steps, seconds, model calls and tokens. */
  get usage(): Counters {
    return this.snapshot().control.counters;
  }

  /**
   * Resolves with the first snapshot for which `predicate` returns true, now or after a transition. Drives nothing. Rejects with `LimitExceeded` after
   * `timeout` milliseconds, and with `NotFound` if the run ends before.
   */
  async waitFor(predicate: (snapshot: Snapshot) => boolean, { timeout }: { readonly timeout?: number } = {}): Promise<Snapshot> {
    const late = timeout === undefined ? undefined : AbortSignal.timeout(timeout);
    for (;;) {
      const snapshot = this.snapshot();
      if (predicate(snapshot)) return snapshot;
      if (this.#ending) throw new FlowError('NotFound', `The run ended (${this.#ending.status}) before the condition was true.`);
      let wake = () => {};
      const moved = new Promise<void>((resolve) => {
        wake = resolve;
        this.#waiters.add(wake);
      });
      try {
        await (late ? unlessAborted(late, moved) : moved);
      } catch {
        throw new FlowError('LimitExceeded', `The condition was not true within ${timeout} ms.`);
      } finally {
        this.#waiters.delete(wake);
      }
    }
  }

  /** Pauses the run after the transition in progress and frees its memory. A recorded run can be opened again. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#pausing = true;
    await this.#drive;
    this.#driven[Symbol.dispose]();
  }

  /** The result of a run that has ended. */
  get #ending(): RunResult<Output> | undefined {
    return this.#result?.status === 'suspended' ? undefined : this.#result;
  }

  /** One transition outside of a drive. */
  async #transition(act: () => Promise<RunOutcome<Output>>): Promise<RunOutcome<Output>> {
    if (this.#drive) throw new FlowError('Conflict', 'The run is being driven. Wait for result(), or leave the stream first.');
    const unread = this.subscribe((event) => this.#unread.push(event));
    try {
      const outcome = await act();
      this.#moved(outcome);
      return outcome;
    } finally {
      unread();
      this.#wake();
    }
  }

  /** Drives until the run rests. */
  #driving(): Promise<RunResult<Output>> {
    this.#pausing = false;
    this.#unread = [];
    const drive = this.#drivenToRest().finally(() => {
      this.#drive = undefined;
      this.#wake();
    });
    this.#drive = drive;
    return drive;
  }

  async #drivenToRest(): Promise<RunResult<Output>> {
    const began = this.#context.clock.now();
    // Before the first event, so that a listener that is added in the same turn hears it.
    await null;
    this.#usage = new UsageCounter();
    this.#emitStart();
    const result = await this.#transitions();
    this.#emitEnd(result, this.#context.clock.now() - began);
    return result;
  }

  async #transitions(): Promise<RunResult<Output>> {
    const run = this.#driven;
    try {
      run.workAhead(this.#context);
      for (;;) {
        await readerRoom(this.#context);
        if (this.#pausing) {
          run.rest?.();
          return { status: 'paused' };
        }
        this.#abort.signal.throwIfAborted();
        let outcome = await run.next(this.#context);
        while (outcome.type === 'suspend' && this.#context.onSuspend) {
          const { type: _type, ...suspension } = outcome;
          const answer = await unlessAborted(this.#context.signal, Promise.resolve(this.#context.onSuspend(suspension)));
          outcome = await run.resume(this.#context, suspension.tool_id, answer, { tool_call_id: suspension.tool_call_id });
        }
        this.#moved(outcome);
        this.#wake();
        if (this.#result) return this.#result;
      }
    } catch (error) {
      return this.#failed(error);
    } finally {
      await run.stopAhead();
    }
  }

  #moved(outcome: RunOutcome<Output>): void {
    if (outcome.type === 'done') this.#result = { status: 'success', output: outcome.output };
    else if (outcome.type === 'suspend') {
      const { type: _type, ...suspension } = outcome;
      this.#result = { status: 'suspended', suspension };
    } else this.#result = undefined;
  }

  /** A failed step leaves the run as it was before it: driven again, it is tried again. */
  #failed(error: unknown): RunResult<Output> {
    const cancelled = this.#abort.signal.aborted;
    const failure = toTransferable(cancelled ? this.#abort.signal.reason : error);
    const result = { status: failure.variant === 'Cancelled' ? 'cancelled' : 'error', error: failure } as const;
    if (cancelled) this.#result = result;
    return result;
  }

  async #streamed(stream: EventStream): Promise<void> {
    for (const event of this.#unread) stream.add(event);
    const unsubscribe = this.subscribe((event) => stream.add(event));
    this.#streams.add(stream);
    try {
      if (this.#drive) await this.#drive;
      else if (this.#result) {
        this.#emitStart();
        this.#emitEnd(this.#result, 0);
      } else {
        stream.onLeave = () => {
          this.#pausing = true;
        };
        await this.#driving();
      }
    } finally {
      unsubscribe();
      this.#streams.delete(stream);
    }
  }

  /** Resolves once all readers have caught up; undefined if they have. */
  #room(): Promise<void> | undefined {
    const full = [...this.#streams].flatMap((stream) => stream.room() ?? []);
    return full.length > 0 ? Promise.all(full).then(() => {}) : this.#given.ready?.();
  }

  #emitStart(): void {
    const { flow } = this.snapshot();
    this.#emit({ type: 'init_stream', flow: flow.name, flow_hash: flow.hash });
  }

  #emitEnd(result: RunResult<Output>, duration: number): void {
    const { states, control } = this.snapshot();
    this.#emit({
      type: 'end_stream',
      status: result.status,
      ...(result.status === 'success' && { output: result.output as Json }),
      ...('error' in result && { error: result.error }),
      states: [...states],
      total_duration_ms: duration,
      tokens_used: control.counters.tokens,
      usage: promptUsage(this.#usage.usage),
    });
  }

  #emit(body: EventBody): void {
    const { run_id, seq } = this.snapshot();
    this.#context.onEvent?.({ run_id, seq, timestamp: this.#context.clock.now(), ...body } as RunEvent);
  }

  #wake(): void {
    for (const wake of this.#waiters) wake();
  }

  /** The context of the transitions: events go to all listeners, and `cancel` aborts it. Without listeners, no events are created. */
  #listening(context: Context): Context {
    const listeners = this.#listeners;
    const report = (made: RunEvent) => {
      this.#usage.take(made);
      const event = this.#correlation.add(made);
      notifyListener(context, event);
      for (const onEvent of listeners) notifyListener({ onEvent, onListenerError: context.onListenerError }, event);
    };
    return {
      ...context,
      signal: AbortSignal.any([context.signal, this.#abort.signal]),
      ready: () => this.#room(),
      get onEvent() {
        return context.onEvent || listeners.size > 0 ? report : undefined;
      },
    } as Context;
  }
}
