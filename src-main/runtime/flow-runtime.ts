import { randomUUID } from 'node:crypto';
import { acceptInput } from '#main/runtime/accept-input.ts';
import type { Caller, OpenCalledRun } from '#main/runtime/caller.ts';
import type { Context } from '#main/runtime/context.ts';
import { controlAfter, initialControl } from '#main/runtime/control.ts';
import { type Draft, StepSuspended } from '#main/runtime/draft.ts';
import { assertWithinLimits } from '#main/runtime/limits.ts';
import { type Place, placeInside } from '#main/runtime/place.ts';
import { type FlowPlan, type NodePlan, planOf } from '#main/runtime/plan.ts';
import type { Recorder, StepRecord } from '#main/runtime/recorder.ts';
import { acceptAnswer } from '#main/runtime/resume.ts';
import { assertNoSecret, maskedFailure } from '#main/runtime/secret-guard.ts';
import { checkSnapshot } from '#main/runtime/snapshot-check.ts';
import { StateMap } from '#main/runtime/state-map.ts';
import { type RunResources, Step, type StepRun } from '#main/runtime/step.ts';
import { cancelled, failureOf } from '#main/runtime/step-failure.ts';
import type { NamedState, TypedFlowGraph } from '#shared/flow/graph.ts';
import type { Limits } from '#shared/flow/limits.ts';
import type { Json } from '#shared/json.ts';
import { FlowError, fromTransferable, type ToolError } from '#shared/runtime/error.ts';
import type { EventBody, RunEvent, RunEventOf } from '#shared/runtime/event.ts';
import type { History, Message } from '#shared/runtime/message.ts';
import type { Control, Counters, RunOutcome, Snapshot } from '#shared/runtime/snapshot.ts';

/** How a run stands in the world, besides its flow. */
export interface RuntimeOptions {
  /** Where the run writes itself down. Without one it lives in memory only. */
  readonly recorder?: Recorder;
  /** Default: a random UUID. */
  readonly run_id?: string;
  /** Model URLs that replace those of the flow's agents in this run, by node id. */
  readonly models?: Readonly<Record<string, string>>;
  /** Set for the run of a flow that another run calls as a tool. */
  readonly caller?: Caller;
}

export interface RestoreOptions extends RuntimeOptions {
  /** Restores although the flow is not the one that the snapshot was made with (`SnapLoadError` otherwise). */
  readonly accept_changed_flow?: boolean;
}

export interface ResumeOptions {
  /** The call that is answered. One that is not the call that waits is refused. */
  readonly tool_call_id?: string;
}

const goesOn: RunOutcome = { type: 'continue' };
const goesOnPromise: Promise<{ readonly type: 'continue' }> = Promise.resolve({ type: 'continue' });
const noStates: readonly NamedState[] = [];
const noNames: readonly string[] = [];

/**
 * One run of a flow. Each call of `next()` makes one bounded transition; between two calls the run is plain JSON (`snapshot()`).
 * A step commits its states, conversations and events together or not at all: when it fails, the run is as it was before.
 */
export class FlowRuntime<Output = Json> {
  readonly #plan: FlowPlan;
  readonly #states: StateMap;
  readonly #options: RuntimeOptions;
  readonly #resources: RunResources = {};
  #runId: string | undefined;
  #control: Control;
  #history: Readonly<Record<string, readonly Message[]>> = {};
  #seq: number;
  #busy = false;
  /** What the limits have counted, in this run and its callers. */
  readonly #counted = (): Counters => this.#options.caller?.counted() ?? this.#control.counters;

  private constructor(plan: FlowPlan, states: readonly NamedState[], control: Control, seq: number, options: RuntimeOptions) {
    this.#plan = plan;
    this.#states = new StateMap(plan, states);
    this.#control = control;
    this.#seq = seq;
    this.#options = options;
    this.#runId = options.run_id;
  }

  /** Starts a run. Throws `FlowError` `DeserializeError` with the path of the field that misses the entry's schema. */
  static new<Input, Output = Json>(
    graph: TypedFlowGraph<Input, Output>,
    input: NoInfer<Input>,
    options: RuntimeOptions = {},
  ): FlowRuntime<Output> {
    const plan = planOf(graph);
    return new FlowRuntime(plan, [acceptInput(plan, input)], initialControl, 0, options);
  }

  /**
   * Takes a run up where a snapshot left it. Every name and value is checked against the flow: `SnapLoadError`, with the path.
   * The agents' conversations come apart, by `withHistory`.
   */
  static fromSnapshot<Output = Json>(
    graph: TypedFlowGraph<unknown, Output>,
    snapshot: Snapshot,
    options: RestoreOptions = {},
  ): FlowRuntime<Output> {
    const plan = planOf(graph);
    checkSnapshot(plan, snapshot, options.accept_changed_flow ?? false);
    return new FlowRuntime(plan, snapshot.states, snapshot.control, snapshot.seq, {
      ...options,
      run_id: options.run_id ?? snapshot.run_id,
    });
  }

  /** Gives a restored run its agents' conversations. */
  withHistory(history: History): this {
    this.#history = history;
    return this;
  }

  get runId(): string {
    this.#runId ??= randomUUID();
    return this.#runId;
  }

  /** Makes one transition. Fails with `ResumeRequired` while the run waits; after the end it answers `done` again. */
  next(ctx: Context): Promise<RunOutcome<Output>> {
    return this.#exclusively(() => this.#advance(ctx));
  }

  /**
   * Answers what waits, and goes on from the answer. The payload is the suspended call's result (of a `suspend` node: the output
   * state). Fails with `UnexpectedResumption`, `ResumeMismatchError` (with the expected id) or `DeserializeError`; the run then
   * waits as before.
   */
  resume(ctx: Context, toolId: string, payload: Json, options: ResumeOptions = {}): Promise<RunOutcome<Output>> {
    return this.#exclusively(() => this.#answer(ctx, toolId, payload, options.tool_call_id));
  }

  /** The run as plain JSON: everything that its rest depends on, save the conversations (`history()`). */
  snapshot(): Snapshot {
    const { name, hash } = this.#plan.graph;
    return { pravah: 1, run_id: this.runId, seq: this.#seq, flow: { name, hash }, states: this.#states.list(), control: this.#control };
  }

  /** The agents' conversations by node id. */
  history(): History {
    return this.#history;
  }

  /**
   * Id of the node that fires next; null when the run has ended, is stuck, or waits for an answer. An `each` node that has not begun
   * stands for the first node of its first item.
   */
  get nextNode(): string | null {
    if (this.#states.done || this.#isWaiting) return null;
    const plan = this.#states.next;
    if (!plan?.each) return plan?.node.id ?? null;
    try {
      return placeInside(this.#states, plan, this.#control.frames, true)?.id ?? plan.node.id;
    } catch {
      // The next call says what is wrong.
      return plan.node.id;
    }
  }

  /** Frees what the run holds in memory beside its states. The run can still go on; it is made again when needed. */
  dispose(): void {
    this.#resources.sandbox?.dispose();
    this.#resources.modules?.dispose();
    delete this.#resources.sandbox;
    delete this.#resources.modules;
  }

  /** What the limits have counted, in this run alone. */
  get counters(): Counters {
    return this.#control.counters;
  }

  get #limits(): Limits {
    return this.#options.caller?.limits ?? this.#plan.graph.limits;
  }

  get #isWaiting(): boolean {
    return this.#control.suspensions.length > 0 && this.#control.answers.length === 0;
  }

  /**
   * Runs one call at a time. No promise is chained for a call that is through at once. An output is of its type, since it fits the schema.
   */
  #exclusively(call: () => RunOutcome | Promise<RunOutcome>): Promise<RunOutcome<Output>> {
    if (this.#busy) {
      return Promise.reject(new FlowError('Conflict', 'A transition of this run is under way. Wait for it, then call again.'));
    }
    this.#busy = true;
    let outcome: RunOutcome | Promise<RunOutcome>;
    try {
      outcome = call();
    } catch (error) {
      this.#busy = false;
      return Promise.reject(error);
    }
    if (outcome instanceof Promise) {
      return outcome.finally(() => {
        this.#busy = false;
      }) as Promise<RunOutcome<Output>>;
    }
    this.#busy = false;
    return outcome === goesOn ? goesOnPromise : Promise.resolve(outcome as RunOutcome<Output>);
  }

  #advance(ctx: Context): RunOutcome | Promise<RunOutcome> {
    const done = this.#states.done;
    if (done) return { type: 'done', output: done.value };
    if (this.#isWaiting) throw this.#resumeRequired();
    const plan = this.#states.next;
    if (!plan) throw this.#failure(ctx, this.#states.deadlock());
    let place: Place | null = null;
    try {
      if (ctx.signal.aborted) throw cancelled(plan.node.id);
      assertWithinLimits(this.#limits, this.#counted());
      if (plan.each) place = placeInside(this.#states, plan, this.#control.frames);
    } catch (error) {
      throw this.#failure(ctx, failureOf(error, plan.node.id, ctx.signal));
    }
    return place ? this.#step(ctx, place.plan, place.states, place) : this.#step(ctx, plan, this.#states, null);
  }

  #step(ctx: Context, plan: NodePlan, states: StateMap, place: Place | null): RunOutcome | Promise<RunOutcome> {
    const { from } = plan.node;
    const values = from.length === 1 ? [states.value(from[0] as string)] : from.map((name) => states.value(name));
    const step = new Step(this.#stepRun(), plan, ctx, this.#seq + 1, ctx.clock.now(), values, place);
    if (step.listening && !step.answer) {
      const phase = plan.node.kind === 'agent' ? (this.#control.agents[step.node]?.phase ?? 'reason') : undefined;
      step.emit({ type: 'node_enter', node: step.node, kind: plan.node.kind, ...(phase && { phase }) });
    }
    try {
      const draft = plan.perform(step);
      if (!(draft instanceof Promise)) return this.#commitOrFail(step, draft);
      return draft.then(
        (made) => this.#commitOrFail(step, made),
        (error: unknown) => this.#suspendOrFail(step, error),
      );
    } catch (error) {
      return this.#suspendOrFail(step, error);
    }
  }

  #suspendOrFail(step: Step, error: unknown): RunOutcome | Promise<RunOutcome> {
    if (error instanceof StepSuspended) return this.#commitOrFail(step, error.draft);
    throw this.#failure(step.ctx, failureOf(error, step.node, step.ctx.signal));
  }

  #commitOrFail(step: Step, draft: Draft): RunOutcome | Promise<RunOutcome> {
    const fail = (error: unknown): never => {
      throw this.#failure(step.ctx, failureOf(error, step.node, undefined));
    };
    try {
      const outcome = this.#commit(step, draft);
      return outcome instanceof Promise ? outcome.catch(fail) : outcome;
    } catch (error) {
      return fail(error);
    }
  }

  #commit(step: Step, draft: Draft): RunOutcome | Promise<RunOutcome> {
    const { plan, ctx, node, place } = step;
    const produced = draft.type === 'finished' ? draft.produced : noStates;
    if (draft.type === 'finished') (place?.states ?? this.#states).assertFree(plan, produced);
    if (ctx.secrets.size > 0) assertNoSecret(ctx, node, draft);
    const duration = ctx.clock.now() - step.started;
    const control = controlAfter(this.#control, step, draft, duration / 1000);
    if (step.listening) this.#emitEnd(step, draft, duration);
    const { recorder } = this.#options;
    if (!recorder) return this.#apply(step, draft, control);
    const record: StepRecord = {
      seq: step.seq,
      type: draft.type === 'suspended' ? 'suspended' : 'transition',
      node,
      kind: plan.node.kind,
      ...(draft.type !== 'suspended' && draft.phase && { phase: draft.phase }),
      consumed: draft.type === 'finished' && !place ? plan.node.from : noNames,
      produced: place ? noStates : produced,
      ...(place && draft.type === 'finished' && { inner: { consumed: consumedBy(step), produced } }),
      history: draft.type !== 'suspended' && draft.history ? { [node]: draft.history } : {},
      control,
      events: step.events,
      started_at: step.started,
      duration_ms: duration,
      pure: plan.pure,
    };
    const written = recorder.commit(record);
    return written ? written.then(() => this.#apply(step, draft, control)) : this.#apply(step, draft, control);
  }

  /** The only place where a step changes the run. */
  #apply(step: Step, draft: Draft, control: Control): RunOutcome {
    this.#seq = step.seq;
    this.#control = control;
    if (draft.type !== 'suspended' && draft.history) this.#appendHistory(step.node, draft.history);
    if (draft.type === 'suspended') return this.#waits();
    if (draft.type === 'finished' && !step.place) {
      this.#states.apply(step.plan, draft.produced);
      const done = this.#states.done;
      if (done) {
        this.dispose();
        return { type: 'done', output: done.value };
      }
    }
    return goesOn;
  }

  #answer(ctx: Context, toolId: string, payload: Json, callId: string | undefined): RunOutcome | Promise<RunOutcome> {
    const taken = acceptAnswer({ plan: this.#plan, control: this.#control, ctx, toolId, payload, callId });
    const next = this.#states.next as NodePlan;
    const plan = placeInside(this.#states, next, this.#control.frames)?.plan ?? next;
    const control: Control = { ...this.#control, suspensions: this.#control.suspensions.slice(1), answers: [taken] };
    const { tool_id, node, tool_call_id } = taken.suspension;
    const step = new Step(this.#stepRun(), plan, ctx, this.#seq + 1, ctx.clock.now(), []);
    if (step.listening) step.emit({ type: 'resumed', node, tool_id, tool_call_id, payload });
    const goOn = (): RunOutcome | Promise<RunOutcome> => {
      this.#seq = step.seq;
      this.#control = control;
      return this.#advance(ctx);
    };
    const written = this.#options.recorder?.commit({
      seq: step.seq,
      type: 'resumed',
      node,
      kind: plan.node.kind,
      consumed: noNames,
      produced: noStates,
      history: {},
      control,
      events: step.events,
      started_at: step.started,
      duration_ms: 0,
      pure: false,
    });
    return written ? written.then(goOn) : goOn();
  }

  #emitEnd(step: Step, draft: Draft, duration: number): void {
    if (draft.type === 'suspended') {
      // The others are told when it is their turn to be asked.
      const [first] = draft.suspensions;
      if (first) step.emit({ type: 'suspended', ...first });
      return;
    }
    step.emit({
      type: 'node_exit',
      node: step.node,
      kind: step.plan.node.kind,
      ...(draft.phase && { phase: draft.phase }),
      duration_ms: duration,
      ...this.#exchanged(step, draft.type === 'finished' ? draft.produced : null),
    });
  }

  /** What a step took and gave, by name. No record holds the values of a called flow's steps, so its events do. */
  #exchanged(step: Step, produced: readonly NamedState[] | null): Pick<RunEventOf<'node_exit'>, 'consumed' | 'produced'> {
    if (!produced) return { consumed: [], produced: [] };
    if (this.#options.caller) return { consumed: byName(consumedBy(step)), produced: byName(produced) };
    return { consumed: [...step.plan.node.from], produced: produced.map(({ name }) => name) };
  }

  #appendHistory(node: string, messages: readonly Message[]): void {
    this.#history = { ...this.#history, [node]: [...(this.#history[node] ?? []), ...messages] };
  }

  #stepRun(): StepRun {
    return {
      run_id: this.runId,
      control: this.#control,
      history: this.#history,
      recorder: this.#options.recorder,
      limits: this.#limits,
      counted: this.#counted,
      now: this.#options.caller?.now,
      openCalled,
      models: this.#options.models ?? {},
      resources: this.#resources,
    };
  }

  #waits(): RunOutcome {
    const [first] = this.#control.suspensions;
    if (!first) throw new FlowError('NotFound', 'The run waits for nothing.');
    return { type: 'suspend', ...first };
  }

  #resumeRequired(): FlowError {
    const [first] = this.#control.suspensions;
    const toolId = first?.tool_id ?? '';
    return new FlowError('ResumeRequired', `The run waits for an answer to ${toolId}. Resume it with that id.`, {
      node: first?.node ?? null,
      tool_id: toolId,
      details: { tool_id: toolId, tool_call_id: first?.tool_call_id ?? '' },
    });
  }

  /** Tells the reader of a failure on its way out. */
  #failure(ctx: Context, cause: FlowError | ToolError): Error {
    const error = ctx.secrets.size > 0 ? fromTransferable(maskedFailure(ctx, cause.toJSON())) : cause;
    if (ctx.onEvent) {
      const transferable = error.toJSON();
      const body: EventBody = { type: 'error', node: transferable.node, error: transferable };
      ctx.onEvent({ run_id: this.runId, seq: this.#seq + 1, timestamp: ctx.clock.now(), ...body } as RunEvent);
    }
    return error;
  }
}

function consumedBy({ plan, values }: Step): NamedState[] {
  return plan.node.from.map((name, index) => ({ name, value: values[index] as Json }));
}

function byName(states: readonly NamedState[]): Record<string, Json> {
  return Object.fromEntries(states.map(({ name, value }) => [name, value]));
}

const openCalled: OpenCalledRun = (graph, start, options) => {
  if ('input' in start) return FlowRuntime.new<unknown>(graph, start.input, options);
  // The outer run was checked with it, and decided whether a changed flow will do.
  const { snapshot, history } = start.waited;
  return FlowRuntime.fromSnapshot(graph, snapshot, { ...options, accept_changed_flow: true }).withHistory(history);
};
