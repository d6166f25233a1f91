import { describe, expect, it } from 'vitest';
import { FlowRuntime } from '#main/engine/flow-runtime.ts';
import { either, flowOf, quietContext, run, work } from '#main/engine/testing/flows.ts';
import { failureFrom, outputOf } from '#main/engine/testing/run-to-end.ts';
import type { Json } from '#shared/json.ts';
import type { RunEvent } from '#shared/run/event.ts';

const one = (source: string) => flowOf([work('A', 'Z', run(source))]);
/** What a body returns for an input. */
const result = (source: string, input: Json = {}) => outputOf(one(source), input);
/** What a second body finds after a first one has done what it could to leave something behind. */
const afterwards = (leave: string, look: string) =>
  outputOf(flowOf([work('A', 'B', run(`(a) => { try { ${leave} } catch {} return a; }`)), work('B', 'Z', run(look))]), {});
const failure = (source: string, input: Json = {}) => failureFrom(result(source, input));

describe('a sandboxed body', () => {
  it('gets its input and gives its result as JSON', async () => {
    expect(
      await result('({ n, list }) => ({ n: n + 1, list: [...list, "ä😀"], at: new Date(0), gone: undefined })', { n: 1, list: ['x'] }),
    ).toEqual({
      n: 2,
      list: ['x', 'ä😀'],
      at: '1970-01-01T00:00:00.000Z',
    });
  });

  it.each([
    ['NaN', '() => ({ a: { "x/y": [1, 0 / 0] } })', '/a/x~1y/1'],
    ['-Infinity', 'async () => -1 / 0', ''],
    ['undefined', '() => ({ list: [1, undefined] })', '/list/1'],
    ['undefined', '() => ({ list: [, 1] })', '/list/0'],
    ['a function', '() => ({ list: [{ call() {} }] })', '/list/0/call'],
    ['a bigint', '() => [10n]', '/0'],
    ['a Map', '() => ({ found: new Map([[1, 2]]) })', '/found'],
    ['a Set', 'async () => ({ found: new Set([1]) })', '/found'],
    ['a Promise', '() => ({ later: Promise.resolve(1) })', '/later'],
    ['a Error', '() => ({ wrong: new RangeError("lost") })', '/wrong'],
    ['a TypedArray', '() => ({ bytes: new Uint8Array(3) })', '/bytes'],
    ['a value that contains itself', '() => { const a = {}; a.a = a; return a; }', ''],
  ])('is refused, with the place, when it returns %s, which JSON would lose', async (what, source, path) => {
    const error = await failure(source);
    expect(error).toMatchObject({ variant: 'SerializeError', node: 'A', details: { schema: 'Z', path, keyword: 'json' } });
    expect(error.message).toContain(what);
  });

  it('may return null, write with JSON what it keeps to itself, and give values a form of their own', async () => {
    const source = `() => {
      class Money { constructor(cents) { this.cents = cents; } toJSON() { return this.cents / 100; } }
      const text = JSON.stringify({ call() {}, map: new Map([[1, 2]]), list: [undefined, 0 / 0] });
      return { none: null, word: 'null', text, sum: new Money(250), pattern: String(/a/), list: [new Money(100), null] };
    }`;
    const text = '{"map":{},"list":[null,null]}';
    expect(await result(source)).toEqual({ none: null, word: 'null', text, sum: 2.5, pattern: '/a/', list: [1, null] });
  });

  it('may be TypeScript, asynchronous, or a function expression', async () => {
    expect(
      await result('async function step<T extends { n: number }>(a: T): Promise<number> { await null; return a.n as number; }', { n: 3 }),
    ).toBe(3);
  });

  it('sees a fixed clock and seeded random numbers, and logs', async () => {
    const events: RunEvent[] = [];
    let time = 1_000;
    const ctx = quietContext({ clock: { now: () => (time += 7) }, onEvent: (event) => events.push(event) });
    const source = `async (a, ctx) => {
      const first = Date.now();
      ctx.log('n', { a: 1 }, undefined);
      await null;
      return [first === ctx.now(), first === new Date().getTime(), Date.now() === first, typeof Date(), Math.random(), ctx.random()];
    }`;
    const graph = one(source);
    const first = await FlowRuntime.new(graph, {}, { run_id: 'same' }).next(ctx);
    const again = await FlowRuntime.new(graph, {}, { run_id: 'same' }).next(ctx);
    const other = await FlowRuntime.new(graph, {}, { run_id: 'other' }).next(ctx);
    const [a, b, c] = [first, again, other].map((outcome) => (outcome.type === 'done' ? (outcome.output as Json[]) : []));
    expect(a?.slice(0, 4)).toEqual([true, true, true, 'string']);
    expect(a?.slice(4)).toEqual(b?.slice(4));
    expect(a?.slice(4)).not.toEqual(c?.slice(4));
    expect(a?.[4]).not.toBe(a?.[5]);
    expect(events.find(({ type }) => type === 'log')).toMatchObject({ values: ['n', { a: 1 }, null] });
  });

  it('lets errors and objects have fields by the names of frozen ones', async () => {
    const source = `() => {
      class Wrong extends Error { constructor(message) { super(message); this.name = 'Wrong'; } }
      const o = {}; o.toString = () => 'mine'; o.valueOf = 1;
      const e = new TypeError('x'); e.message = 'y';
      return [String(new Wrong('m')), String(o), o.valueOf, e.message, Object.keys(o)];
    }`;
    expect(await result(source)).toEqual(['Wrong: m', 'mine', 1, 'y', ['toString', 'valueOf']]);
  });

  it.each([
    ['process', 'typeof process'],
    ['require', 'typeof require'],
    ['fetch', 'typeof fetch'],
    ['a timer', 'typeof setTimeout'],
    ['WebAssembly', 'typeof WebAssembly'],
    ['shared memory', 'typeof SharedArrayBuffer'],
    ['weak references', 'typeof WeakRef + typeof FinalizationRegistry'],
    ['the console', 'typeof console'],
    ['the host by way of a constructor', 'typeof (() => {}).constructor("return this")().process'],
    ['the host by way of eval', '(0, eval)("typeof process")'],
  ])('finds no %s', async (_name, look) => {
    expect(await result(`() => ${look}`)).toMatch(/^(undefined)+$/);
  });

  it.each([
    ['a global', 'globalThis.leak = 1', 'typeof globalThis.leak'],
    ['a global by sloppy code', '(0, eval)("leak = 1")', 'typeof leak'],
    ['a variable of an indirect eval', '(0, eval)("var leak = 1")', 'typeof leak'],
    ['a constant of an indirect eval', '(0, eval)("const leak = 1")', 'typeof leak'],
    ['a field of Array.prototype', 'Array.prototype.leak = 1', 'typeof [].leak'],
    ['a field of Object.prototype', 'Object.prototype.leak = 1', 'typeof ({}).leak'],
    ['another toString', 'Object.prototype.toString = () => "leak"', 'String({}) === "leak" ? "leak" : "undefined"'],
    ['a field by defineProperty', 'Object.defineProperty(Object.prototype, "leak", { value: 1 })', 'typeof ({}).leak'],
    ['another JSON.stringify', 'JSON.stringify = () => "1"', 'typeof JSON.leak'],
    ['a field of JSON', 'JSON.leak = 1', 'typeof JSON.leak'],
    ['a field of Math', 'Math.leak = 1', 'typeof Math.leak'],
    ['another Math.random', 'Math.random = () => 7', 'Math.random() === 7 ? "leak" : "undefined"'],
    ['another Date.now', 'Date.now = () => 7', 'Date.now() === 7 ? "leak" : "undefined"'],
    ['a field of the real Date', 'new Date().constructor.leak = 1', 'typeof Date.leak'],
    ['a field of a function', 'Array.from.leak = 1', 'typeof Array.from.leak'],
    ['a field of Error', 'Error.leak = 1', 'typeof Error.leak'],
    ['a stack handler', 'Error.prepareStackTrace = () => "leak"', 'new Error("x").stack === "leak" ? "leak" : "undefined"'],
    ['a stack limit', 'Error.stackTraceLimit = 0', 'new Error("x").stack === "" ? "leak" : "undefined"'],
    ['a field of an iterator', 'Object.getPrototypeOf([].values()).leak = 1', 'typeof [].values().leak'],
    ['a field of the common iterator', 'Iterator.prototype.leak = 1', 'typeof [].values().leak'],
    [
      'a toStringTag of iterators',
      'Iterator.prototype[Symbol.toStringTag] = "leak"',
      '[].values().map((x) => x)[Symbol.toStringTag] === "leak" ? "leak" : "undefined"',
    ],
    ['a field of an iterator helper', 'Object.getPrototypeOf([].values().map((x) => x)).leak = 1', 'typeof [].values().map((x) => x).leak'],
    [
      'a field of wrapped iterators',
      'Object.getPrototypeOf(Iterator.from({ next() {} })).leak = 1',
      'typeof Iterator.from({ next() {} }).leak',
    ],
    [
      'a field of generators',
      'Object.getPrototypeOf((function* () {})()).constructor.prototype; Object.getPrototypeOf(function* () {}).leak = 1',
      'typeof (function* () {}).leak',
    ],
    [
      'a field of generator objects',
      'Object.getPrototypeOf(Object.getPrototypeOf((function* () {})())).leak = 1',
      'typeof (function* () {})().leak',
    ],
    ['a field of asynchronous functions', 'Object.getPrototypeOf(async () => {}).leak = 1', 'typeof (async () => {}).leak'],
    [
      'a field of asynchronous generators',
      'Object.getPrototypeOf(Object.getPrototypeOf((async function* () {})())).leak = 1',
      'typeof (async function* () {})().leak',
    ],
    ['a field of matches', 'Object.getPrototypeOf("a".matchAll(/a/g)).leak = 1', 'typeof "a".matchAll(/a/g).leak'],
    ['a field of ctx', 'arguments[1].leak = 1', 'typeof arguments[1].leak'],
    ['a field of typed arrays', 'Object.getPrototypeOf(Int8Array).leak = 1', 'typeof Int16Array.leak'],
    ['a field of symbols', 'Symbol.for("x").constructor.leak = 1', 'typeof Symbol.leak'],
    ['a field of regular expressions', 'RegExp.prototype.leak = 1', 'typeof /x/.leak'],
    ['the position of a pattern', '/a/g.test("aa")', '/a/g.lastIndex === 0 ? "undefined" : "leak"'],
    ['a capture of a pattern', '/(leak)/.exec("leak")', 'typeof RegExp.$1'],
    ['a field of a template', '((t) => { t.leak = 1 })`x`', '((t) => typeof t.leak)`x`'],
  ])('leaves nothing behind by %s', async (_name, leave, look) => {
    const functions = [`function (a) { return ${look}; }`];
    expect(await afterwards(leave, functions[0] as string)).toMatch(/undefined/);
  });

  it('keeps nothing in its own function, nor in a class of it', async () => {
    const source = `function f(x) {
      class Counter { static count = 0; }
      f.n = (f.n ?? 0) + 1; Counter.count += 1;
      return { round: x.round + 1, n: f.n, count: Counter.count };
    }`;
    const graph = flowOf([work('A', 'B', run(source)), either('B', ['A', 'Z'], run('(x) => (x.round < 3 ? { left: x } : { right: x })'))]);
    expect(await outputOf(graph, { round: 0 })).toEqual({ round: 3, n: 1, count: 1 });
  });

  it('runs what it left open to its end within its own step', async () => {
    const leave = `(a) => { let n = 0; const tick = () => { n += 1; if (n < 100) Promise.resolve().then(tick); }; tick(); return { a }; }`;
    expect(await outputOf(flowOf([work('A', 'B', run(leave)), work('B', 'Z', run('(b) => b'))]), 1)).toEqual({ a: 1 });
  });

  it.each([
    ['throws', '(a) => { a.n = 99; throw new Error("printer on fire"); }', 'printer on fire'],
    ['throws a text', '() => { throw "just text"; }', 'just text'],
    ['throws what cannot be shown', '() => { throw { get message() { throw 1; }, toJSON() { throw 2; } }; }', 'cannot be shown'],
    ['rejects', 'async () => { await null; throw new RangeError("later"); }', 'RangeError: later'],
    ['imports', 'async () => Object.keys(await import("node:fs"))', 'node:fs'],
    ['suspends', '(a, ctx) => ctx.suspend({})', 'suspend node'],
    ['waits for nothing', '() => new Promise(() => {})', 'nothing will settle'],
    ['writes to a frozen global', '() => { Math.PI = 3; }', 'read-only'],
    ['uses an undeclared variable', '() => { leak = 1; }', 'leak'],
    ['recurses without end', '() => { const f = () => f() + 1; return f(); }', 'stack'],
    ['recurses without end in native code', '() => { let s = "["; for (let i = 0; i < 22; i += 1) s += s; return JSON.parse(s); }', ''],
    ['calls a tool that it does not name', '(a, ctx) => ctx.tools.read_file({ path: "x" })', 'not a function'],
  ])('fails its step when it %s', async (_name, source, message) => {
    const runtime = FlowRuntime.new(one(source), { n: 1 });
    const error = await failureFrom(runtime.next(quietContext()));
    expect(error).toMatchObject({ variant: 'HandlerError', node: 'A' });
    expect(error.message.toLowerCase()).toContain(message.toLowerCase());
    expect(runtime.snapshot().states).toEqual([{ name: 'A', value: { n: 1 } }]);
  });

  it('is given 64 MiB, and the run can go on in a new machine after more', async () => {
    const hungry = flowOf([either('A', ['Z', 'A'], run('(a) => { const all = []; for (;;) all.push(new Uint8Array(1 << 20)); }'))]);
    const runtime = FlowRuntime.new(hungry, {});
    expect(await failureFrom(runtime.next(quietContext()))).toMatchObject({
      variant: 'HandlerError',
      message: expect.stringContaining('memory'),
    });
    expect(await failureFrom(runtime.next(quietContext()))).toMatchObject({ variant: 'HandlerError' });
    expect(await result('() => 1')).toBe(1);
  });

  it('stops in the middle of a loop when another thread says so', async () => {
    const ctx = quietContext({ stopRequested: () => true });
    expect(await failureFrom(FlowRuntime.new(one('() => { for (;;) {} }'), {}).next(ctx))).toMatchObject({ variant: 'Cancelled' });
  });

  it('writes at most 1,000 lines to the log in a step', async () => {
    const source = (lines: number) => `(a, ctx) => { for (let i = 0; i < ${lines}; i += 1) try { ctx.log(i); } catch {} return 1; }`;
    expect(await result(source(1000))).toBe(1);
    expect(await failure(source(1001))).toMatchObject({ variant: 'SerializeError' });
  });
});
