import type { StepRecord } from '#main/engine/ports/recorder.ts';
import type { NamedState } from '#shared/flow/graph.ts';
import type { Control } from '#shared/run/snapshot.ts';
import type { WrittenState } from './rows.ts';

/** A run after a record: its state map in insertion order, the writer of each state, and the control. */
export interface FoldedRun {
  readonly seq: number;
  readonly states: ReadonlyMap<string, WrittenState>;
  readonly control: Control;
}

/** The changes of one record. */
export interface FoldStep {
  readonly seq: number;
  readonly node: string;
  readonly consumed: readonly string[];
  readonly produced: readonly NamedState[];
  /** The parts of the control that differ from before. */
  readonly control: Partial<Control>;
}

/** A running fold over a state map; `apply` changes it in place, `at` returns a copy. */
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

  /** Returns the value of a state. */
  get(name: string): WrittenState | undefined {
    return this.#states.get(name);
  }

  /** Returns the names of the waiting states in insertion order. */
  keys(): Iterable<string> {
    return this.#states.keys();
  }

  apply(step: FoldStep): void {
    this.#move(step);
    this.#control = { ...this.#control, ...step.control };
  }

  /** Applies a step from the engine, with the whole control after it. */
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

/** Returns the turn of a record within its agent's visit, from 1; null for other nodes. */
export function turnOf(before: Control, step: Pick<StepRecord, 'node' | 'kind' | 'phase' | 'control'>): number | null {
  if (step.kind !== 'agent') return null;
  const after = step.control.agents[step.node];
  // A finished agent has no state left; its last turn ended with this record.
  return after ? after.turn : (before.agents[step.node]?.turn ?? 0) + (step.phase === 'reason' ? 1 : 0);
}

const controlParts: readonly (keyof Control)[] = ['agents', 'frames', 'handlers', 'suspensions', 'answers', 'counters', 'script_positions'];

/** Returns the parts of `control` that are not the same objects as in `before`. */
export function changedParts(before: Control, control: Control): Partial<Control> {
  const changed: Partial<Record<keyof Control, Control[keyof Control]>> = {};
  for (const part of controlParts) if (control[part] !== before[part]) changed[part] = control[part];
  return changed as Partial<Control>;
}
