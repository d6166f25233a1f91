import { bindBuiltin, type Signature } from './signature.ts';
import type { PyKeywords, PyValue } from './values.ts';

/** A method of a built-in type. */
export interface Method<Self extends PyValue = PyValue> {
  /** Of the type instead of a value: `int.from_bytes`. */
  readonly isStatic?: boolean;
  readonly call: (self: Self, args: PyValue[], keywords: PyKeywords | undefined) => PyValue;
}

/** The methods of a type by name. */
export type MethodTable<Self extends PyValue = PyValue> = ReadonlyMap<string, Method<Self>>;

/** Makes the methods of one type. */
export class MethodTableBuilder<Self extends PyValue> {
  readonly #type: string;
  readonly #methods = new Map<string, Method<Self>>();

  constructor(type: string) {
    this.#type = type;
  }

  /** A method without arguments. */
  none(name: string, run: (self: Self) => PyValue): this {
    return this.#add(name, { kind: 'none' }, run);
  }

  /** A method with exactly one argument, which has no name. */
  one(name: string, run: (self: Self, value: PyValue) => PyValue): this {
    return this.#add(name, { kind: 'one' }, (self, value) => run(self, value as PyValue));
  }

  /** A method with arguments that have no names. */
  positional(name: string, min: number, max: number, run: (self: Self, ...args: (PyValue | undefined)[]) => PyValue): this {
    return this.#add(name, { kind: 'positional', min, max }, run);
  }

  /** A method whose parameters have names; `/` and `*` stand as in Python, and `=` marks those that may be left out. */
  named(name: string, parameters: string, run: (self: Self, ...args: (PyValue | undefined)[]) => PyValue): this {
    return this.#add(name, namedSignature(parameters), run);
  }

  /** A method that reads its arguments itself. */
  raw(name: string, call: Method<Self>['call'], { isStatic = false } = {}): this {
    this.#methods.set(name, { call, isStatic });
    return this;
  }

  /** The finished table. */
  build(): MethodTable<Self> {
    return this.#methods;
  }

  #add(name: string, signature: Signature, run: (self: Self, ...args: (PyValue | undefined)[]) => PyValue): this {
    const qualified = `${this.#type}.${name}`;
    return this.raw(name, (self, args, keywords) => run(self, ...bindBuiltin(qualified, signature, args, keywords)));
  }
}

/** `'a, /, b, c=, *, d='`. */
export function namedSignature(parameters: string): Signature {
  const words = parameters.split(', ');
  const names = words.filter((word) => word !== '/' && word !== '*');
  const star = words.filter((word) => word !== '/').indexOf('*');
  return {
    kind: 'named',
    names: names.map((word) => word.replace('=', '')),
    required: names.filter((word) => !word.endsWith('=')).length,
    positionalOnly: Math.max(0, words.indexOf('/')),
    most: star < 0 ? names.length : star,
  };
}
