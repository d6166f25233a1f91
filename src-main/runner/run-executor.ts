import type { LogLine } from '#main/debug/stop-at.ts';
import { FlowRuntime } from '#main/engine/flow-runtime.ts';
import type { Context } from '#main/engine/ports/context.ts';
import type { Gate, GatePoint } from '#main/engine/ports/gate.ts';
import type { EffectOutcome } from '#main/engine/ports/recorder.ts';
import type { Tool, ToolPreview } from '#main/engine/ports/tool.ts';
import { notifyListener } from '#main/engine/step/notify-listener.ts';
import type { Journal } from '#main/journal/journal.ts';
import { JournalConversations } from '#main/journal/journal-conversations.ts';
import { acquireLease, heartbeatInterval, releaseLease, renewLease } from '#main/journal/lease.ts';
import type { RunRow } from '#main/journal/rows.ts';
import { RunReader } from '#main/journal/run-reader.ts';
import type { Breakpoint } from '#shared/contract/breakpoint.ts';
import type { Supplied } from '#shared/contract/supplied.ts';
import type { FlowGraph, NamedState } from '#shared/flow/graph.ts';
import type { Json } from '#shared/json.ts';
import { FlowError, toTransferable } from '#shared/run/error.ts';
import { errorEvent } from '#shared/run/error-event.ts';
import type { AheadEvent, EventBody, RunEvent } from '#shared/run/event.ts';
import type { Prices } from '#shared/run/model-cost.ts';
import type { RunOutcome } from '#shared/run/snapshot.ts';
import type { Stop } from '#shared/run/stop.ts';
import { promptUsage, UsageCounter } from '#shared/run/token-usage.ts';
import type { BodyClock } from './body-clock.ts';
import { cancelled, causeOf, type DriveResult, endStream, isRefusal, restingStatus, statusAfter } from './drive-result.ts';
import { FilledEvents } from './filled-events.ts';
import { type LoadedRun, loadRun, stepsOf, tokensOf } from './loaded-run.ts';
import { previewOf } from './preview.ts';
import { RunHolds } from './run-holds.ts';
import { RunStops } from './run-stops.ts';
import { RunSupply } from './run-supply.ts';
import { type StepMode, stepGoal } from './step-target.ts';

export interface ExecutorOptions {
  readonly journal: Journal;
  /** The run's context; the executor supplies `signal` and `onEvent`. */
  readonly context: Context;
  /** Receives every event with its values filled in. */
  readonly onEvent?: (event: RunEvent) => void;
  /** Receives the events of steps that are made before their turn, as they happen. */
  readonly onAhead?: ((event: AheadEvent) => void) | undefined;
  /** Receives what `onEvent` throws. Default: rethrown as an uncaught error. The run continues either way. */
  readonly onListenerError?: (error: unknown, event: RunEvent) => void;
  /** Called when a refused call has left the run unchanged: it is no longer running, and no event reports this. */
  readonly onRefused?: () => void;
  /** Random token that identifies this executor in the lease. */
  readonly token: string;
  /** Returns tools that a flow names in addition to the context's. Called each time the run is driven. */
  readonly toolsOf?: (graph: FlowGraph) => Promise<readonly Tool[]>;
  /** Returns what models cost, for conditions over the run's cost. Called each time the run is driven. */
  readonly pricesOf?: () => Promise<Prices>;
  /** Days after their last use for which the folder keeps conversations. Default: for ever. Older ones are removed when a run starts. */
  readonly keepConversationDays?: number;
  /** Token of an executor whose thread was terminated and whose lease may be taken over. */
  readonly takeOver?: string;
  /** Reports bodies to the thread that watches this one, if any. */
  readonly bodies?: BodyClock;
  /** Called when the run is held inside a step, and with null when it continues. Without it the run is never held. */
  readonly onHold?: (stop: Stop | null) => void;
  /** Seconds after which a hold ends by itself, with a log line. Default: never. */
  readonly holdSeconds?: number;
  /** Where the run stops. */
  readonly breakpoints?: readonly Breakpoint[];
  /** Pins and mocks. */
  readonly supplied?: readonly Supplied[];
}

export interface NewRun {
  /** Default: a new id. */
  readonly run_id?: string;
  readonly graph: FlowGraph;
  readonly flow_path: string;
  readonly flow_text: string;
  /** See `LoadedFlow.sources`. */
  readonly sources?: ReadonlyMap<string, string>;
  readonly input: Json;
  /** Model URLs that replace those of the flow's agents, by node id. */
  readonly models?: Readonly<Record<string, string>>;
}

export interface ResumeOptions {
  readonly tool_call_id?: string;
  readonly then_continue?: boolean;
  readonly max_steps?: number;
}

/** Why a step in which the run was held ended. */
class HoldLeft extends Error {}

/** How long transitions may run before the thread yields to its event loop, in milliseconds. */
const yieldInterval = 10;

type Act = (run: LoadedRun, context: Context) => Promise<RunOutcome>;

/** A `DriveResult` without the fields that are known only afterwards. */
type Ending = Pick<DriveResult, 'status' | 'output' | 'error' | 'tokens'>;

/**
 * Drives one run: takes the lease, makes transitions, records them and emits their events. Between two calls it holds no
 * lease, so another process may continue the run; the executor detects this and reloads the run. One call at a time.
 *
 * A call resolves to a `DriveResult`, also when a step failed (status `error`, recorded). It throws when it was refused and nothing
 * changed: `ResumeRequired`, `UnexpectedResumption`, `ResumeMismatchError`, `Conflict`, an invalid payload, a journal that
 * is not writable.
 */
export class RunExecutor {
  readonly runId: string;
  readonly #options: ExecutorOptions;
  readonly #events: FilledEvents;
  readonly #unsaved = new Map<string, EffectOutcome>();
  #loaded: LoadedRun | undefined;
  #driving: { readonly abort: AbortController; readonly stopped: Promise<DriveResult> } | undefined;
  #pause = false;
  readonly #stops: RunStops;
  readonly #holds: RunHolds;
  /** Of the model calls in the current call. */
  #usage = new UsageCounter();
  /** Whether the call in progress has gone far enough; undefined if it goes as far as it can. */
  #reached: (() => boolean) | undefined;
  readonly #supply = new RunSupply();
  /** Whether a hold in the call in progress was left to continue the run. */
  #continuesHeld = false;
  /** Whether this executor has started the run and not driven it yet. */
  #fresh = false;
  #prices: Prices = {};
  /** Events since the last record; those of a failing step are stored with the failure. */
  #uncommitted: RunEvent[] = [];

  private constructor(options: ExecutorOptions, runId: string) {
    this.#options = options;
    this.runId = runId;
    this.#events = new FilledEvents((event) => this.#report(event));
    const { onHold, holdSeconds } = options;
    this.#holds = new RunHolds(options.context.clock.now, (stop) => this.#emitHold(stop), {
      seconds: holdSeconds,
      onExpired: (stop) => this.#logExpiredHold(stop),
    });
    this.#stops = new RunStops((line) => this.#log(line), options.context.clock.now, onHold !== undefined);
    this.setBreakpoints(options.breakpoints ?? []);
    this.setSupplied(options.supplied ?? []);
  }

  /** Records a new run, paused before its first transition. Throws `DeserializeError` if the input violates the entry's schema. */
  static start(options: ExecutorOptions, run: NewRun): RunExecutor {
    const { journal, context, keepConversationDays } = options;
    if (keepConversationDays !== undefined) new JournalConversations(journal).expireAfter(keepConversationDays, context.clock.now());
    const runtime = FlowRuntime.new(run.graph, run.input, { run_id: run.run_id ?? context.newId(), models: run.models });
    const snapshot = runtime.snapshot();
    journal.createRun({ ...run, snapshot, created_at: context.clock.now() });
    const executor = new RunExecutor(options, snapshot.run_id);
    executor.#fresh = true;
    executor.#stops.enter(run.graph, snapshot, runtime.nextNode);
    return executor;
  }

  /** Opens a recorded run. Throws `NotFound`. */
  static open(options: ExecutorOptions, runId: string): RunExecutor {
    options.journal.row(runId);
    return new RunExecutor(options, runId);
  }

  step(mode: StepMode): Promise<DriveResult> {
    return this.#drive((run, context) => {
      if (this.#repeats) return this.#repeat(run, context);
      this.#aim(run, mode);
      return this.#continue(run, context, Number.POSITIVE_INFINITY);
    });
  }

  /** Continues a run that is held inside a step; its call goes on as far as `mode` says. Returns false if the run isn't held. */
  continueHeld(mode: StepMode | 'continue'): boolean {
    const run = this.#loaded;
    if (!run || !this.#holds.stop) return false;
    this.#continuesHeld = mode === 'continue';
    this.#aim(run, mode);
    return this.#holds.release();
  }

  /**
   * Makes transitions until the run ends, suspends, fails, is paused, a breakpoint stops it, or `maxSteps` have been made. `until`: breakpoints for this
   * call only.
   */
  continue(maxSteps = Number.POSITIVE_INFINITY, until: readonly Breakpoint[] = []): Promise<DriveResult> {
    return this.#drive((run, context) => {
      if (this.#repeats) return this.#repeat(run, context);
      return this.#continueFresh(run, context, maxSteps);
    }, until);
  }

  /** Answers a pending call. Without `then_continue` the run pauses afterwards. */
  resume(toolId: string, payload: Json, options: ResumeOptions = {}): Promise<DriveResult> {
    return this.#drive(async (run, context) => {
      const before = stepsOf(run);
      // An answer is recorded before a body receives it.
      if (this.#repeats) return this.#repeat(run, context);
      const outcome = await run.runtime.resume(context, toolId, payload, { tool_call_id: options.tool_call_id });
      if (this.#stops.active && this.#stops.stopsHere(run, outcome)) return outcome;
      const goesOn = options.then_continue || this.#continuesHeld;
      if (outcome.type !== 'continue' || !goesOn || this.#reached?.()) return outcome;
      return this.#continue(run, context, (options.max_steps ?? Number.POSITIVE_INFINITY) - (stepsOf(run) - before));
    });
  }

  /** Replaces the breakpoints at which the run stops, also while it is driven. Throws `FlowError` `Invalid` for a condition that can't be parsed. */
  setBreakpoints(breakpoints: readonly Breakpoint[]): void {
    this.#stops.setBreakpoints(breakpoints);
  }

  /** Replaces the pins and mocks, also while the run is driven. Throws `FlowError` `Invalid` for an expression that can't be parsed. */
  setSupplied(supplied: readonly Supplied[]): void {
    this.#supply.setSupplied(supplied);
  }

  /** Where and why the run is stopped; null while it is driven, after its end, and before it was driven by this executor. */
  get stop(): Stop | null {
    return this.#holds.stop ?? this.#stops.last;
  }

  /**
   * Leaves the step in which the run is held without making its call: the run pauses before that step, which starts again when the run continues. Resolves to
   * false if the run isn't held.
   */
  async leaveHold(): Promise<boolean> {
    const driving = this.#driving;
    if (!driving || !this.#holds.stop) return false;
    driving.abort.abort(new HoldLeft());
    await driving.stopped;
    return true;
  }

  /** Stops after the current transition. */
  pause(): void {
    this.#pause = true;
    this.#holds.release();
  }

  /** Leaves a held run where it is, paused before the step in progress: nothing of what it was held before is done. */
  async leaveHeld(): Promise<void> {
    if (!this.#holds.stop || !this.#driving) return;
    const { abort, stopped } = this.#driving;
    abort.abort(new FlowError('Conflict', `Run ${this.runId} was left while it was held.`));
    await stopped.catch(() => undefined);
  }

  /** Cancels the run permanently, also inside a transition. Does nothing if it is already cancelled; throws `Conflict` if it has finished. */
  async cancel(): Promise<DriveResult> {
    if (this.#driving) {
      this.#driving.abort.abort(cancelled(this.runId));
      return this.#driving.stopped;
    }
    const { status, tokens } = this.#options.journal.row(this.runId);
    if (status === 'cancelled')
      return { status, error: cancelled(this.runId).toJSON(), states: this.states(), duration_ms: 0, tokens, stop: null };
    if (status === 'success') throw new FlowError('Conflict', `Can't cancel run ${this.runId}: it has already finished.`);
    return this.#drive(() => Promise.reject(cancelled(this.runId)));
  }

  /** Returns what approving a pending call with this input would change on disk; null if it writes no file. Throws `NotFound`. */
  preview(toolCallId: string, input: Json): Promise<ToolPreview | null> {
    const { journal, context } = this.#options;
    const row = journal.row(this.runId);
    return previewOf(new RunReader(journal, row).foldAt(row.last_seq).control.suspensions, context, toolCallId, input);
  }

  /** Returns the recorded state map. */
  states(): NamedState[] {
    const row = this.#options.journal.row(this.runId);
    return [...new RunReader(this.#options.journal, row).snapshotAt(row.last_seq).states];
  }

  /** Releases the executor's memory. The run is unchanged. */
  close(): void {
    this.#loaded?.recorder.close();
    this.#loaded?.runtime.dispose();
    this.#loaded = undefined;
  }

  /** Whether the previous thread was terminated during this same request. */
  get #repeats(): boolean {
    return (this.#options.bodies?.repeatsUpTo ?? null) !== null;
  }

  /** Runs up to the step whose body exceeded its deadline and fails it. */
  #repeat(run: LoadedRun, context: Context): Promise<RunOutcome> {
    return this.#continue(run, context, (this.#options.bodies?.repeatsUpTo ?? 0) - run.recorder.seq);
  }

  /** A run that was just started also stops before its first node. Others continue from their current state. */
  #continueFresh(run: LoadedRun, context: Context, maxSteps: number): Promise<RunOutcome> {
    const outcome: RunOutcome = { type: 'continue' };
    if (this.#fresh && this.#stops.active && this.#stops.stopsHere(run, outcome)) return Promise.resolve(outcome);
    return this.#continue(run, context, maxSteps);
  }

  #aim(run: LoadedRun, mode: StepMode | 'continue'): void {
    this.#reached = mode === 'continue' ? undefined : stepGoal(run, mode);
    const { heldDepth } = this.#stops;
    const inHeldFlow = !this.#holds.stop || mode === 'continue' ? 0 : mode === 'over' ? heldDepth : heldDepth - 1;
    this.#stops.depth = mode === 'into' ? Number.POSITIVE_INFINITY : inHeldFlow;
  }

  async #continue(run: LoadedRun, context: Context, maxSteps: number): Promise<RunOutcome> {
    const stops = this.#stops;
    // With breakpoints, and in steps, nothing begins before its turn.
    if (!stops.active && !this.#reached && !this.#repeats) run.runtime.workAhead(context);
    try {
      return await this.#makeSteps(run, context, maxSteps);
    } finally {
      await run.runtime.stopAhead();
    }
  }

  async #makeSteps(run: LoadedRun, context: Context, maxSteps: number): Promise<RunOutcome> {
    const stops = this.#stops;
    let outcome: RunOutcome = { type: 'continue' };
    let yielded = performance.now();
    for (let made = 0; made < maxSteps && outcome.type === 'continue' && !this.#pause; made += 1) {
      outcome = await run.runtime.next(context);
      // A breakpoint that is set meanwhile must find nothing begun behind it.
      if (stops.active) await run.runtime.stopAhead();
      if (stops.active && stops.stopsHere(run, outcome)) break;
      if (this.#reached?.()) break;
      if (performance.now() - yielded < yieldInterval) continue;
      // Synchronous steps would block messages, signals and heartbeats.
      await new Promise(setImmediate);
      yielded = performance.now();
    }
    return outcome;
  }

  async #drive(act: Act, until?: readonly Breakpoint[]): Promise<DriveResult> {
    if (this.#driving) throw new FlowError('Conflict', `Run ${this.runId} is already running. Wait until it has stopped.`);
    // Before the first step, which a loaded run makes immediately.
    this.#pause = false;
    this.#reached = undefined;
    this.#stops.depth = 0;
    this.#continuesHeld = false;
    const abort = new AbortController();
    const stopped = this.#driveUnder(abort, act, until);
    this.#driving = { abort, stopped };
    try {
      return await stopped;
    } finally {
      this.#fresh = false;
      this.#driving = undefined;
    }
  }

  /** Takes the lease, runs `act`, records the outcome and releases the lease. */
  async #driveUnder(abort: AbortController, act: Act, until?: readonly Breakpoint[]): Promise<DriveResult> {
    const { journal, token, takeOver, context } = this.#options;
    const started = performance.now();
    journal.fetch(this.runId);
    const before = journal.writing(() => {
      const row = journal.row(this.runId);
      if (row.status === 'cancelled') throw cancelled(this.runId);
      acquireLease(journal.database, row.run, token, context.clock.now(), takeOver);
      journal.setStatus(row, 'running', context.clock.now());
      return row;
    });
    const heartbeat = setInterval(() => this.#beat(before.run, abort), heartbeatInterval);
    try {
      const run = this.#load(abort);
      this.#stops.begin(run, () => new RunReader(journal, journal.row(this.runId), this.#prices), until);
      const stop = await this.#actAndEnd(run, before, abort, act);
      this.#options.bodies?.repeated();
      const ended = this.#stops.end(run, stop.status, this.#pause ? 'pause' : 'step', stop.error);
      const whole = { ...stop, stop: ended, states: run.runtime.snapshot().states, duration_ms: performance.now() - started };
      this.#emit({ ...endStream(whole), usage: promptUsage(this.#usage.usage) }, run.recorder.seq);
      // What the step had done so far is on record, and only there.
      if (abort.signal.reason instanceof HoldLeft) this.close();
      return whole;
    } catch (error) {
      // Nothing was changed or could be written: the memory may differ from the disk.
      this.close();
      this.#release(before);
      throw error;
    } finally {
      clearInterval(heartbeat);
    }
  }

  async #actAndEnd(run: LoadedRun, before: RunRow, abort: AbortController, act: Act): Promise<Ending> {
    const seq = run.recorder.seq;
    try {
      const context = await this.#contextFor(abort, run.graph);
      this.#options.bodies?.recorded(seq);
      this.#usage = new UsageCounter();
      this.#emit({ type: 'init_stream', flow: before.flow_name, flow_hash: before.flow_hash }, seq);
      const outcome = await act(run, context);
      if (outcome.type !== 'done') abort.signal.throwIfAborted();
      const status = statusAfter(outcome);
      const output = outcome.type === 'done' ? { output: outcome.output } : {};
      run.recorder.end({ status, ...output });
      return { status, ...output, tokens: tokensOf(run) };
    } catch (error) {
      if (abort.signal.reason instanceof HoldLeft) {
        run.recorder.end({ status: 'paused' });
        return { status: 'paused', tokens: tokensOf(run) };
      }
      const cause = causeOf(abort.signal, error);
      if (isRefusal(cause, run.recorder.seq > seq)) throw cause;
      this.#options.bodies?.repeated();
      const failure = toTransferable(cause);
      const status = failure.variant === 'Cancelled' ? 'cancelled' : 'error';
      this.#events.failed();
      if (!this.#uncommitted.some((event) => event.type === 'error' && event.counted !== false))
        this.#emit(errorEvent(failure), run.recorder.seq + 1);
      run.recorder.end({ status, failure: { error: failure, events: this.#uncommitted } });
      return { status, error: failure, tokens: tokensOf(run) };
    } finally {
      run.runtime.rest();
    }
  }

  /** Returns the run in memory, reloaded if another process has continued it. */
  #load(abort: AbortController): LoadedRun {
    const { journal, token, context } = this.#options;
    const row = journal.row(this.runId);
    const inMemory = this.#loaded?.recorder;
    if (this.#loaded && inMemory?.seq === row.last_seq && inMemory.attempt === row.attempt) return this.#loaded;
    this.close();
    const onCancel = () => this.#driving?.abort.abort(cancelled(this.runId));
    this.#loaded = loadRun(journal, row, {
      unsaved: this.#unsaved,
      token,
      now: context.clock.now,
      onCancel,
      onCommit: (...step) => this.#committed(...step),
    });
    this.#supply.load(this.#loaded.graph, journal, row);
    if (row.cancel === 1) abort.abort(cancelled(this.runId));
    return this.#loaded;
  }

  #committed(...[step, consumed]: Parameters<FilledEvents['committed']>): void {
    this.#uncommitted = [];
    this.#stops.committed(step, consumed);
    this.#options.bodies?.recorded(step.seq);
    this.#events.committed(step, consumed);
  }

  async #contextFor(abort: AbortController, graph: FlowGraph): Promise<Context> {
    const { context, toolsOf, pricesOf, onAhead } = this.#options;
    // A file that can't be read keeps no run from continuing: the prices stay as they were.
    this.#prices = (await pricesOf?.().catch(() => undefined)) ?? this.#prices;
    this.#uncommitted = [];
    const onEvent = (event: RunEvent) => {
      this.#uncommitted.push(event);
      this.#events.take(event);
    };
    const more = (await toolsOf?.(graph)) ?? [];
    const tools = more.length === 0 ? context.tools : new Map([...context.tools, ...more.map((tool) => [tool.name, tool] as const)]);
    const [supply, stops, holds] = [this.#supply, this.#stops, this.#holds];
    const gate: Gate = (point) => holds.gate(() => this.#holdAt(point), abort.signal);
    return {
      ...context,
      clock: { now: context.clock.now, held: holds.held },
      tools,
      signal: abort.signal,
      onEvent,
      ...(onAhead && { onAhead }),
      bodies: this.#options.bodies,
      // Asked at each step, so that a pin set meanwhile counts.
      get supply() {
        return supply.current;
      },
      get gate() {
        return stops.gated ? gate : undefined;
      },
    };
  }

  #holdAt(point: GatePoint): Stop | null {
    if (!this.#loaded || this.#pause) return null;
    return this.#stops.holdAt(this.#loaded, point);
  }

  #emitHold(stop: Stop | null): void {
    // Readers look at the journal while the run is held.
    if (stop) this.#loaded?.recorder.flush();
    const [from, to] = stop ? ['running', 'held'] : ['held', 'running'];
    this.#emit({ type: 'lifecycle', from, to, attempt: 1, reason: stop?.text ?? '' }, this.#loaded?.recorder.seq ?? 0);
    this.#options.onHold?.(stop);
  }

  /** A log point's line is emitted and not recorded. */
  #log({ breakpoint, node, text }: LogLine): void {
    this.#emit({ type: 'log', node, level: 'info', values: [text], breakpoint }, this.#loaded?.recorder.seq ?? 0);
  }

  #logExpiredHold({ place, text }: Stop): void {
    const line = `The run was held for ${this.#options.holdSeconds} s and continues: ${text}`;
    this.#emit({ type: 'log', node: place.at(-1)?.node ?? '', level: 'warn', values: [line] }, this.#loaded?.recorder.seq ?? 0);
  }

  #emit(body: EventBody, seq: number): void {
    const event = { run_id: this.runId, seq, timestamp: this.#options.context.clock.now(), ...body } as RunEvent;
    this.#report(event);
  }

  /** Suppresses events that a terminated thread has already reported. */
  #report(event: RunEvent): void {
    this.#usage.take(event);
    if (!this.#repeats) notifyListener(this.#options, event);
  }

  #beat(run: number, abort: AbortController): void {
    const { journal, token, context } = this.#options;
    try {
      const { held, cancel } = renewLease(journal.database, run, token, context.clock.now());
      if (cancel) abort.abort(cancelled(this.runId));
      else if (!held) abort.abort(new FlowError('Conflict', `Another process has taken over run ${this.runId}.`));
    } catch {
      // The journal is locked: the next heartbeat or record will report it.
    }
  }

  #release(before: RunRow): void {
    const { journal, token, context, onRefused } = this.#options;
    try {
      journal.writing(() => {
        if (releaseLease(journal.database, before.run, token)) journal.setStatus(before, restingStatus(before), context.clock.now());
      });
      onRefused?.();
    } catch {
      // The journal is not writable: the lease expires by itself, and the caller receives the original failure.
    }
  }
}
