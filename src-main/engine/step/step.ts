import type { CodeProcess } from '#main/engine/ports/code-process.ts';
import type { Context } from '#main/engine/ports/context.ts';
import { findTool } from '#main/engine/ports/find-tool.ts';
import type { GatePoint, GateResult } from '#main/engine/ports/gate.ts';
import { type AheadPlace, type Effect, type MarkedOutcome, marked, type Recorder, UnknownOutcome } from '#main/engine/ports/recorder.ts';
import type { CallPoint, SuppliedCall } from '#main/engine/ports/supply.ts';
import type { Tool } from '#main/engine/ports/tool.ts';
import { maskSecrets } from '#main/engine/secrets/mask.ts';
import { asJson, freezeJson, type NotJson } from '#main/engine/values/freeze-json.ts';
import type { FlowGraph, NamedState } from '#shared/flow/graph.ts';
import type { Limits } from '#shared/flow/limits.ts';
import type { Json } from '#shared/json.ts';
import { FlowError } from '#shared/run/error.ts';
import type { AheadEvent, EventBody, RunEvent } from '#shared/run/event.ts';
import type { Message } from '#shared/run/message.ts';
import type { Control, Counters, TakenAnswer } from '#shared/run/snapshot.ts';
import type { SuppliedMark } from '#shared/run/supplied.ts';
import { activeTime } from './active-time.ts';
import type { Ahead } from './ahead.ts';
import type { AheadOutcomes } from './ahead-outcomes.ts';
import type { Caller, OpenCalledRun } from './caller.ts';
import { sumCounters } from './counters.ts';
import type { EngineVersion } from './engine-version.ts';
import type { DescribedTool, FlowTool } from './flow-tool.ts';
import { callLevel, type FrameCursor } from './frame-cursor.ts';
import type { FlowPlan, NodePlan } from './node-plan.ts';
import { notifyListener } from './notify-listener.ts';
import { performAttempt } from './repeated-effect.ts';
import type { RunContext } from './run-context.ts';
import type { RunTrace } from './run-trace.ts';
import type { StatePlan } from './state-plan.ts';
import { performUnrecorded } from './unrecorded-effect.ts';

/** What a step may see of its run. */
export interface StepRun {
  readonly run_id: string;
  /** The rules under which the run was recorded: `engine-version.ts`. */
  readonly engine: EngineVersion;
  /** The run's flow. Of a node inside a frame, the flow around it. */
  readonly plan: FlowPlan;
  readonly control: Control;
  readonly history: Readonly<Record<string, readonly Message[]>>;
  readonly recorder: Recorder | undefined;
  /** Set in the run of a flow that another run calls as a tool. */
  readonly caller: Caller | undefined;
  readonly limits: Limits;
  /** What the limits have counted before this step; for a called flow, in its callers too. */
  counted(): Counters;
  /** What `ctx.now()` says, where the step does not decide it. */
  readonly now: number | undefined;
  readonly openCalled: OpenCalledRun;
  /** Model URLs that replace those of the flow's agents in this run, by node id. */
  readonly models: Readonly<Record<string, string>>;
  readonly resources: RunResources;
  readonly outcomes: AheadOutcomes;
  readonly trace: RunTrace;
}

/** What a run keeps in memory between its steps and needs no snapshot of: it is made again when it is missing. */
export interface RunResources {
  sandbox?: { dispose(): void };
  /** The process in which a workspace's own code runs. */
  modules?: CodeProcess;
}

const noEvents: readonly RunEvent[] = [];
const nothing: Counters = { steps: 0, seconds: 0, model_calls: 0, tokens: 0 };

/** Where a step that was made ahead takes its turn. */
export interface Turn extends Pick<Step, 'run' | 'ctx' | 'seq' | 'cursor'> {}

/** A step in progress. */
export class Step {
  run: StepRun;
  readonly plan: NodePlan;
  /** Where the node is, when it is inside a frame: an item of an `each` node, or a called flow. */
  cursor: FrameCursor | null;
  /** The node's id in the run. */
  readonly node: string;
  /** The tool call whose flow contains the node. Its events are emitted under it. */
  readonly call: string | undefined;
  ctx: RunContext;
  /** Number of the record that this step will become; before its turn, of the next record. */
  seq: number;
  /**
   * Identifies what the step is a part of, before its turn is known: what made its node able to fire, inside frames with the number of the transition in
   * each. The phases of an agent share it. Under the rules of engines 1 and 2: `seq`.
   */
  readonly ready: string;
  /** Milliseconds since 1970. */
  readonly started: number;
  /** The consumed values, in the order of `from`. */
  readonly values: readonly Json[];
  readonly listening: boolean;
  /** Of a node that does a step of a plan with typed steps: the step's name, which its events have. */
  readonly planned: { readonly step_name: string } | undefined;
  /** Finds tools before any other place does: agents and tool nodes of a session call some under names of their own. */
  ownTools: ((name: string) => Tool | FlowTool | undefined) | undefined;
  /** Set where a pin supplies what the node produces. */
  supplied: SuppliedMark | undefined;
  /** Set while the step is made before its turn. */
  ahead: Ahead | undefined;
  #elapsed: number | undefined;
  #events: RunEvent[] | undefined;
  #spent = nothing;
  readonly #begun: number;
  #unrecorded: unknown;
  #emitting: Step | undefined;

  constructor(
    run: StepRun,
    plan: NodePlan,
    ctx: Context,
    seq: number,
    started: number,
    values: readonly Json[],
    cursor: FrameCursor | null = null,
    ready = `${seq}`,
  ) {
    this.ready = ready;
    this.run = run;
    this.plan = plan;
    this.cursor = cursor;
    this.node = cursor === null ? plan.node.id : cursor.id;
    this.ctx = ctx;
    this.seq = seq;
    this.started = started;
    this.#begun = ctx.clock.held === undefined ? started : started - ctx.clock.held();
    this.values = values;
    const stepName = cursor?.levels.findLast((level) => level.stepName !== undefined)?.stepName;
    this.planned = stepName === undefined ? undefined : { step_name: stepName };
    this.call = cursor === null ? undefined : callLevel(cursor)?.frame.call?.tool_call_id;
    this.listening = run.recorder !== undefined || ctx.onEvent !== undefined || ctx.onAhead !== undefined;
  }

  /** Events so far; empty without a listener. */
  get events(): readonly RunEvent[] {
    return this.#events ?? noEvents;
  }

  /** The run's id as tools and code of this step see it: a called flow has one of its own. */
  get contextRunId(): string {
    const calls = this.cursor?.levels.flatMap(({ frame }) => frame.call?.tool_call_id ?? []) ?? [];
    return [this.run.run_id, ...calls].join('/');
  }

  /** The flow file that contains the node, with nested flows inlined: the called flow, else the run's. */
  get flow(): FlowGraph {
    return (this.cursor === null ? undefined : callLevel(this.cursor)?.flow.graph) ?? this.run.plan.graph;
  }

  /** The flow that contains the node: of one inside frames, that of the innermost frame. */
  get frameFlow(): FlowGraph {
    return this.cursor?.levels.at(-1)?.flow.graph ?? this.run.plan.graph;
  }

  /** Identifies the step before its turn. */
  get place(): AheadPlace {
    const { ready, node, plan, run } = this;
    const agent = run.control.agents[node];
    // Checks take steps of their own within a turn.
    const checked = agent?.guard ? ` ${agent.guard.checks.length}` : '';
    return { ready, node, phase: plan.node.kind === 'agent' ? `${agent?.turn ?? 0} ${agent?.phase ?? 'reason'}${checked}` : '' };
  }

  /** For how long the step has run, in milliseconds, without the time for which the run was held. */
  get elapsed(): number {
    return this.#elapsed ?? activeTime(this.ctx) - this.#begun;
  }

  /** Stops its clock: a step that is made ahead has ended before it is committed. */
  end(): void {
    this.#elapsed ??= this.elapsed;
  }

  /** Says how a step that is made ahead goes on. */
  aheadGoesOn(to: 'waiting' | 'taken' | 'dropped'): void {
    this.announceAhead({ type: 'lifecycle', node: this.node, from: 'ahead', to, attempt: 1, reason: '' });
  }

  /** The turn of a step that was made ahead has come: it becomes record `seq` of `run`. Emits what has happened in it so far, after `announce`. */
  takeTurn({ run, ctx, seq, cursor }: Turn, announce: () => void): void {
    const { ahead } = this;
    this.run = run;
    this.ctx = ctx;
    this.seq = seq;
    this.cursor = cursor;
    this.ahead = undefined;
    if (ahead) {
      this.aheadGoesOn('taken');
      run.recorder?.takeAhead?.(seq, ahead.place);
    }
    announce();
    this.#events = this.#events?.map((event) => ({ ...event, seq }));
    for (const event of this.#events ?? []) notifyListener(this.ctx, event);
    ahead?.release();
  }

  /** Waits until this tool may be called, where the step is made before its turn. */
  toolTurn(tool: DescribedTool): Promise<void> | undefined {
    return this.ahead?.allowsTool(tool) === false ? this.ahead.turn() : undefined;
  }

  /** Why the recorder failed in this step: that is no failure of a called flow. Undefined if it did not. */
  get unrecorded(): unknown {
    return this.#unrecorded;
  }

  /** What code of this step sees as the time, in milliseconds. */
  get now(): number {
    return this.run.now ?? this.started;
  }

  /** What flows that this step called have used up of the limits. Their time is the step's own. */
  get spent(): Counters {
    return this.#spent;
  }

  spend(counters: Counters): void {
    this.#spent = sumCounters(this.spent, { ...counters, seconds: 0 });
  }

  /** A tool by the name under which this node calls it. */
  tool(name: string): Tool | FlowTool | undefined {
    return this.ownTools?.(name) ?? this.plan.flowTools.get(name) ?? findTool(this.ctx, name);
  }

  /** The first consumed value: what a node that consumes one state is about. */
  get input(): Json {
    return this.values[0] as Json;
  }

  /** The answer that this step continues from, if any. */
  get answer(): TakenAnswer | undefined {
    return this.run.control.answers[0];
  }

  /** The answer that this step continues from, if it is to the question with this id. */
  answerTo(toolId: string): TakenAnswer | undefined {
    const { answer } = this;
    return answer && (answer.suspension.inner_tool_id ?? answer.suspension.tool_id) === toolId ? answer : undefined;
  }

  /** The same step for a body that sees other values. What it emits is this step's. */
  withValues(values: readonly Json[]): Step {
    const { run, plan, ctx, seq, started, cursor, ready } = this;
    const inner = new Step(run, plan, ctx, seq, started, values, cursor, ready);
    inner.#emitting = this;
    return inner;
  }

  /** Emits the event at once and keeps it for the record. Call it only when `listening`; where the time is known, hand it in. */
  emit(body: EventBody, timestamp = this.ctx.clock.now()): void {
    if (this.#emitting) {
      this.#emitting.emit(body, timestamp);
      return;
    }
    const span = this.call === undefined ? undefined : { parent_span_id: this.call };
    const event = {
      run_id: this.run.run_id,
      seq: this.seq,
      timestamp,
      ...span,
      ...this.planned,
      ...this.#traced(body),
      ...body,
    } as RunEvent;
    const { secrets } = this.ctx;
    const masked = secrets.size > 0 ? maskSecrets(secrets, event) : event;
    this.#events ??= [];
    this.#events.push(masked);
    if (this.ahead) this.#tellAhead(masked);
    else notifyListener(this.ctx, masked);
  }

  /** The run's trace. A question has the span, too: a process that continues the run refers to it. */
  #traced({ type }: EventBody): { readonly trace_id: string; readonly span_id?: string } | undefined {
    const { place } = this.run.trace;
    if (place === undefined || type === 'suspended') return place;
    return { trace_id: place.trace_id };
  }

  /** Emits an event of the step's own, which is not kept for its record, to those who watch what is made ahead. */
  announceAhead(body: EventBody): void {
    if (this.ctx.onAhead === undefined) return;
    const span = this.call === undefined ? undefined : { parent_span_id: this.call };
    this.#tellAhead({
      run_id: this.run.run_id,
      seq: this.seq,
      timestamp: this.ctx.clock.now(),
      ...span,
      ...this.planned,
      ...body,
    } as RunEvent);
  }

  #tellAhead({ seq: _unknown, ...event }: RunEvent): void {
    const { onAhead, onListenerError } = this.ctx;
    if (onAhead === undefined) return;
    const told = { ...event, ahead: true } as AheadEvent;
    notifyListener({ onEvent: () => onAhead(told), onListenerError }, { ...event, seq: this.seq } as RunEvent);
  }

  /** Checks a value against the schema of a state that this step produces, and freezes it. Throws `SerializeError`. */
  output(state: StatePlan, value: unknown): NamedState {
    const { inputs } = this.plan;
    const check = state.check;
    const passed = this.values.indexOf(value as Json);
    if (passed < 0) {
      const notJson = freezeJson(value);
      if (notJson) throw this.schemaViolation(state, notJson.path, 'json', `holds ${notJson.message}`);
    } else if ((inputs[passed] as StatePlan).check === check) return { name: state.name, value: asJson(value) };
    const violation = check(asJson(value));
    if (violation) throw this.schemaViolation(state, violation.path, violation.keyword, violation.message);
    return { name: state.name, value: asJson(value) };
  }

  /** The failure of a result that is not what the state asks for. */
  schemaViolation(state: StatePlan, path: string, keyword: string, message: string): FlowError {
    return new FlowError(
      'SerializeError',
      `${this.node} does not give a ${state.name}: ${message}${path && !message.includes(path) ? ` (at ${path})` : ''}.`,
      {
        node: this.node,
        details: { schema: state.name, path, keyword },
      },
    );
  }

  /** The failure of a result that has not the form that this kind of node asks for. */
  invalidShape(keyword: string, message: string, path = ''): FlowError {
    const schema = this.plan.node.to.join(' | ');
    return new FlowError('SerializeError', `${this.node} ${message}.`, { node: this.node, details: { schema, path, keyword } });
  }

  /** The failure of a handler whose result JSON cannot carry. */
  notJson({ path, message }: NotJson): FlowError {
    return this.invalidShape('json', `returns what holds ${message}${path && ` (at ${path})`}`, path);
  }

  /** Does something outside, by way of the run's recorder. Rethrows nothing: failures are outcomes, save `UnknownOutcome` and `Conflict`. */
  async effect(effect: Effect, perform: () => Promise<Json>): Promise<MarkedOutcome> {
    if (this.ahead) {
      const outcome = await this.#effectAhead(this.ahead, effect, perform);
      if (outcome) return outcome;
    }
    const { recorder, control } = this.run;
    const since = control.handlers[this.node]?.since;
    if (!recorder) return this.run.outcomes.find(() => this.place, effect.key) ?? marked(await performUnrecorded(perform), effect);
    try {
      const given = since === undefined ? effect : { ...effect, since };
      return await recorder.effect(this.seq, given, (attempt) => performAttempt(this, effect, attempt, perform));
    } catch (error) {
      if (!(error instanceof UnknownOutcome)) this.#unrecorded = error;
      throw error;
    }
  }

  /** Does something before the step's turn if it may; else waits for the turn and returns undefined. */
  async #effectAhead(ahead: Ahead, effect: Effect, perform: () => Promise<Json>): Promise<MarkedOutcome | undefined> {
    ahead.assertGoing();
    const { recorder } = this.run;
    if (!ahead.allows(effect)) return ahead.turn().then(() => undefined);
    if (!recorder) return this.#unrecordedAhead(ahead.place, effect, perform);
    if (!recorder.effectAhead) return ahead.turn().then(() => undefined);
    try {
      return await recorder.effectAhead(ahead.place, effect, perform);
    } catch (error) {
      if (!(error instanceof UnknownOutcome)) {
        this.#unrecorded = error;
        throw error;
      }
      // The user is asked when its turn comes.
      if (this.ahead) await ahead.turn();
      return undefined;
    }
  }

  async #unrecordedAhead(place: AheadPlace, effect: Effect, perform: () => Promise<Json>): Promise<MarkedOutcome> {
    const { outcomes } = this.run;
    const known = outcomes.find(() => place, effect.key);
    if (known) return known;
    const outcome = marked(await performUnrecorded(perform), effect);
    // Its turn may have come meanwhile: then it is done with it. What was cut off is done again.
    if (this.ahead && !this.ctx.signal.aborted) outcomes.keep(place, effect.key, outcome);
    return outcome;
  }

  /** Waits where a debugger holds the run before a call. `key` is that of its effect: a call that had begun before a crash is not held. */
  gate(what: 'tool' | 'model', key: string, name: string, values: () => Json): Promise<void> | undefined {
    const { ctx, run } = this;
    if (ctx.gate === undefined || run.recorder?.begun?.(this.seq, key)) return undefined;
    return ctx.gate({ ...this.#gatePoint, what, name, ...(what === 'tool' && { tool_call_id: key }), values });
  }

  /** Waits where a debugger holds the run after a call of a flow that runs within one step. Elsewhere the run stops after the record. */
  gateAfterCall(tool_call_id: string, name: string, after: Extract<GateResult, { readonly result: unknown }>): Promise<void> | undefined {
    const { gate } = this.ctx;
    if (gate === undefined || this.run.caller === undefined) return undefined;
    return gate({ ...this.#gatePoint, what: 'tool', name, tool_call_id, values: () => after.result.value, after });
  }

  get #gatePoint(): Pick<GatePoint, 'node' | 'id' | 'flow' | 'calls'> {
    return { node: this.plan.node, id: this.node, flow: this.frameFlow, calls: [] };
  }

  /** What supplies the outcome of a call in place of the tool or model; undefined where the call is made. */
  suppliedCall(call: Pick<CallPoint, 'what' | 'key' | 'name' | 'input'>): SuppliedCall | undefined {
    const { ctx, seq, plan, node: id, values } = this;
    return ctx.supply?.call({ ...call, seq, node: plan.node, id, values });
  }
}
