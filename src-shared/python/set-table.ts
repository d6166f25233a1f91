import type { PyValue } from './values.ts';

const linearProbes = 9;
const smallest = 8;
const unsigned64 = (value: bigint) => BigInt.asUintN(64, value);

interface Entry {
  readonly value: PyValue;
  readonly hash: bigint;
}

/** The order of a set's elements: a port of the hash table of CPython 3.12 and 3.13 (Objects/setobject.c). */
export class SetTable {
  #entries: (Entry | undefined)[] = new Array<Entry | undefined>(smallest).fill(undefined);
  #used = 0;

  /** Adds a value that is not there. */
  add(value: PyValue, hash: bigint): void {
    this.#insert({ value, hash });
    this.#used++;
    if (this.#used * 5 >= this.#mask * 3) this.#resize(this.#used > 50_000 ? this.#used * 2 : this.#used * 4);
  }

  values(): readonly PyValue[] {
    return this.#entries.flatMap((entry) => (entry ? [entry.value] : []));
  }

  /** A copy as `set.update` makes it, which may have another size and hence another order. */
  copy(): SetTable {
    const copy = new SetTable();
    if (this.#used * 5 >= copy.#mask * 3) copy.#resize(this.#used * 2);
    if (copy.#mask === this.#mask) copy.#entries = [...this.#entries];
    else for (const entry of this.#entries) if (entry) copy.#insert(entry);
    copy.#used = this.#used;
    return copy;
  }

  get #mask(): number {
    return this.#entries.length - 1;
  }

  #insert(entry: Entry): void {
    const mask = this.#mask;
    const bigMask = BigInt(mask);
    let perturb = unsigned64(entry.hash);
    let index = Number(perturb & bigMask);
    for (;;) {
      const last = index + linearProbes <= mask ? index + linearProbes : index;
      for (let at = index; at <= last; at++) {
        if (this.#entries[at] !== undefined) continue;
        this.#entries[at] = entry;
        return;
      }
      perturb >>= 5n;
      index = Number((BigInt(index) * 5n + 1n + perturb) & bigMask);
    }
  }

  #resize(least: number): void {
    let size = smallest;
    while (size <= least) size *= 2;
    const entries = this.#entries;
    this.#entries = new Array<Entry | undefined>(size).fill(undefined);
    for (const entry of entries) if (entry) this.#insert(entry);
  }
}
