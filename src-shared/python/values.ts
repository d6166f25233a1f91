import type { PyDict } from './dict.ts';
import type { PySet } from './set.ts';

/** `[…]`. */
export class PyList {
  readonly type = 'list';
  readonly items: PyValue[];
  constructor(items: PyValue[]) {
    this.items = items;
  }
}

/** `(…)`. */
export class PyTuple {
  readonly type = 'tuple';
  readonly items: readonly PyValue[];
  constructor(items: readonly PyValue[]) {
    this.items = items;
  }
}

/** `b'…'`. */
export class PyBytes {
  readonly type = 'bytes';
  readonly bytes: Uint8Array;
  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }
}

/** `1j`. `inexact` marks results of `**`, whose last bits depend on the C library. */
export class PyComplex {
  readonly type = 'complex';
  readonly real: number;
  readonly imag: number;
  readonly inexact: boolean;
  constructor(real: number, imag: number, inexact = false) {
    this.real = real;
    this.imag = imag;
    this.inexact = inexact;
  }
}

/** `a:b:c` in a subscript. */
export class PySlice {
  readonly type = 'slice';
  readonly start: PyValue;
  readonly stop: PyValue;
  readonly step: PyValue;
  constructor(start: PyValue, stop: PyValue, step: PyValue) {
    this.start = start;
    this.stop = stop;
    this.step = step;
  }
}

/** `...`. */
export class PyEllipsis {
  readonly type = 'ellipsis';
}

/** The only `...`. */
export const ellipsis = new PyEllipsis();

/** Returns the next value, or `undefined` at the end. */
export type PyNext = () => PyValue | undefined;

/** A generator expression in progress. */
export class PyGenerator {
  readonly type = 'generator';
  readonly next: PyNext;
  constructor(next: PyNext) {
    this.next = next;
  }
}

/** `d.keys()`, `d.values()`, `d.items()`. */
export class PyDictView {
  readonly type: 'dict_keys' | 'dict_values' | 'dict_items';
  readonly dict: PyDict;
  readonly kind: 'keys' | 'values' | 'items';
  constructor(dict: PyDict, kind: 'keys' | 'values' | 'items') {
    this.type = `dict_${kind}`;
    this.dict = dict;
    this.kind = kind;
  }
}

/** Keyword arguments in the order of the call. */
export type PyKeywords = ReadonlyMap<string, PyValue>;

/** Everything callable. */
export class PyCallable {
  readonly type: 'function' | 'builtin_function_or_method' | 'method_descriptor' | 'type';
  readonly name: string;
  readonly call: (args: PyValue[], keywords?: PyKeywords) => PyValue;
  /** Of a bound method, for `is` and `==`. */
  readonly self: PyValue | undefined;
  /** Of an unbound method: the type that it belongs to. */
  readonly owner: string | undefined;

  constructor(
    type: PyCallable['type'],
    name: string,
    call: (args: PyValue[], keywords?: PyKeywords) => PyValue,
    { self, owner }: { self?: PyValue; owner?: string } = {},
  ) {
    this.type = type;
    this.name = name;
    this.call = call;
    this.self = self;
    this.owner = owner;
  }
}

/** A Python value; `type` of an object is the name of its Python type. `int` is a bigint, `float` a number, `None` null; a text never holds lone surrogates. */
export type PyValue =
  | null
  | boolean
  | bigint
  | number
  | string
  | PyList
  | PyTuple
  | PyDict
  | PySet
  | PyBytes
  | PyComplex
  | PySlice
  | PyEllipsis
  | PyGenerator
  | PyDictView
  | PyCallable;
