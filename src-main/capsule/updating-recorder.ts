import {
  type CallDecision,
  type DecidedCall,
  type Effect,
  type EffectOutcome,
  type MarkedOutcome,
  marked,
  type Recorder,
  type StepRecord,
  UnknownOutcome,
} from '#main/engine/ports/recorder.ts';
import type { Supply } from '#main/engine/ports/supply.ts';
import { changedParts } from '#main/journal/state-fold.ts';
import { noteOf } from '#main/journal/step-note.ts';
import { producedBy } from '#main/time-travel/inner-outcome.ts';
import type { Json } from '#shared/json.ts';
import type { Control, TakenAnswer } from '#shared/run/snapshot.ts';
import { sameValue } from '#shared/value-changes.ts';
import type { Capsule, CapsuleEffect, CapsuleStep } from './capsule-format.ts';

/**
 * Records a run again while it is replayed with another flow. Outcomes and answers are taken from a capsule by node, kind and name,
 * regardless of the current input; a missing outcome ends the run and is named by `missing`.
 */
export class UpdatingRecorder implements Recorder {
  readonly steps: CapsuleStep[] = [];
  missing: string | null = null;
  readonly #pool: CapsuleEffect[];
  /** Steps whose output a pin supplied. */
  readonly #pins: CapsuleStep[];
  readonly #questions: Map<string, Json>;
  readonly #answers: TakenAnswer[];
  #effects: CapsuleEffect[] = [];
  #control: Control;

  constructor({ start, steps, failed_effects }: Capsule) {
    this.#control = start.control as Control;
    this.#pool = [...steps.flatMap(({ effects }) => effects), ...failed_effects];
    this.#pins = steps.filter(({ supplied }) => supplied);
    const questions = steps.flatMap(({ control }) => control.suspensions ?? []).filter(({ reason }) => reason === 'approval');
    this.#questions = new Map(questions.map(({ tool_call_id, value }) => [tool_call_id, value]));
    this.#answers = steps.flatMap(({ type, control }) => (type === 'resumed' ? (control.answers ?? []) : []));
  }

  /** Effects of the current step. */
  get effects(): CapsuleEffect[] {
    return this.#effects;
  }

  /** What pins and mocks supplied: outputs by node, in order, and outcomes by call. */
  readonly supply: Supply = {
    pins: (_node, id) => this.#pinned(id) !== undefined,
    output: ({ id }) => {
      const step = this.#pinned(id);
      if (!step?.supplied) return undefined;
      this.#pins.splice(this.#pins.indexOf(step), 1);
      return { mark: step.supplied, produced: () => producedBy(step, step.control.frames ?? {}, step.events) };
    },
    call: ({ what, id, name }) => {
      const found = this.#pool.find((one) => one.supplied && one.kind === what && one.node === id && one.name === name);
      return found?.supplied && found.outcome ? { mark: found.supplied, outcome: found.outcome as EffectOutcome } : undefined;
    },
  };

  #pinned(id: string): CapsuleStep | undefined {
    return this.#pins.find(({ node }) => node === id);
  }

  /** Returns the next recorded answer to this question; undefined if none is left. */
  answerTo(toolId: string): Json | undefined {
    const at = this.#answers.findIndex(({ suspension }) => suspension.tool_id === toolId);
    return at < 0 ? undefined : this.#answers.splice(at, 1)[0]?.payload;
  }

  async effect(_seq: number, effect: Effect): Promise<MarkedOutcome> {
    const recorded = this.#take(effect);
    if (!recorded) throw this.#end(`${effect.node} uses ${effect.name} more often than recorded`);
    const { key, kind, node, name, input } = effect;
    const { outcome, supplied } = recorded;
    this.#effects.push({ key, kind, node, name, input, outcome, ...(supplied && { supplied }) });
    if (!outcome) throw new UnknownOutcome(effect);
    return marked(outcome as EffectOutcome, recorded);
  }

  decided(_seq: number, { tool_call_id, tool, effect }: DecidedCall): CallDecision {
    const question = this.#questions.get(tool_call_id);
    if (question !== undefined) {
      this.#questions.delete(tool_call_id);
      return { type: 'asked', question };
    }
    if (effect === 'none' || effect === 'flow' || this.#pool.some(({ name }) => name === tool)) return { type: 'made' };
    throw this.#end(`${tool} is called more often than recorded`);
  }

  commit(step: StepRecord): void {
    const { type, node, kind, phase, consumed, produced, history, control, events, started_at, duration_ms } = step;
    this.steps.push({
      type,
      node,
      kind,
      ...(phase && { phase }),
      consumed: [...consumed],
      produced: [...produced],
      control: changedParts(this.#control, control),
      messages: Object.fromEntries(Object.entries(history).map(([of, messages]) => [of, [...messages]])),
      effects: this.#effects,
      events: [...events],
      started_at,
      duration_ms,
      note: noteOf(step),
      ...(step.supplied && { supplied: step.supplied }),
    });
    this.#effects = [];
    this.#control = control;
  }

  /** Returns the best matching outcome: same call and input, same input, same call, or the next one. */
  #take(effect: Effect): CapsuleEffect | undefined {
    const alike = this.#pool.filter(({ node, kind, name }) => node === effect.node && kind === effect.kind && name === effect.name);
    const sameKey = ({ key }: CapsuleEffect): boolean => key === effect.key;
    const sameInput = ({ input }: CapsuleEffect): boolean => sameValue(input, effect.input);
    const best = alike.find((one) => sameKey(one) && sameInput(one)) ?? alike.find(sameInput) ?? alike.find(sameKey) ?? alike[0];
    if (best) this.#pool.splice(this.#pool.indexOf(best), 1);
    return best;
  }

  #end(missing: string): Error {
    this.missing ??= missing;
    return new Error(missing);
  }
}
