/**
 * Built-in operations that take long with large values, or that are cheap and have no end when they are repeated: QuickJS asks inside none of them whether
 * whether it may continue. `before` makes the values, `again` is repeated without end.
 */
export interface NativeOperation {
  readonly title: string;
  readonly before: string;
  readonly again: string;
}

const long = 'const t = "ab,".repeat(1e6);';
const other = 'const t = "ab,".repeat(1e6), u = "ab,".repeat(999999) + "ab;";';
const list = 'const a = Array.from({ length: 5e5 }, (_, i) => i);';
const texts = 'const a = Array.from({ length: 2e5 }, (_, i) => "t" + i);';
const object = 'const o = Object.fromEntries(Array.from({ length: 2e5 }, (_, i) => ["k" + i, i]));';
const big = 'const b = 2n ** 500000n - 1n, c = 3n ** 100000n;';
const bytes = 'const a = new Uint8Array(4e6), f = new Float64Array(5e5);';
const sets = 'const s = new Set(Array.from({ length: 1e5 }, (_, i) => i)), r = new Set(Array.from({ length: 1e5 }, (_, i) => i + 5e4));';
const json = 'const o = Object.fromEntries(Array.from({ length: 1e5 }, (_, i) => ["k" + i, i])), j = JSON.stringify(o);';

/** Operations by the values that they need. */
const groups: readonly (readonly [before: string, operations: readonly string[]])[] = [
  [
    long,
    [
      't.split(",")',
      't.split(",").join(";")',
      'Array.from(t)',
      '[...t]',
      't.indexOf("x")',
      't.lastIndexOf("x")',
      't.includes("x")',
      't.replaceAll("a", "c")',
      't.replace("x", "")',
      't.toUpperCase()',
      't.toLowerCase()',
      't.padStart(4e6)',
      't.padEnd(4e6, "xy")',
      '(" ".repeat(2e6) + "x").trim()',
      't.slice(1).concat(t)',
      't.normalize("NFD")',
      't.isWellFormed()',
      't.at(-1) + t.substring(1)',
      'encodeURIComponent(t)',
      'decodeURIComponent(t)',
      'encodeURI(t)',
      'escape(t)',
      'unescape(t)',
      'parseFloat("1".repeat(1e6))',
      'Number("1".repeat(1e6))',
      'parseInt("1".repeat(1e6), 7)',
      't.match(/b,$/)',
      't.search(/x/)',
      't.split(/,/)',
      '[...t.matchAll(/b/g)]',
      't.replace(/b/g, "c")',
      't.startsWith(t)',
      't.endsWith(t)',
      't.repeat(2)',
      'JSON.stringify(t)',
      'Symbol.for(t)',
      'new Function("return " + "1+".repeat(1e4) + "1")',
    ],
  ],
  [
    other,
    ['t === u', 't < u', 't.localeCompare(u)', '[u].includes(t)', '[u, t].sort()', 'Object.is(t, u)', 'new Set([t, u])', 'u.indexOf(t)'],
  ],
  [
    list,
    [
      'a.indexOf(-1)',
      'a.lastIndexOf(-1)',
      'a.includes(-1)',
      'a.toSorted()',
      'a.slice().sort()',
      'a.toReversed()',
      'a.slice().reverse()',
      'a.concat(a)',
      'a.join()',
      'a.flat()',
      '[...a]',
      'Array.from(a)',
      'Array.from({ length: 5e5 })',
      'a.with(0, 1)',
      'a.toSpliced(0, 1)',
      'a.slice().fill(0)',
      'a.slice().copyWithin(0, 5)',
      'Array.of(...a.slice(0, 5e4))',
      'Math.max(...a.slice(0, 5e4))',
      'Math.sumPrecise?.(a) ?? a.indexOf(-1)',
      'a.slice().splice(0, 9)',
      'a.slice().unshift(1)',
      'a.toString()',
      'new Array(2 ** 32 - 1).join("")',
      'structuredCloneLike(a)',
    ],
  ],
  [texts, ['a.indexOf("x")', 'a.toSorted()', 'a.join("")', 'new Set(a)', 'a.includes("x")']],
  [
    object,
    [
      'Object.keys(o)',
      'Object.entries(o)',
      'Object.values(o)',
      'Object.fromEntries(Object.entries(o))',
      '({ ...o })',
      'Object.assign({}, o)',
      'Object.getOwnPropertyNames(o)',
      'Reflect.ownKeys(o)',
      'Object.getOwnPropertyDescriptors(o)',
      'Object.freeze({ ...o })',
      'Object.groupBy(Object.keys(o), String)',
    ],
  ],
  [json, ['JSON.stringify(o)', 'JSON.parse(j)', 'JSON.stringify(o, null, 2)', 'JSON.parse(JSON.stringify(o))']],
  [
    big,
    [
      'b * b',
      'b / c',
      'b % c',
      'c ** 3n',
      'b.toString()',
      'b.toString(7)',
      'BigInt("7".repeat(1e5))',
      'BigInt.asUintN(1e5, b)',
      'b << 99999n',
      'b === b + 1n',
    ],
  ],
  [
    bytes,
    [
      'f.toSorted()',
      'f.slice().sort()',
      'a.set(a.subarray(1))',
      'a.join()',
      'a.indexOf(7)',
      'Uint8Array.from(f)',
      'a.fill(1)',
      'a.toReversed()',
      'new Uint16Array(a)',
      'a.slice()',
      'a.includes(7)',
      'a.lastIndexOf(7)',
      'f.toString()',
      'a.buffer.slice(1)',
    ],
  ],
  [
    sets,
    [
      's.union(r)',
      's.intersection(r)',
      's.difference(r)',
      's.isSubsetOf(s)',
      's.symmetricDifference(r)',
      'new Set(s)',
      'new Map(s.entries())',
      '[...s.entries()]',
    ],
  ],
  [
    'const p = new Proxy(Array.from({ length: 1e5 }, (_, i) => i), Reflect); let d = {}; for (let i = 0; i < 5e3; i++) d = Object.create(d);',
    [
      'p.indexOf(-1)',
      'p.join()',
      'JSON.stringify(p)',
      '"x" in d',
      'd.x',
      'Object.prototype.isPrototypeOf.call(Array.prototype, d)',
      'new RegExp("[" + "a-z".repeat(1e4) + "]", "v")',
      'new RegExp("\\\\p{L}".repeat(3e3), "u")',
      '(0, eval)("1;".repeat(2e5))',
      '(0, eval)("let a;".replace("a", "a" + "b".repeat(1e6)))',
    ],
  ],
];

/** Every operation of the review's kinds. */
export const nativeOperations: readonly NativeOperation[] = groups.flatMap(([before, operations]) =>
  operations.map((again) => ({
    title: again,
    before: `${before} const structuredCloneLike = (v) => JSON.parse(JSON.stringify(v));`,
    again,
  })),
);

/** A body that repeats an operation without end. */
export function endlessBody({ before, again }: NativeOperation): string {
  return `() => { ${before} let kept; for (;;) kept = ${again}; }`;
}
