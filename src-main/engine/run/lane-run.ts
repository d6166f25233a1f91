import type { Recorder } from '#main/engine/ports/recorder.ts';
import type { AheadOutcomes } from '#main/engine/step/ahead-outcomes.ts';
import type { Draft } from '#main/engine/step/draft.ts';
import type { FlowPlan } from '#main/engine/step/node-plan.ts';
import type { RunResources, Step, StepRun } from '#main/engine/step/step.ts';
import type { Message } from '#shared/run/message.ts';
import type { Control, Counters } from '#shared/run/snapshot.ts';
import { controlAfter } from './control.ts';
import type { RunState } from './run-state.ts';

/** The run as steps of one lane see it: with what the lane has made of its own node, which is not committed yet. */
export class LaneRun implements StepRun {
  control: Control;
  history: Readonly<Record<string, readonly Message[]>>;
  readonly resources: RunResources;
  readonly #run: RunState;

  constructor(run: RunState, control: Control) {
    this.#run = run;
    this.control = control;
    this.history = run.history;
    this.resources = {
      get modules() {
        return run.resources.modules;
      },
      set modules(started) {
        run.resources.modules = started;
      },
    };
  }

  get run_id(): string {
    return this.#run.run_id;
  }

  get engine(): StepRun['engine'] {
    return this.#run.engine;
  }

  get plan(): FlowPlan {
    return this.#run.plan;
  }

  get recorder(): Recorder | undefined {
    return this.#run.recorder;
  }

  get caller(): undefined {
    return undefined;
  }

  get limits(): StepRun['limits'] {
    return this.#run.limits;
  }

  get now(): number | undefined {
    return this.#run.now;
  }

  get openCalled(): StepRun['openCalled'] {
    return this.#run.openCalled;
  }

  get models(): StepRun['models'] {
    return this.#run.models;
  }

  get outcomes(): AheadOutcomes {
    return this.#run.outcomes;
  }

  get trace(): StepRun['trace'] {
    return this.#run.trace;
  }

  counted(): Counters {
    return this.#run.counted();
  }

  /** Applies a step's draft to the lane. */
  apply(step: Step, draft: Draft): void {
    this.control = controlAfter(this.control, step, draft, step.elapsed / 1000);
    if (draft.type === 'suspended' || !draft.history) return;
    this.history = { ...this.history, [step.node]: [...(this.history[step.node] ?? []), ...draft.history] };
  }
}
