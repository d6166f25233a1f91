import { expect, test } from 'vitest';
import { FlowRuntime } from '#main/engine/flow-runtime.ts';
import { expr, flowOf, quietContext, run, work } from '#main/engine/testing/flows.ts';
import { outcomeIn } from '#main/engine/testing/sandbox-outcome.ts';
import { Sandbox } from '#main/sandbox/sandbox.ts';
import type { Json } from '#shared/json.ts';
import { abuseClass } from './testing/abuse-class.ts';

/*
 * Code of a flow from anywhere runs in the sandbox: it tries to reach this process, its files, its network, its clock, the code of another
 * step. Each piece of code gives what it found; nothing but an innocent value or a failure may come out.
 */

const form = abuseClass('expression and sandbox escapes');

/** What code of a body gives, or that it failed. */
async function outcomeOf(source: string, input: Json = {}): Promise<Json> {
  const runtime = FlowRuntime.new(flowOf([work('A', 'B', run(source))]), input);
  try {
    const outcome = await runtime.next(quietContext({ secrets: new Map([['KEY', 'a-key-of-this-process']]) }));
    return outcome.type === 'done' ? outcome.output : { failed: outcome.type };
  } catch (error) {
    return { failed: (error as Error).message };
  } finally {
    runtime.dispose();
  }
}

const reaching: readonly (readonly [title: string, code: string])[] = [
  ['the process', 'typeof process'],
  ['modules', 'typeof require'],
  ['the module of this file', 'typeof module'],
  ['the network', 'typeof fetch + typeof XMLHttpRequest + typeof WebSocket'],
  ['timers', 'typeof setTimeout + typeof setImmediate'],
  ['WebAssembly', 'typeof WebAssembly'],
  ['memory shared with others', 'typeof SharedArrayBuffer + typeof Atomics'],
  ['the process by the constructor of a constructor', '({}).constructor.constructor("return typeof process")()'],
  ['the process by an asynchronous constructor', '(async () => {}).constructor("return typeof process")().then((found) => found)'],
  ['the process by a generator’s constructor', '(function* () {}).constructor("yield typeof process")().next().value'],
  ['the process by eval', '(0, eval)("typeof process")'],
  ['the process by the object of a context call', 'Object.getPrototypeOf(ctx).constructor.constructor("return typeof process")()'],
  ['the process by a function of the context', 'ctx.log.constructor("return typeof process")()'],
  [
    'the process by an error of a context call',
    '(() => { try { ctx.log(1n) } catch (e) { return e.constructor.constructor("return typeof process")() } return "undefined" })()',
  ],
  ['the global of the host', '(function () { return typeof this })()'],
  ['an interpreter’s own functions', 'typeof std + typeof os + typeof scriptArgs'],
  ['who called', '(function f() { try { return typeof f.caller } catch { return "undefined" } })()'],
];
for (const [title, code] of reaching) {
  form(title, async () => {
    const found = await outcomeOf(`async (input, ctx) => String(await (${code}))`);
    if (typeof found === 'string') expect(found).toMatch(/^(undefined|object|null)*$/);
    else expect(found).toMatchObject({ failed: expect.any(String) });
    expect(JSON.stringify(found)).not.toMatch(/a-key-of-this-process|\/work|node_modules|at file:/);
  });
}

form('loading code at run time', async () => {
  for (const name of ['node:fs', './x.js', 'data:text/javascript,1'])
    expect(await outcomeOf(`async () => await import(${JSON.stringify(name)})`)).toMatchObject({ failed: expect.any(String) });
});

form('more than one function in a body, which would run at once', async () => {
  for (const source of [
    '(() => 1)()',
    '(() => 1); while (true) {}',
    'new (class { constructor() { return () => 1 } })()',
    'async () => 1, () => 2',
  ])
    expect(await outcomeOf(source)).toMatchObject({ failed: expect.any(String) });
});

form('leaving something behind for the next step', async () => {
  const leave = run(`(input) => {
    for (const place of [Object.prototype, Array.prototype, Function.prototype, globalThis, JSON, Math])
      try { Object.defineProperty(place, 'left', { value: 'behind', configurable: true }) } catch {}
    try { Array.prototype.map = () => ['owned'] } catch {}
    try { JSON.stringify = () => '"owned"' } catch {}
    try { globalThis.Object = null } catch {}
    return { ok: true };
  }`);
  const look = run('(input) => ({ left: typeof ({}).left + typeof [].left, map: [1].map((n) => n + 1), text: JSON.stringify({ a: 1 }) })');
  const runtime = FlowRuntime.new(flowOf([work('A', 'B', leave), work('B', 'C', look)]), {});
  const context = quietContext();
  await runtime.next(context).catch(() => undefined);
  const outcome = await runtime.next(context).catch((error: unknown) => ({ type: 'failed', error }));
  if (outcome.type === 'done') {
    expect(outcome).toMatchObject({ output: { left: 'undefinedundefined', map: [2], text: '{"a":1}' } });
  }
  runtime.dispose();
});

form('prototypes of this process, polluted by the way of a result', async () => {
  const results = [
    'JSON.parse(\'{"__proto__": {"owned": 1}, "constructor": {"prototype": {"owned": 1}}}\')',
    '({ ["__proto__"]: { owned: 1 } })',
    'Object.assign(Object.create(null), { __proto__: { owned: 1 } })',
    '({ toJSON() { return { __proto__: { owned: 1 } } } })',
  ];
  for (const result of results) await outcomeOf(`() => (${result})`);
  await outcomeOf('(input) => input', JSON.parse('{"__proto__": {"owned": 1}}') as Json);
  expect(({} as { owned?: number }).owned).toBeUndefined();
  expect(Object.prototype).not.toHaveProperty('owned');
});

form('results that are no data', async () => {
  const results = [
    '() => 1',
    'Symbol("x")',
    '10n',
    'new Proxy({}, { ownKeys() { throw 1 } })',
    '(() => { const a = {}; a.a = a; return a })()',
    '"\\ud800"',
    'undefined',
  ];
  for (const result of results) expect(await outcomeOf(`() => (${result})`), result).toMatchObject({ failed: expect.any(String) });
});

/** QuickJS cannot interrupt its built-in functions: each of these would compute for hours, or until memory is full. */
const endless: readonly (readonly [title: string, code: string])[] = [
  ['joining four thousand million holes', 'new Array(2 ** 32 - 1).join("")'],
  ['searching what says that it is long', 'Array.prototype.indexOf.call({ length: 2 ** 53 - 1 }, 1)'],
  ['turning round what a proxy says is long', 'Array.prototype.reverse.call(new Proxy({ length: 2 ** 53 - 1 }, {}))'],
  ['holes inside of a list', '[[new Array(2 ** 32 - 1)]].flat(2)'],
  ['holes from a callback', '[1].flatMap(() => new Array(2 ** 32 - 1))'],
  ['holes that are put together', '[].concat(new Array(2 ** 32 - 1), [1])'],
  [
    'a part that changes another while they are put together',
    '[].concat({ get [Symbol.isConcatSpreadable]() { return true }, length: 2 ** 52 })',
  ],
  ['a list of a kind of its own', '(() => { class L extends Array {} return new L(2 ** 32 - 1).fill(1) })()'],
  ['a long text in a longer one', '"a".repeat(2 ** 24).indexOf("a".repeat(2 ** 23) + "b")'],
  [
    'one long text, sorted many times',
    '(() => { const a = "x".repeat(1e7), b = a + "y"; return Array.from({ length: 1e4 }, (_, i) => (i % 2 ? a : b)).sort() })()',
  ],
  ['marks that are put in order', '"\\u0323\\u0307".repeat(5e5).normalize()'],
  ['a template of many parts', 'String.raw({ raw: { length: 2 ** 53 - 1 } })'],
  ['a sequence whose beginning is left out', '[].values.call({ length: 2 ** 53 - 1 }).drop(2 ** 52).next()'],
];
for (const [title, code] of endless) {
  form(title, async () => {
    const sandbox = await Sandbox.create();
    const invoked = outcomeIn(sandbox, `() => { ${code}; return 1 }`, 200);
    expect(invoked.type === 'error' ? invoked.error.message : invoked).toMatch(/more than 0\.2 s|memory|lengths/);
  });
}

form('more memory or depth than there is', async () => {
  for (const code of [
    '"a".repeat(2 ** 30)',
    '"".padEnd(2 ** 29, "ab")',
    'new ArrayBuffer(2 ** 31)',
    'Array.from({ length: 4e9 })',
    '3n ** (2n ** 24n)',
    '(() => { const f = () => f() + 1; return f() })()',
    'JSON.parse("[".repeat(1e6))',
    '(() => { let a = []; for (let i = 0; i < 1e5; i++) a = [a]; return JSON.stringify(a) })()',
    'Math.max(...Array.from({ length: 1e6 }, () => 1))',
  ])
    expect(await outcomeOf(`() => { ${code}; return 1 }`), code).toMatchObject({ failed: expect.any(String) });
});
form('an error with more to say than anybody reads', async () => {
  const said = (await outcomeOf('() => { throw new Error("x".repeat(2 ** 24)) }')) as { readonly failed: string };
  expect(said.failed.length).toBeLessThan(20_000);
});

form('the time and chance of the machine', async () => {
  const [now, again, chance, performance] = (await outcomeOf(
    '() => [Date.now(), new Date().getTime(), Math.random(), typeof performance]',
  )) as Json[];
  expect([now, again, performance]).toEqual([1000, 1000, 'undefined']);
  expect(await outcomeOf('() => Math.random()')).not.toBe(chance);
});

const expressions: readonly (readonly [title: string, source: string])[] = [
  ['the constructor of a value', 'input.constructor'],
  ['the constructor, by index', '"a"["constructor"]'],
  ['the prototype', '({}).__proto__'],
  ['a method of a value', '"a".constructor("x")'],
  ['a function that is not listed', 'eval("1")'],
  ['a function in a field', '(() => 1)()'],
  ['an assignment', 'a = 1'],
  ['new', 'new Date()'],
  ['the global object', 'globalThis'],
  ['this', 'this'],
  ['a tagged template', 'String.raw`x`'],
  ['import', 'import("node:fs")'],
  ['a sequence', '(1, eval)("1")'],
  ['delete', 'delete a.b'],
  ['a spread prototype', '{ ...__proto__ }.constructor'],
];
for (const [title, source] of expressions) {
  form(`an expression with ${title}`, async () => {
    const runtime = FlowRuntime.new(flowOf([work('A', 'B', expr(source))]), { a: { b: 1 }, input: {} });
    const outcome = await runtime.next(quietContext()).catch((error: unknown) => ({ type: 'refused', error }) as const);
    if (outcome.type === 'done') expect(outcome.output ?? null).toBeNull();
    else expect(outcome.type).toBe('refused');
  });
}

test('a body gives a result, so that the forms above could fail', async () => {
  expect(await outcomeOf('(input) => ({ twice: input.n * 2 })', { n: 2 })).toEqual({ twice: 4 });
});
