import type { Step } from '#main/runtime/step.ts';

type DeltaType = 'text' | 'reasoning';

const longest = 400;
/** How long words wait for more, in milliseconds. */
const delay = 100;

/** Emits a model's words as they come: small pieces are put together, so that a fast model does not flood its readers, and those of a slow one do not wait. */
export class DeltaMerger {
  readonly #step: Step;
  readonly #turn: number;
  #type: DeltaType = 'text';
  #text = '';
  #since = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(step: Step, turn: number) {
    this.#step = step;
    this.#turn = turn;
  }

  add(type: DeltaType, text: string): void {
    if (text === '') return;
    if (type !== this.#type) this.flush();
    if (this.#text === '') this.#since = this.#step.ctx.clock.now();
    this.#timer ??= setTimeout(() => this.flush(), delay);
    this.#type = type;
    this.#text += text;
    if (this.#text.length >= longest || this.#step.ctx.clock.now() - this.#since >= delay) this.flush();
  }

  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#text === '') return;
    const type = this.#type === 'text' ? 'message' : 'reasoning';
    this.#step.emit({ type, node: this.#step.node, turn: this.#turn, content: this.#text });
    this.#text = '';
  }
}
