/**
 * The program that runs first in every virtual machine, before anything of a flow. It answers with the functions through which the
 * host calls bodies, and leaves all that a body can reach frozen, so that no body can keep anything for the next step.
 * It is written for QuickJS, as text: it never runs in Node.
 */
export const guestProgram = `(function (hostLog, hostCall, hostNow, hostSeed) {
  'use strict';
  const { parse, stringify } = JSON;
  const { freeze, defineProperty, getOwnPropertyDescriptor, getPrototypeOf, keys } = Object;
  const { isArray } = Array;
  const { includes, replaceAll } = String.prototype;
  const { ownKeys, apply, construct } = Reflect;
  const imul = Math.imul;
  const SystemDate = Date;
  const SystemError = Error;
  const SystemPromise = Promise;
  const then = Promise.prototype.then;
  const resolved = (value) => apply(SystemPromise.resolve, SystemPromise, [value]);

  /** The current step. Bodies cannot reach it. */
  const freshStep = () => ({ now: undefined, random: undefined, calls: undefined, failures: undefined, outcome: '' });
  let current = freshStep();
  /** Whether the step has used what it has of its own: most take a value and give one. */
  let used = false;

  const randomFrom = (seed) => {
    let state = seed >>> 0;
    return () => {
      state = (state + 0x6d2b79f5) >>> 0;
      let mixed = imul(state ^ (state >>> 15), state | 1);
      mixed ^= mixed + imul(mixed ^ (mixed >>> 7), mixed | 61);
      return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x100000000;
    };
  };

  const now = () => {
    used = true;
    current.now ??= hostNow();
    return current.now;
  };
  const random = () => {
    used = true;
    current.random ??= randomFrom(hostSeed());
    return current.random();
  };

  const FlowDate = function Date(...parts) {
    if (new.target === undefined) return apply(SystemDate.prototype.toString, new SystemDate(now()), []);
    return construct(SystemDate, parts.length === 0 ? [now()] : parts, new.target);
  };
  for (const key of ['parse', 'UTC']) defineProperty(FlowDate, key, getOwnPropertyDescriptor(SystemDate, key));
  defineProperty(FlowDate, 'now', { value: () => now(), writable: true, configurable: true });
  defineProperty(FlowDate, 'length', { value: 7 });
  FlowDate.prototype = SystemDate.prototype;
  defineProperty(SystemDate.prototype, 'constructor', { value: FlowDate });
  defineProperty(globalThis, 'Date', { value: FlowDate });
  defineProperty(Math, 'random', { value: () => random() });
  // When garbage is collected is nothing that a step may depend on.
  for (const name of ['WeakRef', 'FinalizationRegistry', 'SharedArrayBuffer', 'Atomics', 'performance']) delete globalThis[name];

  /** Gives a prototype a field that objects may have of their own, as they could if it were not frozen. */
  const defineOwnable = (prototype, key, value, enumerable) => {
    defineProperty(prototype, key, {
      get() {
        return value;
      },
      set(own) {
        if (this === prototype) throw new TypeError('The built-in objects are frozen.');
        defineProperty(this, key, { value: own, writable: true, enumerable: true, configurable: true });
      },
      enumerable,
    });
  };
  /** Lets objects have fields of their own by names that a frozen prototype has (error.name = …). */
  const allowOwn = (prototype) => {
    for (const key of ownKeys(prototype)) {
      const { value, enumerable, configurable } = getOwnPropertyDescriptor(prototype, key);
      if (configurable && value !== undefined) defineOwnable(prototype, key, value, enumerable);
    }
  };
  const errors = [Error, EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError, AggregateError];
  for (const kind of errors) allowOwn(kind.prototype);
  allowOwn(Object.prototype);

  /** True while a value is written that leaves the machine: what JSON would empty or leave out without a word is refused then. */
  let leaving = false;
  class Unwritable {
    constructor(message) {
      this.message = message;
    }
  }
  const TypedArray = getPrototypeOf(Uint8Array);
  for (const kind of [Function, Map, Set, WeakMap, WeakSet, Promise, RegExp, Error, ArrayBuffer, DataView, TypedArray]) {
    const what = kind === Function ? 'a function, which JSON cannot carry' : 'a ' + kind.name + ', which is not plain data';
    const toJSON = function () {
      if (leaving) throw new Unwritable(what);
      return this;
    };
    defineOwnable(kind.prototype, 'toJSON', toJSON, false);
  }

  const harden = (roots) => {
    const seen = new Set();
    const pending = roots;
    while (pending.length > 0) {
      const object = pending.pop();
      if ((typeof object !== 'object' && typeof object !== 'function') || object === null || seen.has(object)) continue;
      seen.add(object);
      freeze(object);
      pending.push(getPrototypeOf(object));
      for (const key of ownKeys(object)) {
        const property = getOwnPropertyDescriptor(object, key);
        pending.push(property.value, property.get, property.set);
      }
    }
  };
  const iterators = [[][Symbol.iterator](), ''[Symbol.iterator](), new Map().entries(), new Set().values(), /a/[Symbol.matchAll]('')];
  if (typeof Iterator === 'function') {
    iterators.push([].values().map((value) => value), Iterator.from({ next: () => ({ done: true }) }));
    if (typeof Iterator.concat === 'function') iterators.push(Iterator.concat([]));
  }
  const functions = [function () {}, async function () {}, function* () {}, async function* () {}, (() => {}), async () => {}];
  const generators = [(function* () {})(), (async function* () {})()];
  const argumentLists = [(function () { return arguments; })(), Function('return arguments')()];
  harden([globalThis, ...iterators, ...functions, ...generators, ...argumentLists, new Proxy({}, {})]);

  const errorText = (step, error) => {
    try {
      if (!(error instanceof SystemError)) {
        return 'e' + stringify({ message: typeof error === 'string' ? error : (stringify(error) ?? String(error)) });
      }
      const { name, message, stack, retryable } = error;
      return 'e' + stringify({
        name: String(name),
        message: String(message),
        stack: String(stack),
        retryable: typeof retryable === 'boolean' ? retryable : undefined,
        failure: step.failures?.find((failure) => failure.error === error)?.id,
      });
    } catch {
      return 'e{"message":"something that cannot be shown was thrown"}';
    }
  };
  /** What in a value JSON cannot carry, and where (JSON Pointer). A field that is undefined is a field that is not there. */
  const impurityOf = (given, path, key, depth) => {
    let value = given;
    try {
      if (typeof value === 'object' || typeof value === 'function') value = typeof value?.toJSON === 'function' ? value.toJSON(key) : value;
    } catch (error) {
      if (error instanceof Unwritable) return { path, message: error.message };
      throw error;
    }
    if (typeof value === 'number' && !isFinite(value)) return { path, message: value + ', which JSON cannot carry' };
    if (typeof value === 'bigint' || typeof value === 'symbol') return { path, message: 'a ' + typeof value + ', which JSON cannot carry' };
    if (typeof value !== 'object' || value === null) return undefined;
    if (depth > 1000) return { path: '', message: 'more than 1,000 levels, or a value that contains itself' };
    const inside = (name) => path + '/' + apply(replaceAll, apply(replaceAll, name, ['~', '~0']), ['/', '~1']);
    if (isArray(value)) {
      for (let index = 0; index < value.length; index += 1) {
        const place = path + '/' + index;
        if (value[index] === undefined) return { path: place, message: 'undefined, which JSON cannot carry' };
        const found = impurityOf(value[index], place, index, depth + 1);
        if (found) return found;
      }
      return undefined;
    }
    for (const name of keys(value)) {
      const found = impurityOf(value[name], inside(name), name, depth + 1);
      if (found) return found;
    }
    return undefined;
  };
  /** A value as JSON text (undefined for undefined), or what in it cannot be written. Throws what code of the value throws. */
  const written = (value) => {
    leaving = true;
    try {
      const text = stringify(value);
      // JSON has null for NaN and for what is missing in a list. Only a value that may hold one is gone through.
      if (text === undefined || !apply(includes, text, ['null'])) return { text };
      return { text, impurity: impurityOf(value, '', '', 0) };
    } catch (error) {
      const impurity = impurityOf(value, '', '', 0);
      if (impurity) return { impurity };
      throw error;
    } finally {
      leaving = false;
    }
  };
  const valueText = (step, value) => {
    try {
      const { text, impurity } = written(value);
      return impurity ? 'i' + stringify(impurity) : (text ?? 'u');
    } catch (error) {
      return errorText(step, error);
    }
  };

  const toolOf = (name) => (input) =>
    new SystemPromise((resolve, reject) => {
      const { text, impurity } = written(input === undefined ? {} : input);
      if (impurity) throw new TypeError(name + ' cannot take this input: it holds ' + impurity.message + ' (at ' + (impurity.path || 'its top') + ')');
      used = true;
      current.calls ??= [];
      const id = current.calls.length;
      current.calls.push({ resolve, reject });
      hostCall(id, name, text ?? 'null');
    });
  const log = freeze((...values) => {
    hostLog(stringify(values));
  });
  freeze(now);
  freeze(random);

  return {
    /**
     * The object that bodies of a node get as their last argument, in all of its steps: it is frozen, and what it does is for the step
     * under way.
     */
    contextOf(node, toolNames) {
      const tools = {};
      for (const name of parse(toolNames)) defineProperty(tools, name, { value: freeze(toolOf(name)), enumerable: true });
      const suspend = () => {
        throw new SystemError('A handler cannot suspend. To wait for a person at ' + node + ', use a suspend node, an agent with ask_user, or a tool body.');
      };
      return freeze({ node, now, random, log, suspend: freeze(suspend), tools: freeze(tools) });
    },
    /**
     * What runs a body, created by its factory for each step: its result as JSON, 'u' for undefined, 'i' and what in it JSON cannot carry, 'e' and
     * a described error, or 'p' while a promise is open. The text is the list of its arguments save the last, which is the context.
     */
    bodyOf: (factory, context) => (text) => {
      const given = parse(text);
      if (used) {
        current = freshStep();
        used = false;
      }
      const step = current;
      try {
        const body = factory();
        const result = given.length === 1 ? body(given[0], context) : body(...given, context);
        if ((typeof result !== 'object' && typeof result !== 'function') || result === null || typeof result.then !== 'function') {
          return valueText(step, result);
        }
        used = true;
        const settle = (read) => (value) => {
          step.outcome = read(step, value);
        };
        apply(then, resolved(result), [settle(valueText), settle(errorText)]);
        return 'p';
      } catch (error) {
        return errorText(step, error);
      }
    },
    /** Result of the pending promise; empty while it is pending. */
    outcome() {
      return current.outcome;
    },
    /** Gives a tool's result to the body that waits for it. */
    settle(id, ok, text) {
      const { resolve, reject } = current.calls[id];
      if (ok) {
        resolve(parse(text));
        return;
      }
      const { message, variant, code } = parse(text);
      const error = new SystemError(message);
      error.name = 'ToolError';
      error.variant = variant;
      error.code = code;
      current.failures ??= [];
      current.failures.push({ id, error });
      reject(error);
    },
  };
})`;
