/** Characters that are kept. */
const LENGTH = 2_000;

/** The end of what a program printed, for saying why it ended. */
export class LastWords {
  #text = '';

  add(chunk: Uint8Array): void {
    this.#text = (this.#text + new TextDecoder().decode(chunk)).slice(-LENGTH);
  }

  /** The last lines, without what steers a terminal. */
  get text(): string {
    return this.#text
      .replace(/\p{Cc}\[[0-9;]*[A-Za-z]/gu, '')
      .replace(/[^\P{Cc}\n\t]/gu, '')
      .trim();
  }
}
