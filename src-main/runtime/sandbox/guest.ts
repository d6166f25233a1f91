/**
 * The program that runs first in every virtual machine, before anything of a flow. It answers with the functions through which the
 * host calls bodies, and leaves all that a body can reach frozen, so that no body can keep anything for the next step.
 * It is written for QuickJS, as text: it never runs in Node.
 */
export const guestProgram = `(function (hostLog, hostCall, hostNow, hostSeed) {
  'use strict';
  const { parse, stringify } = JSON;
  const { freeze, defineProperty, getOwnPropertyDescriptor, getPrototypeOf, isFrozen } = Object;
  const { ownKeys, apply, construct } = Reflect;
  const imul = Math.imul;
  const SystemDate = Date;
  const SystemError = Error;
  const SystemPromise = Promise;
  const then = Promise.prototype.then;
  const resolved = (value) => apply(SystemPromise.resolve, SystemPromise, [value]);

  /** The step under way. Bodies cannot reach it. */
  let current = { now: undefined, random: undefined };

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
    current.now ??= hostNow();
    return current.now;
  };
  const random = () => {
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

  /** Lets objects have fields of their own by names that a frozen prototype has (error.name = …), as they could if it were not frozen. */
  const allowOwn = (prototype) => {
    for (const key of ownKeys(prototype)) {
      const { value, enumerable, configurable } = getOwnPropertyDescriptor(prototype, key);
      if (!configurable || value === undefined) continue;
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
    }
  };
  const errors = [Error, EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError, AggregateError];
  for (const kind of errors) allowOwn(kind.prototype);
  allowOwn(Object.prototype);

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
  const valueText = (step, value) => {
    try {
      const text = stringify(value);
      return text === undefined ? 'u' : text;
    } catch (error) {
      return errorText(step, error);
    }
  };

  const toolOf = (name) => (input) =>
    new SystemPromise((resolve, reject) => {
      current.calls ??= [];
      const id = current.calls.length;
      current.calls.push({ resolve, reject });
      hostCall(id, name, stringify(input === undefined ? {} : input) ?? 'null');
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
        throw new SystemError('A handler cannot suspend. To wait for somebody at ' + node + ', use a suspend node, an agent with ask_user, or a tool body.');
      };
      return freeze({ node, now, random, log, suspend: freeze(suspend), tools: freeze(tools) });
    },
    /**
     * Runs a body: its result as JSON, 'u' for undefined, 'e' and a described error, or 'p' while a promise is open. The text is the list of its
     * arguments save the last.
     */
    invoke(factory, context, text) {
      const given = parse(text);
      const step = { now: undefined, random: undefined, calls: undefined, failures: undefined, outcome: '' };
      current = step;
      given.push(context);
      try {
        const result = apply(factory(), undefined, given);
        if ((typeof result !== 'object' && typeof result !== 'function') || result === null || typeof result.then !== 'function') {
          return valueText(step, result);
        }
        const settle = (read) => (value) => {
          step.outcome = read(step, value);
        };
        apply(then, resolved(result), [settle(valueText), settle(errorText)]);
        return 'p';
      } catch (error) {
        return errorText(step, error);
      }
    },
    /** What the open promise came to; empty while it is open. */
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
