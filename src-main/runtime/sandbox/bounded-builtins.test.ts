import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { FlowRuntime } from '#main/runtime/flow-runtime.ts';
import { flowOf, quietContext, run, work } from '#main/runtime/testing/flows.ts';

/** What the built-in functions that are bounded must give as everywhere, corner cases first. */
const usual = [
  `Array.prototype.map.call('abc', (x) => x + 1)`,
  `[1, [2, [3, [4]]]].flat()`,
  `[1, [2, [3, [4]]]].flat(Infinity)`,
  `[1, [2, [3]]].flat(0)`,
  `[1, [2, [3]]].flat(-1)`,
  `[1, , [2, , 3]].flat()`,
  `[1, 2].flatMap((x) => [x, [x]])`,
  `[1, 2].flatMap(function (x) { return [x, this.a] }, { a: 9 })`,
  `[3, 1, 2].sort()`,
  `[3, 1, 2].sort((a, b) => b - a)`,
  `['b', 'a'].toSorted()`,
  `[undefined, 3, 1].sort() + ''`,
  `[1].concat(2, [3, [4]], 'x')`,
  `[].map.length + [].map.name + [].flat.length + [].flat.name + [].concat.length`,
  `(function () { return Array.prototype.slice.call(arguments, 1) })(1, 2, 3)`,
  `[1, 2, 3].includes(2) + '' + [1, 2].indexOf(2) + [1, 2, 1].lastIndexOf(1) + [1, 2, 1].lastIndexOf(1, 1)`,
  `[1, 2, 3].reduce((a, b) => a + b) + [1, 2].reduce((a, b) => a + b, undefined) + ''`,
  `[1, 2, 3].splice(0, 2)`,
  `[1, 2].shift() + [1, 2].unshift(3, 4)`,
  `[1, 2, 3].with(0, 9)`,
  `Array.prototype.join.call(new Uint8Array([1, 2]), '-')`,
  `Array.prototype.join.call({ length: 2, 0: 'a', 1: 'b' })`,
  `Array.prototype.map.call({}, (x) => x)`,
  `[[1, 2], [3]].join(';')`,
  `(() => { try { new [].map() } catch (e) { return e.constructor.name } })()`,
  `(() => { try { Array.prototype.map.call(null) } catch (e) { return e.constructor.name } })()`,
  `(() => { class L extends Array {} return new L(1, 2, 3).map((x) => x) instanceof L })()`,
  `'a-b'.replace('-', '+') + 'aXbX'.replaceAll('X', (m, i) => i) + 'abc'.replace(/b/g, 'x').split('')`,
  `'abc'.split()`,
  `'abab'.indexOf('b', 2) + 'abab'.lastIndexOf('b', 2)`,
  `'e\u0301'.normalize().length`,
  'String.raw`a\\n` + String.raw({ raw: "abc" }, 1, 2)',
  `[1, 2, 3].values().drop(1).toArray()`,
  `(() => { const p = new Proxy({ a: 1 }, { get: (t, k) => k }); return p.b + typeof Proxy + Proxy.length + Proxy.name })()`,
  `(() => { const { proxy, revoke } = Proxy.revocable({ a: 1 }, {}); return proxy.a })()`,
  `(() => { new Proxy({}, {}); return [1, 2].map((x) => x).concat([3]).indexOf(3) })()`,
  `Object.keys(Array.prototype).length`,
];

it.each(usual)('%s is what it is everywhere', async (source) => {
  const runtime = FlowRuntime.new(flowOf([work('A', 'B', run(`() => (${source})`))]), {});
  const outcome = await runtime.next(quietContext());
  runtime.dispose();
  expect(outcome).toEqual({ type: 'done', output: JSON.parse(runInNewContext(`JSON.stringify(${source})`) as string) });
});
