import type { CallPoint, OutputPoint, SuppliedCall, SuppliedOutput, Supply } from '#main/engine/ports/supply.ts';
import type { GraphNode, NamedState } from '#shared/flow/graph.ts';
import type { Json } from '#shared/json.ts';
import { fromTransferable, type TransferableError } from '#shared/run/error.ts';
import type { SuppliedMark } from '#shared/run/supplied.ts';

/** What pins and mocks supplied for one record. */
export interface SuppliedRecord {
  readonly seq: number;
  /** The output of its node, if a pin supplied it; `error`: with which it failed the called flow around it. */
  readonly output: {
    readonly mark: SuppliedMark;
    readonly node: string;
    readonly produced: readonly NamedState[];
    readonly error: TransferableError | null;
  } | null;
  /** The outcome of a call, if a mock supplied it, by its effect's key. */
  readonly call: (key: string) => SuppliedCall | undefined;
}

/** Supplies a replay with what the recorded run was supplied with, and with nothing else. */
export class ReplaySupply implements Supply {
  readonly #next: () => SuppliedRecord | null;
  readonly #notes = new Set<string>();

  /** `next`: what was supplied for the record that the replay makes next; null at the end. */
  constructor(next: () => SuppliedRecord | null) {
    this.#next = next;
  }

  /** What was taken, for people. */
  get notes(): string[] {
    return [...this.#notes];
  }

  pins(_node: GraphNode, id: string): boolean {
    return this.#next()?.output?.node === id;
  }

  output({ seq, key, id }: OutputPoint): SuppliedOutput | undefined {
    const record = this.#next();
    if (record?.seq !== seq) return undefined;
    // A step of a called flow has no record of its own.
    const called = record.call(key);
    if (called && 'result' in called.outcome) {
      this.#note(called.mark, id);
      const produced = called.outcome.result as readonly { readonly name: string; readonly value: Json }[];
      return { mark: called.mark, produced: () => produced };
    }
    const { output } = record;
    if (output?.node !== id) return undefined;
    this.#note(output.mark, id);
    const { mark, produced, error } = output;
    return {
      mark,
      produced: () => {
        if (error) throw fromTransferable(error);
        return produced;
      },
    };
  }

  call({ seq, key, id, name }: CallPoint): SuppliedCall | undefined {
    const record = this.#next();
    const supplied = record?.seq === seq ? record.call(key) : undefined;
    if (supplied) this.#note(supplied.mark, `${name}, called by ${id}`);
    return supplied;
  }

  #note({ by, id }: SuppliedMark, what: string): void {
    this.#notes.add(
      by === 'pin'
        ? `${what} was supplied by the pin ${id}: its recorded output was used.`
        : `${what}, was supplied by the mock ${id}: its recorded result was used.`,
    );
  }
}
