import type { RunEvent } from '#shared/run/event.ts';

/** Events that are read while they happen. */
export class EventQueue {
  readonly #waiting: RunEvent[] = [];
  #ended = false;
  #wake: () => void = () => {};

  add(event: RunEvent): void {
    this.#waiting.push(event);
    this.#wake();
  }

  end(): void {
    this.#ended = true;
    this.#wake();
  }

  async *events(): AsyncGenerator<RunEvent, void> {
    for (;;) {
      const event = this.#waiting.shift();
      if (event) yield event;
      else if (this.#ended) return;
      else {
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
    }
  }
}
