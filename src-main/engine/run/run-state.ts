import type { Recorder } from '#main/engine/ports/recorder.ts';
import { AheadOutcomes } from '#main/engine/step/ahead-outcomes.ts';
import type { Caller, OpenCalledRun } from '#main/engine/step/caller.ts';
import type { Draft } from '#main/engine/step/draft.ts';
import { currentEngine, type EngineVersion } from '#main/engine/step/engine-version.ts';
import type { FlowPlan } from '#main/engine/step/node-plan.ts';
import { RunTrace } from '#main/engine/step/run-trace.ts';
import type { RuntimeOptions } from '#main/engine/step/runtime-options.ts';
import { StateMap } from '#main/engine/step/state-map.ts';
import type { RunResources, Step, StepRun } from '#main/engine/step/step.ts';
import { randomId } from '#main/engine/values/random-id.ts';
import type { NamedState } from '#shared/flow/graph.ts';
import type { Limits } from '#shared/flow/limits.ts';
import { cutMessage } from '#shared/run/cut-message.ts';
import { FlowError, type TransferableError } from '#shared/run/error.ts';
import type { Message } from '#shared/run/message.ts';
import type { AheadEffect, Control, Counters, RunOutcome } from '#shared/run/snapshot.ts';
import { Lanes } from './lanes.ts';

/** A run between two steps, as a snapshot has it. */
interface Standing {
  readonly states: readonly NamedState[];
  readonly control: Control;
  readonly seq: number;
  readonly written?: readonly number[] | undefined;
  readonly ahead?: readonly AheadEffect[] | undefined;
}

/** The outcome of most transitions: the very same object each time. */
export const goesOn: RunOutcome = { type: 'continue' };
const noModels: Readonly<Record<string, string>> = {};

/** The current state of a run. Steps read it; only `apply` and `take` change it. One object for all steps of a run, since creating one is expensive. */
export class RunState implements StepRun {
  readonly engine: EngineVersion;
  readonly plan: FlowPlan;
  readonly states: StateMap;
  readonly recorder: Recorder | undefined;
  readonly caller: Caller | undefined;
  readonly models: Readonly<Record<string, string>>;
  readonly limits: Limits;
  readonly openCalled: OpenCalledRun;
  readonly resources: RunResources = {};
  readonly lanes: Lanes;
  readonly outcomes: AheadOutcomes;
  readonly trace: RunTrace;
  control: Control;
  history: Readonly<Record<string, readonly Message[]>> = {};
  seq: number;
  #runId: string | undefined;

  constructor(plan: FlowPlan, { states, control, seq, written, ahead }: Standing, options: RuntimeOptions, openCalled: OpenCalledRun) {
    this.engine = options.engine ?? currentEngine;
    this.plan = plan;
    this.states = new StateMap(plan, states, '', written);
    this.control = control;
    this.seq = seq;
    this.recorder = options.recorder;
    this.caller = options.caller;
    this.models = options.models ?? noModels;
    this.limits = options.caller?.limits ?? plan.graph.limits;
    this.openCalled = openCalled;
    this.lanes = new Lanes(this);
    this.outcomes = new AheadOutcomes(ahead);
    this.trace = new RunTrace(options.tracedAt);
    this.#runId = options.run_id;
  }

  /** Created on first use: most runs in memory have no use for one. */
  get run_id(): string {
    this.#runId ??= randomId();
    return this.#runId;
  }

  get now(): number | undefined {
    return this.caller?.now;
  }

  counted(): Counters {
    return this.caller === undefined ? this.control.counters : this.caller.counted();
  }

  get isWaiting(): boolean {
    return this.control.suspensions.length > 0 && this.control.answers.length === 0;
  }

  /** The run's outcome so far: its output, its pending question, or that it continues. */
  get outcome(): RunOutcome {
    const { done } = this.states;
    if (done) return { type: 'done', output: done.value };
    const [first] = this.control.suspensions;
    return first && this.isWaiting ? { type: 'suspend', ...first } : goesOn;
  }

  /** Applies the result of a step to the run. */
  apply(step: Step, draft: Draft, control: Control): void {
    this.outcomes.forget(() => step.place);
    this.seq = step.seq;
    this.control = control;
    if (draft.type === 'suspended') return;
    if (draft.type === 'finished') this.trace.leave(step.node, {});
    else if (draft.type === 'failed_call') this.trace.leave(step.node, { error: draft.error.code });
    const id = draft.kept?.id ?? step.node;
    if (draft.history) this.history = { ...this.history, [id]: [...(this.history[id] ?? []), ...draft.history] };
    if (draft.type === 'finished' && step.cursor === null) this.states.apply(step.plan, draft.produced, step.seq);
  }

  /** Keeps the partial message of a model that was cut off: all that a failed step leaves behind. */
  keepCut(node: string, failure: TransferableError): void {
    const message = failure.node === node ? cutMessage(failure) : null;
    if (message) this.history = { ...this.history, [node]: [...(this.history[node] ?? []), message] };
  }

  /** Makes an answer, which is a record of its own, the run's. */
  take(seq: number, control: Control): void {
    this.seq = seq;
    this.control = control;
  }

  /** Frees what is not among its states. It is made again when needed. */
  dispose(): void {
    this.resources.sandbox?.dispose();
    this.resources.modules?.dispose();
    delete this.resources.sandbox;
    delete this.resources.modules;
  }

  /** The failure of a transition while the run waits. */
  resumeRequired(): FlowError {
    const [first] = this.control.suspensions;
    const toolId = first?.tool_id ?? '';
    return new FlowError('ResumeRequired', `The run waits for an answer to ${toolId}. Resume it with that id.`, {
      node: first?.node ?? null,
      tool_id: toolId,
      details: { tool_id: toolId, tool_call_id: first?.tool_call_id ?? '' },
    });
  }
}
