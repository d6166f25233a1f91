import { begunSecret, maskSecrets } from '#main/runtime/known-secrets.ts';
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
    this.#timer ??= setTimeout(() => this.#tell(), delay);
    this.#type = type;
    this.#text += text;
    if (this.#text.length >= longest || this.#step.ctx.clock.now() - this.#since >= delay) this.#tell();
  }

  /** Emits all that waits. */
  flush(): void {
    this.#emit(this.#text, '');
  }

  /** Emits what waits, save what may be the beginning of a secret: in two pieces nobody would know it. */
  #tell(): void {
    const { secrets } = this.#step.ctx;
    const text = secrets.size > 0 ? maskSecrets(secrets, this.#text) : this.#text;
    const end = secrets.size > 0 ? text.length - begunSecret(secrets, text) : text.length;
    this.#emit(text.slice(0, end), text.slice(end));
  }

  #emit(content: string, rest: string): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#text = rest;
    if (content === '') return;
    const type = this.#type === 'text' ? 'message' : 'reasoning';
    this.#step.emit({ type, node: this.#step.node, turn: this.#turn, content });
  }
}
