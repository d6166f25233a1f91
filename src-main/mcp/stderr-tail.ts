/** Maximum characters. */
const maxTailLength = 2_000;

/** The end of a program's standard error output, to report why it ended. */
export class StderrTail {
  #text = '';

  add(chunk: Uint8Array): void {
    this.#text = (this.#text + new TextDecoder().decode(chunk)).slice(-maxTailLength);
  }

  /** The last lines without terminal control sequences. */
  get text(): string {
    return this.#text
      .replace(/\p{Cc}\[[0-9;]*[A-Za-z]/gu, '')
      .replace(/[^\P{Cc}\n\t]/gu, '')
      .trim();
  }
}
