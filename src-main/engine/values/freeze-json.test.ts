import { describe, expect, it } from 'vitest';
import { extendList, extendObject, freezeJson, isFrozenJson } from './freeze-json.ts';

describe('freezeJson', () => {
  it('accepts JSON and freezes it at every depth', () => {
    const value = { list: [{ a: 1 }, 'text', null, true], empty: {} };
    expect(freezeJson(value)).toBeNull();
    expect([value, value.list, value.list[0], value.empty].every(Object.isFrozen)).toBe(true);
  });

  it('freezes what hangs below an object that was frozen from outside', () => {
    const inner = { n: 1 };
    freezeJson(Object.freeze({ inner }));
    expect(Object.isFrozen(inner)).toBe(true);
  });

  const cycle: { self?: unknown } = {};
  cycle.self = cycle;
  let deep: unknown = 0;
  for (let level = 0; level < 1001; level += 1) deep = [deep];
  it.each([
    ['undefined', { a: [1, undefined] }, '/a/1', 'undefined'],
    ['a function', { 'a/b': () => 1 }, '/a~1b', 'function'],
    ['a BigInt', [1n], '/0', 'bigint'],
    ['a symbol', [Symbol('s')], '/0', 'symbol'],
    ['not a number', { n: Number.NaN }, '/n', 'NaN'],
    ['an infinite number', { n: Number.POSITIVE_INFINITY }, '/n', 'Infinity'],
    ['half of a surrogate pair', { t: '\ud800' }, '/t', 'surrogate'],
    ['half of a surrogate pair in a name', { '\udc00': 1 }, '/\udc00', 'surrogate'],
    ['a date', { at: new Date(0) }, '/at', 'Date'],
    ['a map', new Map(), '', 'Map'],
    // biome-ignore lint/suspicious/noSparseArray: a list with a hole is what is tested.
    ['a list with a hole', [1, , 2], '/1', 'undefined'],
    ['a cycle', cycle, '', 'contains itself'],
    ['too many levels', deep, '', '1,000 levels'],
  ])('refuses %s and says where it is', (_name, value, path, message) => {
    expect(freezeJson(value)).toEqual({ path, message: expect.stringContaining(message) });
  });

  it('accepts exactly 1,000 levels', () => {
    let value: unknown = 0;
    for (let level = 0; level < 1000; level += 1) value = [value];
    expect(freezeJson(value)).toBeNull();
  });

  it('counts levels and size also below what it has frozen before', () => {
    let value: unknown = Array.from({ length: 2000 }, () => 'text');
    for (let level = 0; level < 999; level += 1) {
      value = [value];
      expect(freezeJson(value)).toBeNull();
    }
    expect(freezeJson([value])?.message).toContain('levels');
  });

  it('refuses a small value whose JSON exceeds 64 MiB', () => {
    let value: unknown = ['x'.repeat(1000)];
    for (let level = 0; level < 17; level += 1) value = [value, value];
    expect(freezeJson(value)?.message).toContain('64 MiB');
  });

  it('keeps a field that is called __proto__ as data', () => {
    const value: unknown = JSON.parse('{"__proto__": {"a": 1}}');
    expect(freezeJson(value)).toBeNull();
    expect(JSON.stringify(value)).toBe('{"__proto__":{"a":1}}');
  });

  it('counts the size of a value to its end when a getter in it freezes another value', () => {
    const half = 'x'.repeat(40 * 1024 * 1024);
    const value = {
      before: half,
      get between() {
        return freezeJson([]);
      },
      after: half,
    };
    expect(freezeJson(value)?.message).toContain('64 MiB');
  });
});

describe('a copy of a checked value', () => {
  const items = Array.from({ length: 600 }, (_, index) => ({ index }));
  const fields: Readonly<Record<string, unknown>> = Object.fromEntries(items.map((item, index) => [`k${index}`, item]));
  freezeJson(items);
  freezeJson(fields);

  it('has the items and fields of both, is frozen, and is known to be JSON once it is checked', () => {
    const list = extendList<unknown>(items, ['new']);
    const object = extendObject(fields, { k0: 'new', more: [1] });
    expect(list).toEqual([...items, 'new']);
    expect(object).toEqual({ ...fields, k0: 'new', more: [1] });
    expect([list, object].map((copy) => [Object.isFrozen(copy), isFrozenJson(copy)])).toEqual([
      [true, false],
      [true, false],
    ]);
    expect([freezeJson({ list, object }), Object.isFrozen(object.more)]).toEqual([null, true]);
    expect([isFrozenJson(list), isFrozenJson(object)]).toEqual([true, true]);
  });

  it('is refused for what is new in it and is not JSON, at its path', () => {
    expect(freezeJson({ a: extendList<unknown>(items, [1, undefined]) })).toMatchObject({ path: '/a/601' });
    expect(freezeJson({ a: extendObject(fields, { k1: { b: Number.NaN } }) })).toMatchObject({ path: '/a/k1/b' });
  });

  it('counts a replaced value no longer, however often it is replaced', () => {
    const large = 'x'.repeat(20 * 1024 * 1024);
    let object = extendObject(fields, { k0: large });
    for (let time = 0; time < 5; time += 1) {
      expect(freezeJson(object)).toBeNull();
      object = extendObject(object, { k0: large });
    }
    expect(freezeJson(extendObject(object, { k1: large, k2: large, k3: large }))?.message).toContain('64 MiB');
  });

  it('counts the levels of its base', () => {
    let value: unknown = Array.from({ length: 600 }, () => 'text');
    for (let level = 0; level < 999; level += 1) value = [value];
    expect(freezeJson(value)).toBeNull();
    expect(freezeJson([extendList(value as unknown[], [])])?.message).toContain('levels');
  });

  it('keeps a field that is called __proto__ as data', () => {
    const copy = extendObject(fields, JSON.parse('{"__proto__": 1}') as Record<string, unknown>);
    expect([Object.keys(copy).at(-1), Object.getPrototypeOf(copy)]).toEqual(['__proto__', Object.prototype]);
  });
});
