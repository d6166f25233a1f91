import { countBytes } from './budget.ts';
import { unsupported } from './errors.ts';
import { type Key, keyOf } from './hash.ts';
import { orderHash } from './order-hash.ts';
import { SetTable } from './set-table.ts';
import type { PyValue } from './values.ts';

/** `{a, b}`. */
export class PySet {
  readonly type = 'set';
  readonly #values = new Map<Key, PyValue>();
  /** CPython's order; nothing once an element's hash is random or unknown. */
  #table: SetTable | undefined = new SetTable();

  get size(): number {
    return this.#values.size;
  }

  has(value: PyValue): boolean {
    return this.#values.has(keyOf(value));
  }

  add(value: PyValue): void {
    const key = keyOf(value);
    if (this.#values.has(key)) return;
    countBytes(80);
    this.#values.set(key, value);
    const hash = this.#table && orderHash(value);
    if (hash === undefined) this.#table = undefined;
    else this.#table?.add(value, hash);
  }

  /** Removes the value; false if it was not there. */
  delete(value: PyValue): boolean {
    const key = keyOf(value);
    const found = this.#values.get(key);
    if (found === undefined) return false;
    this.#values.delete(key);
    this.#table = undefined;
    return true;
  }

  clear(): void {
    this.#values.clear();
    this.#table = new SetTable();
  }

  /** From now on the order is not known. */
  forgetOrder(): void {
    this.#table = undefined;
  }

  /** False when the order is random. */
  get hasOrder(): boolean {
    return this.size < 2 || this.#table !== undefined;
  }

  /** The elements in any order, for results that do not depend on it. */
  unordered(): IteratorObject<PyValue> {
    return this.#values.values();
  }

  /** The elements in CPython's order. Throws `PythonStop` when that order is random, as with texts. */
  ordered(): readonly PyValue[] {
    if (this.size < 2) return [...this.#values.values()];
    if (!this.#table) throw unsupported('a set in its order');
    return this.#table.values();
  }

  /** A new set with the same elements. */
  copy(): PySet {
    const copy = new PySet();
    countBytes(80 * this.size);
    for (const [key, value] of this.#values) copy.#values.set(key, value);
    copy.#table = this.#table?.copy();
    return copy;
  }
}
