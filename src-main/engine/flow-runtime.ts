import type { Context } from '#main/engine/ports/context.ts';
import type { GatePoint } from '#main/engine/ports/gate.ts';
import { initialControl } from '#main/engine/run/control.ts';
import { planOf } from '#main/engine/run/plan.ts';
import { acceptAnswer } from '#main/engine/run/resume.ts';
import { goesOn, RunState } from '#main/engine/run/run-state.ts';
import { checkSnapshot } from '#main/engine/run/snapshot-check.ts';
import { advance, recordAnswer } from '#main/engine/run/transition.ts';
import { acceptInput } from '#main/engine/step/accept-input.ts';
import type { OpenCalledRun } from '#main/engine/step/caller.ts';
import { hasFrames, resolveFrame } from '#main/engine/step/frame-cursor.ts';
import type { NodePlan } from '#main/engine/step/node-plan.ts';
import { readerRoom } from '#main/engine/step/reader-room.ts';
import type { RestoreOptions, ResumeOptions, RuntimeOptions } from '#main/engine/step/runtime-options.ts';
import type { TypedFlowGraph } from '#shared/flow/graph.ts';
import type { Json } from '#shared/json.ts';
import { FlowError } from '#shared/run/error.ts';
import type { History } from '#shared/run/message.ts';
import type { Control, Counters, RunOutcome, Snapshot } from '#shared/run/snapshot.ts';

interface Answer {
  readonly toolId: string;
  readonly payload: Json;
  readonly callId: string | undefined;
}

const goesOnPromise: Promise<{ readonly type: 'continue' }> = Promise.resolve({ type: 'continue' });

/**
 * One run of a flow. Each call of `next()` makes one bounded transition; between two calls the run is plain JSON (`snapshot()`).
 * A step commits its states, conversations and events together or not at all: when it fails, the run is as it was before, save that a
 * conversation keeps the partial message of a model that was cut off (`cut-message.ts`).
 */
export class FlowRuntime<Output = Json> {
  readonly #run: RunState;
  #busy = false;

  private constructor(run: RunState) {
    this.#run = run;
  }

  /** Starts a run. Throws `FlowError` `DeserializeError` with the path of the field that misses the entry's schema. */
  static new<Input, Output = Json>(
    graph: TypedFlowGraph<Input, Output>,
    input: NoInfer<Input>,
    options: RuntimeOptions = {},
  ): FlowRuntime<Output> {
    const plan = planOf(graph, options.caller?.tainted);
    const start = { states: [acceptInput(plan, input)], control: initialControl, seq: 0 };
    return new FlowRuntime(new RunState(plan, start, options, openCalled));
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
    const plan = planOf(graph, options.caller?.tainted);
    checkSnapshot(plan, snapshot, options.accept_changed_flow ?? false);
    return new FlowRuntime(new RunState(plan, snapshot, { ...options, run_id: options.run_id ?? snapshot.run_id }, openCalled));
  }

  /** Gives a restored run its agents' conversations. */
  withHistory(history: History): this {
    this.#run.history = history;
    return this;
  }

  get runId(): string {
    return this.#run.run_id;
  }

  /** Makes one transition. Fails with `ResumeRequired` while the run waits; after the end it answers `done` again. */
  next(ctx: Context): Promise<RunOutcome<Output>> {
    return this.#exclusively(ctx, null);
  }

  /**
   * Answers the pending question and continues from the answer. The payload is the suspended call's result (of a `suspend` node: the output
   * state). Fails with `UnexpectedResumption`, `ResumeMismatchError` (with the expected id) or `DeserializeError`; the run then
   * waits as before.
   */
  resume(ctx: Context, toolId: string, payload: Json, options: ResumeOptions = {}): Promise<RunOutcome<Output>> {
    return this.#exclusively(ctx, { toolId, payload, callId: options.tool_call_id });
  }

  /** The run as plain JSON: everything that its rest depends on, save the conversations (`history()`). */
  snapshot(): Snapshot {
    const { plan, run_id, seq, states, control, engine, outcomes } = this.#run;
    const ahead = outcomes.list();
    const { name, hash } = plan.graph;
    const written = engine > 2 && seq > 0 ? { written: states.written } : {};
    return { pravah: 1, run_id, seq, flow: { name, hash }, states: states.list(), ...written, control, ...(ahead.length > 0 && { ahead }) };
  }

  /** The agents' conversations by node id. */
  history(): History {
    return this.#run.history;
  }

  /**
   * Id of the node that fires next; null when the run has ended, is stuck, or waits for an answer. An `each` node that has not begun
   * stands for the first node of its first item.
   */
  get nextNode(): string | null {
    const { states, control, isWaiting } = this.#run;
    if (states.done || isWaiting) return null;
    const plan = states.next;
    if (!plan || !hasFrames(plan)) return plan?.node.id ?? null;
    try {
      return resolveFrame(states, plan, control, { opened: true })?.id ?? plan.node.id;
    } catch {
      // The next call says what is wrong.
      return plan.node.id;
    }
  }

  /** The point before its next transition, at which a debugger may hold it: used for runs that a step makes, whose transitions are not records. */
  nextPoint(): (GatePoint & { readonly consumed: readonly Json[] }) | null {
    const { states, control, plan } = this.#run;
    const next = states.next;
    if (!next) return null;
    const cursor = hasFrames(next) ? resolveFrame(states, next, control, { opened: true }) : null;
    const { node } = cursor?.plan ?? next;
    const consumed = cursor?.fault ? [] : (cursor?.states ?? states).valuesOf(cursor?.plan ?? next);
    const flow = cursor?.levels.at(-1)?.flow.graph ?? plan.graph;
    return { what: 'node', name: node.id, node, id: cursor?.id ?? node.id, flow, calls: [], values: () => [...consumed], consumed };
  }

  /**
   * Works ahead from the next transition on, as far as the flow's `parallel` says: effects of nodes that can run begin before their turn. The order of the
   * transitions, and what is recorded of them, stays the same. End it with `stopAhead`.
   */
  workAhead(ctx: Context): void {
    if (this.#run.engine > 2) this.#run.lanes.open(ctx);
  }

  /** Stops working ahead. Resolves once the effects in progress have ended; what has been done is used when its turn comes. */
  stopAhead(): Promise<void> {
    return this.#run.lanes.close();
  }

  /** Makes transitions until the run ends or waits, working ahead. */
  async toEnd(ctx: Context): Promise<RunOutcome<Output>> {
    this.workAhead(ctx);
    try {
      for (;;) {
        const outcome = await this.next(ctx);
        if (outcome.type !== 'continue') return outcome;
      }
    } finally {
      await this.stopAhead();
    }
  }

  /** Ends what telemetry has begun: the run is driven no further now. When it continues, a new operation begins. */
  rest(): void {
    this.#run.trace.end({ status: 'paused' });
  }

  /** Frees what the run holds in memory besides its states. The run can continue: it is created again when needed. */
  dispose(): void {
    this.rest();
    this.#run.dispose();
  }

  [Symbol.dispose](): void {
    this.dispose();
  }

  /** What the limits have counted, in this run alone. */
  get counters(): Counters {
    return this.#run.control.counters;
  }

  /**
   * Makes one call at a time. No promise is chained for a call that finishes synchronously. An output is of its type, since it fits the schema.
   */
  #exclusively(ctx: Context, answer: Answer | null): Promise<RunOutcome<Output>> {
    if (this.#busy) {
      return Promise.reject(new FlowError('Conflict', 'A transition of this run is in progress. Wait for it to finish, then call again.'));
    }
    this.#busy = true;
    let outcome: RunOutcome | Promise<RunOutcome>;
    try {
      const room = readerRoom(ctx);
      outcome = room ? room.then(() => this.#transition(ctx, answer)) : this.#transition(ctx, answer);
    } catch (error) {
      this.#busy = false;
      this.#run.trace.fail(error);
      return Promise.reject(error);
    }
    if (outcome instanceof Promise) {
      return outcome.then(
        (later) => {
          this.#busy = false;
          this.#traceEnd(later);
          return later as RunOutcome<Output>;
        },
        (error: unknown) => {
          this.#busy = false;
          this.#run.trace.fail(error);
          throw error;
        },
      );
    }
    this.#busy = false;
    if (outcome === goesOn) return goesOnPromise;
    this.#traceEnd(outcome);
    return Promise.resolve(outcome as RunOutcome<Output>);
  }

  /** A run that has ended or waits is driven no further. */
  #traceEnd({ type }: RunOutcome): void {
    if (type !== 'continue') this.#run.trace.end({ status: type === 'done' ? 'success' : 'suspended' });
  }

  #advance(ctx: Context): RunOutcome | Promise<RunOutcome> {
    if (!this.#run.isWaiting) this.#traceStart(ctx);
    return advance(this.#run, ctx);
  }

  #traceStart({ telemetry }: Context): void {
    const { plan, run_id, states, trace } = this.#run;
    if (telemetry && !states.done) trace.begin(telemetry, plan.graph, run_id);
  }

  #transition(ctx: Context, answer: Answer | null): RunOutcome | Promise<RunOutcome> {
    return answer === null ? this.#advance(ctx) : this.#answer(ctx, answer);
  }

  #answer(ctx: Context, { toolId, payload, callId }: Answer): RunOutcome | Promise<RunOutcome> {
    const run = this.#run;
    const { states, control } = run;
    const taken = acceptAnswer({ plan: run.plan, control, ctx, toolId, payload, callId });
    this.#traceStart(ctx);
    const next = states.next as NodePlan;
    const cursor = resolveFrame(states, next, control);
    const answered: Control = { ...control, suspensions: control.suspensions.slice(1), answers: [taken] };
    const written = recordAnswer(run, ctx, cursor?.plan ?? next, cursor, answered, payload);
    return written ? written.then(() => advance(run, ctx)) : advance(run, ctx);
  }
}

const openCalled: OpenCalledRun = (graph, start, options) => {
  if ('input' in start) return FlowRuntime.new<unknown>(graph, start.input, options);
  // The outer run was checked with it, and decided whether a changed flow will do.
  const { snapshot, history } = start.waited;
  return FlowRuntime.fromSnapshot(graph, snapshot, { ...options, accept_changed_flow: true }).withHistory(history);
};
