import type { WrittenState } from '#main/journal/rows.ts';
import type { StepRecord } from '#main/runtime/recorder.ts';
import type { NamedState } from '#shared/flow/graph.ts';
import type { Control } from '#shared/runtime/snapshot.ts';

/** What a run is after some record: its state map in insertion order, who wrote each state, and the control part. */
export interface FoldedRun {
  readonly seq: number;
  readonly states: ReadonlyMap<string, WrittenState>;
  readonly control: Control;
}

/** What one record changes. */
export interface FoldStep {
  readonly seq: number;
  readonly node: string;
  readonly consumed: readonly string[];
  readonly produced: readonly NamedState[];
  /** The parts of the control that differ from before. */
  readonly control: Partial<Control>;
}

/** The state map of a running fold; `apply` changes it in place, `at` copies what it is now. */
export class StateFold {
  #seq: number;
  #control: Control;
  readonly #states: Map<string, WrittenState>;

  constructor(start: FoldedRun) {
    this.#seq = start.seq;
    this.#states = new Map(start.states);
    this.#control = start.control;
  }

  get control(): Control {
    return this.#control;
  }

  /** The value of a waiting state. */
  get(name: string): WrittenState | undefined {
    return this.#states.get(name);
  }

  apply(step: FoldStep): void {
    this.#move(step);
    this.#control = { ...this.#control, ...step.control };
  }

  /** Takes a step as the engine hands it over, with the whole control after it. */
  take(step: StepRecord): void {
    this.#move(step);
    this.#control = step.control;
  }

  #move(step: Omit<FoldStep, 'control'>): void {
    for (const name of step.consumed) this.#states.delete(name);
    for (const { name, value } of step.produced) this.#states.set(name, { name, value, written_at: step.seq, written_by: step.node });
    this.#seq = step.seq;
  }

  at(): FoldedRun {
    return { seq: this.#seq, states: new Map(this.#states), control: this.#control };
  }
}

/** In which turn of this visit of its agent a record falls, from 1; null for other nodes. */
export function turnOf(before: Control, step: Pick<StepRecord, 'node' | 'kind' | 'phase' | 'control'>): number | null {
  if (step.kind !== 'agent') return null;
  const after = step.control.agents[step.node];
  // An agent that has finished has left no state; its last turn ended with this record.
  return after ? after.turn : (before.agents[step.node]?.turn ?? 0) + (step.phase === 'reason' ? 1 : 0);
}

const controlParts: readonly (keyof Control)[] = ['agents', 'frames', 'handlers', 'suspensions', 'answers', 'counters', 'script_positions'];

/** The parts of `control` that are not the very same objects as in `before`. */
export function changedParts(before: Control, control: Control): Partial<Control> {
  const changed: Partial<Record<keyof Control, Control[keyof Control]>> = {};
  for (const part of controlParts) if (control[part] !== before[part]) changed[part] = control[part];
  return changed as Partial<Control>;
}
