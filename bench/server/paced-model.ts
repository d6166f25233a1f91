import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A model server that speaks Ollama's protocol, counts, and answers on the beat of a clock. */
export class PacedModel {
  readonly #server: Server;
  readonly #beat: number;
  #began = 0;
  #answered = 0;

  private constructor(beat: number) {
    this.#beat = beat;
    this.#server = createServer((request, response) => {
      request.resume();
      request.on('end', () => this.#answer(response));
    });
  }

  /** `beat`: milliseconds from one answer to the next. */
  static async start(beat: number): Promise<PacedModel> {
    const model = new PacedModel(beat);
    await new Promise<void>((done) => model.#server.listen(0, '127.0.0.1', done));
    return model;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  #answer(response: ServerResponse): void {
    if (this.#answered === 0) this.#began = performance.now();
    this.#answered += 1;
    const message = { role: 'assistant', content: `{"n":${this.#answered}}` };
    const text = `${JSON.stringify({ model: 'm', message, done: true, done_reason: 'stop', prompt_eval_count: 5, eval_count: 5 })}\n`;
    setTimeout(() => response.end(text), Math.max(0, this.#began + this.#answered * this.#beat - performance.now()));
  }
}
