import type { PyValue } from './values.ts';

const linearProbes = 9;
const smallest = 8;
const unsigned64 = (value: bigint) => BigInt.asUintN(64, value);

type Entry = { readonly value: PyValue; readonly hash: bigint } | 'removed' | undefined;

/** The order of a set's elements: a port of the hash table of CPython 3.12 and 3.13 (Objects/setobject.c). */
export class SetTable {
  #entries: Entry[] = new Array<Entry>(smallest).fill(undefined);
  #used = 0;
  #filled = 0;

  /** Adds a value that is not there. */
  add(value: PyValue, hash: bigint): void {
    this.#insert({ value, hash });
    this.#filled++;
    this.#used++;
    if (this.#filled * 5 >= this.#mask * 3) this.#resize(this.#used > 50_000 ? this.#used * 2 : this.#used * 4);
  }

  delete(value: PyValue): void {
    const index = this.#entries.findIndex((entry) => typeof entry === 'object' && entry.value === value);
    if (index < 0) return;
    this.#entries[index] = 'removed';
    this.#used--;
  }

  values(): readonly PyValue[] {
    return this.#entries.flatMap((entry) => (typeof entry === 'object' ? [entry.value] : []));
  }

  /** Adds the values of `other` for which `isNew` is true. */
  merge(other: SetTable, isNew: (value: PyValue) => boolean): void {
    if ((this.#filled + other.#used) * 5 >= this.#mask * 3) this.#resize((this.#used + other.#used) * 2);
    const copies = this.#filled === 0 && this.#mask === other.#mask && other.#filled === other.#used;
    const wasEmpty = this.#filled === 0;
    const entries = [...other.#entries];
    if (copies) this.#entries = [...entries];
    for (const entry of entries) {
      if (typeof entry !== 'object' || !isNew(entry.value) || copies) continue;
      if (wasEmpty) this.#insert(entry);
      else this.add(entry.value, entry.hash);
    }
    if (wasEmpty) this.#filled = this.#used = other.#used;
  }

  get #mask(): number {
    return this.#entries.length - 1;
  }

  #insert(entry: Entry & object): void {
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
    this.#entries = new Array<Entry>(size).fill(undefined);
    for (const entry of entries) if (typeof entry === 'object') this.#insert(entry);
    this.#filled = this.#used;
  }
}
