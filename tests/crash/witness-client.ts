import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { createInterface } from 'node:readline';

/** How the witness is to end the process that asks: while the request is in progress, or a number of milliseconds after it was answered. */
export type WitnessKill = { readonly pid: number } & (
  | { readonly when: 'under way' }
  | { readonly when: 'answered'; readonly after_ms: number }
);

/** `do`: append this to the log. `look`: was it done? */
export interface WitnessRequest {
  readonly id: number;
  readonly type: 'do' | 'look';
  readonly what: string;
  readonly kill?: WitnessKill;
}

/** Number of the line in the witness's log; null for what it has not done. */
export interface WitnessAnswer {
  readonly id: number;
  readonly number: number | null;
}

/** A connection to the witness, in a process that may end at any time. */
export class WitnessClient {
  /** Says of each thing that is asked for whether it is the one at which the process is to end. */
  killAt: () => WitnessKill | undefined = () => undefined;
  readonly #socket: Socket;
  readonly #waiting = new Map<number, (answer: WitnessAnswer) => void>();
  #nextId = 1;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.setNoDelay(true);
    createInterface({ input: socket }).on('line', (line) => {
      const answer = JSON.parse(line) as WitnessAnswer;
      this.#waiting.get(answer.id)?.(answer);
      this.#waiting.delete(answer.id);
    });
  }

  static async connect(port: number): Promise<WitnessClient> {
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    return new WitnessClient(socket);
  }

  /** Does something outside. Resolves to its number in the witness's log. */
  async do(what: string): Promise<number> {
    return (await this.#ask('do', what, this.killAt())) as number;
  }

  /** The number of something that was done, the last time; null where it was not. */
  look(what: string): Promise<number | null> {
    return this.#ask('look', what, undefined);
  }

  #ask(type: WitnessRequest['type'], what: string, kill: WitnessKill | undefined): Promise<number | null> {
    const id = this.#nextId;
    this.#nextId += 1;
    return new Promise((resolve) => {
      this.#waiting.set(id, ({ number }) => resolve(number));
      this.#socket.write(`${JSON.stringify({ id, type, what, ...(kill && { kill }) } satisfies WitnessRequest)}\n`);
    });
  }
}
