/**
 * A program that runs before the guest program, while nothing is frozen yet: it bounds built-in functions that go through what only claims to
 * be long. QuickJS asks whether to go on at every call and at every turn of a loop of the body, and not inside a function of its own: on a list
 * with holes (\`new Array(2 ** 32 - 1)\`), or on \`{length: 2 ** 53 - 1}\`, such a function would compute for hours, past every limit and past Stop.
 * What the memory of the machine can hold is never refused. It is written for QuickJS, as text: it never runs in Node.
 */
export const boundedBuiltins = `(function () {
  'use strict';
  const { getOwnPropertyDescriptor, getPrototypeOf, defineProperty } = Object;
  const { apply, construct } = Reflect;
  const { isArray } = Array;
  const SystemProxy = Proxy;
  const { revocable } = Proxy;
  const add = WeakSet.prototype.add;
  const has = WeakSet.prototype.has;
  const { indexOf } = String.prototype;
  const TypedArray = getPrototypeOf(Uint8Array);

  /** More entries than the machine has memory for. */
  const mostEntries = 2 ** 23;
  /** Signs that may be compared to find one text in another: a second or two. */
  const mostComparisons = 2 ** 33;
  /** Signs of texts that are sorted: more than memory holds, unless many are one and the same text. */
  const mostSorted = 2 ** 28;
  /** Marks that may follow one letter; they are put in order by comparing each with each. */
  const mostMarks = 10_000;

  /** Whoever is asked twice may answer twice: what a proxy says of its length is not to be relied on. */
  const proxies = new WeakSet();
  let anyProxy = false;
  const noted = (proxy) => {
    anyProxy = true;
    apply(add, proxies, [proxy]);
    return proxy;
  };
  const BoundedProxy = function Proxy(target, handler) {
    if (new.target === undefined) throw new TypeError("Constructor Proxy requires 'new'");
    return noted(construct(SystemProxy, [target, handler]));
  };
  defineProperty(BoundedProxy, 'length', { value: 2 });
  defineProperty(BoundedProxy, 'revocable', {
    value: (target, handler) => {
      const made = apply(revocable, SystemProxy, [target, handler]);
      noted(made.proxy);
      return made;
    },
    writable: true,
    configurable: true,
  });
  BoundedProxy.prototype = undefined;
  defineProperty(globalThis, 'Proxy', { value: BoundedProxy });

  const refuse = (name) => {
    throw new RangeError(name + ' would go through more entries than there can be');
  };
  const isObject = (value) => (typeof value === 'object' || typeof value === 'function') && value !== null;
  /** Refuses what has a length that memory cannot hold, or one that is computed when it is asked for. */
  const check = (name, list) => {
    if (!isObject(list)) return;
    for (let place = list; place !== null; place = getPrototypeOf(place)) {
      if (apply(has, proxies, [place])) return refuse(name);
      const property = getOwnPropertyDescriptor(place, 'length');
      if (property === undefined) continue;
      // That of typed arrays is computed, by the machine itself, from memory that is there.
      if (place === TypedArray.prototype) return;
      const { value } = property;
      if (!('value' in property) || isObject(value) || !(value === undefined || Number(value) <= mostEntries || Number.isNaN(Number(value)))) refuse(name);
      return;
    }
  };

  const replace = (holder, name, make) => {
    const property = getOwnPropertyDescriptor(holder, name);
    if (property === undefined) return;
    const native = property.value;
    const made = make(native, typeof name === 'symbol' ? name.description : name);
    defineProperty(made, 'name', { value: native.name });
    defineProperty(made, 'length', { value: native.length });
    defineProperty(holder, name, { ...property, value: made });
  };
  const bounded = (native, name) =>
    ({
      method() {
        if (anyProxy || !isArray(this) || this.length > mostEntries) check(name, this);
        return apply(native, this, arguments);
      },
    }).method;
  const goingThrough = ['copyWithin', 'every', 'fill', 'filter', 'find', 'findIndex', 'findLast', 'findLastIndex', 'forEach', 'join', 'map', 'reduce',
    'reduceRight', 'reverse', 'shift', 'slice', 'some', 'splice', 'toLocaleString', 'toReversed', 'toSpliced', 'unshift', 'with'];
  for (const name of goingThrough) replace(Array.prototype, name, bounded);
  /** Refuses a comparison of one long text with very many. */
  const checkText = (name, list, wanted) => {
    if (wanted.length * list.length > mostComparisons) refuse(name);
  };
  for (const name of ['includes', 'indexOf', 'lastIndexOf']) {
    replace(Array.prototype, name, (native) => ({
      method(wanted) {
        if (anyProxy || !isArray(this) || this.length > mostEntries) check(name, this);
        if (typeof wanted === 'string') checkText(name, this, wanted);
        return apply(native, this, arguments);
      },
    }).method);
  }
  for (const name of ['sort', 'toSorted']) {
    replace(Array.prototype, name, (native) => ({
      method(compare) {
        if (anyProxy || !isArray(this) || this.length > mostEntries) check(name, this);
        if (compare === undefined && this.length > 100) {
          let signs = 0;
          for (let index = 0; index < this.length; index += 1) {
            const item = this[index];
            if (typeof item === 'string' && (signs += item.length) > mostSorted) refuse(name);
          }
        }
        return apply(native, this, arguments);
      },
    }).method);
  }
  const spreadable = Symbol.isConcatSpreadable;
  replace(Array.prototype, 'concat', (native) => ({
    method(...given) {
      check('concat', this);
      for (const part of given) {
        if (!isObject(part)) continue;
        // A list that says itself whether it is one may say it while it changes another.
        if (spreadable in part) refuse('concat');
        if (isArray(part)) check('concat', part);
      }
      return apply(native, this, given);
    },
  }).method);
  const flattened = (into, list, depth) => {
    check('flat', list);
    for (let index = 0; index < list.length; index += 1) {
      if (!(index in list)) continue;
      const item = list[index];
      if (depth > 0 && isArray(item)) flattened(into, item, depth - 1);
      else into[into.length] = item;
    }
    return into;
  };
  const map = Array.prototype.map;
  replace(Array.prototype, 'flat', () => ({
    method(depth = 1) {
      return flattened([], Object(this), Math.trunc(Number(depth)) || 0);
    },
  }).method);
  replace(Array.prototype, 'flatMap', () => ({
    method(callback, self) {
      return flattened([], apply(map, this, [callback, self]), 1);
    },
  }).method);

  for (const name of ['indexOf', 'lastIndexOf', 'includes', 'split', 'replace', 'replaceAll']) {
    replace(String.prototype, name, (native) => ({
      method(wanted) {
        if (typeof wanted === 'string' && typeof this === 'string' && wanted.length > 1 && this.length * wanted.length > mostComparisons) {
          throw new RangeError(name + ' would compare too much: ' + wanted.length + ' signs in ' + this.length);
        }
        return apply(native, this, arguments);
      },
    }).method);
  }
  const { test } = RegExp.prototype;
  const manyMarks = new RegExp('\\\\p{Mark}{' + mostMarks + '}', 'u');
  replace(String.prototype, 'normalize', (native) => ({
    method(...given) {
      if (this.length > mostMarks && apply(test, manyMarks, [this])) refuse('normalize');
      return apply(native, this, given);
    },
  }).method);
  replace(String, 'raw', (native) => ({
    method(strings, ...given) {
      check('raw', strings);
      check('raw', Object(strings).raw);
      return apply(native, this, [strings, ...given]);
    },
  }).method);
  if (typeof Iterator === 'function') {
    replace(Iterator.prototype, 'drop', (native) => ({
      method(count) {
        if (Number(count) > mostEntries) refuse('drop');
        return apply(native, this, [count]);
      },
    }).method);
  }
})()`;
