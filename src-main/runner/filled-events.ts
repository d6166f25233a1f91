import type { StepRecord } from '#main/engine/ports/recorder.ts';
import type { NamedState } from '#shared/flow/graph.ts';
import type { Json } from '#shared/json.ts';
import type { RunEvent } from '#shared/run/event.ts';
import { isOwnEvent } from '#shared/run/step-frame.ts';

type Values = Readonly<Record<string, Json>>;

/**
 * Passes the engine's events to a reader, in order, with the values that each step consumed and produced. An event
 * that ends a step waits until the step is recorded, and later events wait behind it.
 */
export class FilledEvents {
  readonly #deliver: (event: RunEvent) => void;
  #committed: { readonly seq: number; readonly consumed: Values; readonly produced: Values } | undefined;
  #waiting: RunEvent[] = [];

  constructor(deliver: (event: RunEvent) => void) {
    this.#deliver = deliver;
  }

  /** Accepts an event from the engine. */
  take(event: RunEvent): void {
    if (this.#waiting.length > 0 || !this.#mayGo(event)) this.#waiting.push(event);
    else this.#deliver(this.#filled(event));
  }

  /** Receives the values of a committed step and delivers the events that waited for them. */
  committed(step: StepRecord, consumed: Values): void {
    const { inner } = step;
    this.#committed = {
      seq: step.seq,
      consumed: inner ? valuesOf(inner.consumed) : consumed,
      produced: valuesOf(inner?.produced ?? step.produced),
    };
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const event of waiting) this.take(event);
  }

  /** Drops pending events of a step that failed before its commit, and delivers the independent ones. */
  failed(): void {
    const waiting = this.#waiting.filter((event) => !endsStep(event));
    this.#waiting = [];
    for (const event of waiting) this.#deliver(event);
  }

  #mayGo(event: RunEvent): boolean {
    return !endsStep(event) || this.#committed?.seq === event.seq;
  }

  #filled(event: RunEvent): RunEvent {
    if (event.type !== 'node_exit' || !this.#committed || isNested(event)) return event;
    return { ...event, consumed: this.#committed.consumed, produced: this.#committed.produced };
  }
}

function endsStep(event: RunEvent): boolean {
  if (isNested(event)) return false;
  return event.type === 'node_exit' || event.type === 'suspended' || event.type === 'resumed';
}

/** Whether an event belongs to a flow that a tool call runs within one step: it carries its values and does not end a step of this run. */
function isNested(event: RunEvent): boolean {
  return 'node' in event && typeof event.node === 'string' && !isOwnEvent(event, event.node);
}

function valuesOf(states: readonly NamedState[]): Values {
  return Object.fromEntries(states.map(({ name, value }) => [name, value]));
}
