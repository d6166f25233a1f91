import type { StepRecord } from '#main/runtime/recorder.ts';
import type { NamedState } from '#shared/flow/graph.ts';
import type { Json } from '#shared/json.ts';
import type { RunEvent } from '#shared/runtime/event.ts';

type Values = Readonly<Record<string, Json>>;

/**
 * Hands the engine's events on to a reader, in order, with the values of what each step consumed and produced filled in. An event
 * that says how a step ended waits until that is on record, and what follows waits behind it.
 */
export class FilledEvents {
  readonly #deliver: (event: RunEvent) => void;
  #committed: { readonly seq: number; readonly consumed: Values; readonly produced: Values } | undefined;
  #waiting: RunEvent[] = [];

  constructor(deliver: (event: RunEvent) => void) {
    this.#deliver = deliver;
  }

  /** Takes an event as the engine made it. */
  take(event: RunEvent): void {
    if (this.#waiting.length > 0 || !this.#mayGo(event)) this.#waiting.push(event);
    else this.#deliver(this.#filled(event));
  }

  /** Learns the values of a committed step, and delivers what waited for them. */
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

  /** Drops events of a step that failed before it was committed, and delivers those that stand by themselves. */
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

/** Whether an event is of a flow that a tool call runs: it carries its values, and ends no step of this run. */
function isNested(event: RunEvent): boolean {
  return event.parent_span_id !== undefined;
}

function valuesOf(states: readonly NamedState[]): Values {
  return Object.fromEntries(states.map(({ name, value }) => [name, value]));
}
