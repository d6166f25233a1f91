import type { Context } from '#main/engine/ports/context.ts';
import { Ahead, StoppedAhead } from '#main/engine/step/ahead.ts';
import type { Draft } from '#main/engine/step/draft.ts';
import { type FrameCursor, hasFrames, readyInside, resolveFrame } from '#main/engine/step/frame-cursor.ts';
import type { NodePlan } from '#main/engine/step/node-plan.ts';
import { StateMap } from '#main/engine/step/state-map.ts';
import { Step } from '#main/engine/step/step.ts';
import type { NamedState } from '#shared/flow/graph.ts';
import type { AheadEffects } from '#shared/flow/parallel.ts';
import type { Json } from '#shared/json.ts';
import type { Control } from '#shared/run/snapshot.ts';
import { LaneRun } from './lane-run.ts';
import type { RunState } from './run-state.ts';
import { announceAhead, announceEndAhead } from './step-events.ts';

/** The most drafts that a lane keeps. */
const longestQueue = 64;

/** What a step made ahead has come to. */
export type Made = { readonly draft: Draft } | { readonly error: unknown };

/** A step that is made ahead. */
export interface Prepared {
  readonly step: Step;
  readonly ahead: Ahead;
  /** Never rejects. */
  readonly result: Promise<Made>;
  made: Made | undefined;
}

/** What a lane is made for. */
export interface LaneStart {
  readonly run: RunState;
  readonly plan: NodePlan;
  readonly ctx: Context;
  readonly effects: AheadEffects;
  /** Of a lane for a frame: the control in which that frame is the next one. */
  readonly control: Control;
  /** Whether the lane goes on from this control: false once its frame has ended. */
  readonly isOpen: (control: Control) => boolean;
  /** Asked before each step: whether the limits allow it. */
  readonly mayBegin: (step: Step) => boolean;
  /** Called when it has stopped using its slot: it has ended, or waits. */
  readonly onIdle: () => void;
}

/**
 * Works ahead on one node with all its phases, or on one frame of it. It works on a copy of its own part of the run, and keeps the drafts of its steps until
 * the run's order comes to them.
 */
export class Lane {
  readonly #start: LaneStart;
  readonly #view: LaneRun;
  readonly #states: StateMap;
  readonly #queue: Prepared[] = [];
  readonly #values: readonly Json[];
  #ended = false;

  constructor(start: LaneStart) {
    const { run, plan } = start;
    this.#start = start;
    this.#view = new LaneRun(run, { ...start.control, suspensions: [], answers: [] });
    this.#values = run.states.valuesOf(plan);
    const consumed = plan.node.from.map((name, index): NamedState => ({ name, value: this.#values[index] as Json }));
    this.#states = new StateMap(run.plan, consumed);
    this.#ready = run.states.readyTag(plan);
    void this.#drive();
  }

  readonly #ready: string;

  /** Whether it is doing something now. */
  get isBusy(): boolean {
    const last = this.#queue.at(-1);
    return !this.#ended && !last?.ahead.isWaiting;
  }

  /** Whether nothing more will come of it. */
  get isSpent(): boolean {
    return this.#ended && this.#queue.length === 0;
  }

  /** Its steps that are not committed. */
  get prepared(): readonly Prepared[] {
    return this.#queue;
  }

  /** Takes its first step, if that is the one at this place of the run. */
  take(id: string, ready: string, values: readonly Json[]): Prepared | undefined {
    const [first] = this.#queue;
    if (!first || first.step.node !== id || first.step.ready !== ready) return undefined;
    if (values.some((value, index) => value !== this.#values[index])) return undefined;
    this.#queue.shift();
    // A step that is in progress now is finished in the run itself, and so is the rest of its node.
    if (!first.made) {
      this.#ended = true;
      void first.result.then(() => this.dispose());
    } else if (!this.#ended && this.#queue.length === longestQueue - 1) void this.#drive();
    return first;
  }

  /** Gives up what it has made: it belongs to no transition of the run any more. */
  drop(): void {
    void this.stop().then(() => {
      for (const { step } of this.#queue) step.aheadGoesOn('dropped');
    });
  }

  /** Ends it: effects in progress finish, and nothing more is begun. */
  async stop(): Promise<void> {
    this.#ended = true;
    const last = this.#queue.at(-1);
    if (!last || last.made) return;
    last.ahead.stop();
    const made = await last.result;
    if (!this.#queue.includes(last)) return;
    if ('error' in made && (made.error instanceof StoppedAhead || this.#start.ctx.signal.aborted)) {
      this.#queue.pop();
      last.step.aheadGoesOn('dropped');
    } else {
      last.made = made;
      last.step.end();
      announceEndAhead(last.step, 'draft' in made ? made.draft : undefined);
    }
  }

  dispose(): void {
    this.#view.resources.sandbox?.dispose();
  }

  async #drive(): Promise<void> {
    while (!this.#ended && this.#queue.length < longestQueue) {
      const prepared = this.#begin();
      if (!prepared) break;
      this.#queue.push(prepared);
      const made = await prepared.result;
      if (this.#ended) break;
      prepared.made = made;
      prepared.step.end();
      announceEndAhead(prepared.step, 'draft' in made ? made.draft : undefined);
      if ('error' in made || made.draft.type === 'suspended') break;
      const { cursor } = prepared.step;
      this.#view.apply(prepared.step, made.draft);
      if (made.draft.type === 'finished' && cursor === null) break;
      if (!this.#start.isOpen(this.#view.control)) break;
    }
    if (this.#queue.length < longestQueue) this.#ended = true;
    this.#start.onIdle();
  }

  #begin(): Prepared | undefined {
    const { run, plan, ctx } = this.#start;
    let cursor: FrameCursor | null = null;
    try {
      if (hasFrames(plan)) cursor = resolveFrame(this.#states, plan, this.#view.control);
    } catch {
      // The run itself says what is wrong, in its turn.
      return undefined;
    }
    if (cursor?.fault) return undefined;
    const values = cursor ? cursor.states.valuesOf(cursor.plan) : this.#values;
    const ready = cursor ? readyInside(this.#ready, cursor) : this.#ready;
    const step = new Step(this.#view, cursor?.plan ?? plan, ctx, run.seq + 1, ctx.clock.now(), values, cursor, ready);
    if (!this.#start.mayBegin(step)) return undefined;
    const ahead = new Ahead(step.place, this.#start.effects, () => {
      step.aheadGoesOn('waiting');
      this.#start.onIdle();
    });
    step.ahead = ahead;
    announceAhead(step);
    const result = perform(step, ahead).then(
      (draft): Made => ({ draft }),
      (error: unknown): Made => ({ error }),
    );
    return { step, ahead, result, made: undefined };
  }
}

async function perform(step: Step, ahead: Ahead): Promise<Draft> {
  // A body whose time another thread watches is known there by the record that it becomes.
  if (step.ctx.bodies && step.plan.node.body.type === 'run') await ahead.turn();
  return step.plan.perform(step);
}
