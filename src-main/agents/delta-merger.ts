import { begunSecret, maskSecrets } from '#main/engine/secrets/mask.ts';
import type { Step } from '#main/engine/step/step.ts';

type DeltaType = 'text' | 'reasoning';

const longest = 400;
/** How long to buffer text, in milliseconds. */
const delay = 100;

/**
 * Emits a model's streamed text: the first chunk at once, so that the first token is not delayed, and later ones merged, so that a fast model does
 * not flood listeners. A chunk that comes after a pause of the model is a first one again.
 */
export class DeltaMerger {
  readonly #step: Step;
  readonly #turn: number;
  #type: DeltaType = 'text';
  #text = '';
  /** When something was last emitted. */
  #told = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;

  constructor(step: Step, turn: number) {
    this.#step = step;
    this.#turn = turn;
  }

  add(type: DeltaType, text: string): void {
    if (text === '') return;
    if (type !== this.#type) this.flush();
    this.#timer ??= setTimeout(() => this.#tell(), delay);
    this.#type = type;
    this.#text += text;
    if (this.#text.length >= longest || this.#step.ctx.clock.now() - this.#told >= delay) this.#tell();
  }

  /** Emits the whole buffer. */
  flush(): void {
    this.#emit(this.#text, '');
  }

  /** Emits the buffer except what may be the start of a secret, which could not be recognized (and masked) in two pieces. */
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
    this.#told = this.#step.ctx.clock.now();
    const type = this.#type === 'text' ? 'message' : 'reasoning';
    this.#step.emit({ type, node: this.#step.node, turn: this.#turn, content });
  }
}
