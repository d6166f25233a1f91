import type { StepRecord } from '#main/runtime/recorder.ts';
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
    this.#committed = { seq: step.seq, consumed, produced: valuesOf(step) };
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
    if (event.type !== 'node_exit' || !this.#committed) return event;
    return { ...event, consumed: this.#committed.consumed, produced: this.#committed.produced };
  }
}

function endsStep(event: RunEvent): boolean {
  return event.type === 'node_exit' || event.type === 'suspended' || event.type === 'resumed';
}

function valuesOf(step: StepRecord): Values {
  return Object.fromEntries(step.produced.map(({ name, value }) => [name, value]));
}
