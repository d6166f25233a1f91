import { countBytes } from './budget.ts';
import { PythonError } from './errors.ts';
import { type Key, keyOf } from './hash.ts';
import type { PyNext, PyValue } from './values.ts';

type Entry = [key: PyValue, value: PyValue];

/** `{key: value}`, in the order of insertion. */
export class PyDict {
  readonly type = 'dict';
  readonly #entries = new Map<Key, Entry>();

  /** Makes a dict of pairs, later ones winning. */
  static of(pairs: Iterable<readonly [PyValue, PyValue]>): PyDict {
    const dict = new PyDict();
    for (const [key, value] of pairs) dict.set(key, value);
    return dict;
  }

  get size(): number {
    return this.#entries.size;
  }

  get(key: PyValue): PyValue | undefined {
    return this.#entries.get(keyOf(key))?.[1];
  }

  has(key: PyValue): boolean {
    return this.#entries.has(keyOf(key));
  }

  /** An equal key stays as it was written first. */
  set(key: PyValue, value: PyValue): void {
    const at = keyOf(key);
    const entry = this.#entries.get(at);
    if (entry) entry[1] = value;
    else {
      countBytes(100);
      this.#entries.set(at, [key, value]);
    }
  }

  /** Removes the entry and returns its value; `undefined` if there was none. */
  delete(key: PyValue): PyValue | undefined {
    const at = keyOf(key);
    const value = this.#entries.get(at)?.[1];
    this.#entries.delete(at);
    return value;
  }

  clear(): void {
    this.#entries.clear();
  }

  /** The last entry. */
  last(): Entry | undefined {
    return [...this.#entries.values()].at(-1);
  }

  /** The entries, for callers that do not change the dict meanwhile. */
  entries(): Iterable<Entry> {
    return this.#entries.values();
  }

  /** Iterates as Python does, which ends with an error when the dict grows or shrinks. */
  iterate(pick: (entry: Entry) => PyValue): PyNext {
    const { size } = this;
    const entries = this.#entries.values();
    return () => {
      if (this.size !== size) throw new PythonError('RuntimeError', 'dictionary changed size during iteration');
      const { value, done } = entries.next();
      return done ? undefined : pick(value);
    };
  }
}
