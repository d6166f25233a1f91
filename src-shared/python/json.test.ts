import { describe, expect, it } from 'vitest';
import { literal } from '#shared/python/testing/expression-row.ts';
import { fromJson, jsonDumps, pyStr, toJson } from './index.ts';

describe('values of a state', () => {
  it('keep whole floats by their JSON Pointers', () => {
    const written = toJson(literal("{'a/b': [190.0, 1, 2.5], 'c': 3.0}"));
    expect(written).toEqual({ value: { 'a/b': [190, 1, 2.5], c: 3 }, floats: ['/a~1b/0', '/c'], orders: {} });
    if ('failure' in written) throw new Error('not JSON');
    expect(pyStr(fromJson(written.value, written.floats))).toBe("{'a/b': [190.0, 1, 2.5], 'c': 3.0}");
  });

  it('keep the order of keys that look like numbers', () => {
    const written = toJson(literal("{'b': {'2024': 1, '2023': 2}, '1': 0}"));
    if ('failure' in written) throw new Error('not JSON');
    expect(written.orders).toEqual({ '': ['b', '1'], '/b': ['2024', '2023'] });
    const copy = JSON.parse(JSON.stringify(written)) as typeof written;
    expect(pyStr(fromJson(copy.value, copy.floats, copy.orders))).toBe("{'b': {'2024': 1, '2023': 2}, '1': 0}");
  });

  it('have lists for tuples and text for keys, the last of equal ones winning', () => {
    expect(toJson(literal("{1: 'a', None: (1, 2), True: 'b', 1.5: 0, '1': 'c'}"))).toMatchObject({
      value: { '1': 'c', null: [1, 2], '1.5': 0 },
    });
  });

  it.each([
    ['{1, 2}', 'set'],
    ["[b'a']", 'bytes'],
    ['1j', 'complex'],
    ["float('nan')", 'float'],
    ['2 ** 53', 'int'],
    ['{(1, 2): 3}', 'tuple'],
    ['[(a := []), a.append(a), a][2]', 'list'],
    ['lambda: 1', 'function'],
  ])('do not hold %s: the failure names the type %s', (text, type) => {
    expect(toJson(literal(text))).toMatchObject({ failure: { type } });
  });

  it('are written as json.dumps writes them', () => {
    expect(jsonDumps(literal("{'é😀': [1.0, 1e16, None, True, '\\x7f\"\\n'], 2: ()}"))).toBe(
      '{"\\u00e9\\ud83d\\ude00": [1.0, 1e+16, null, true, "\\u007f\\"\\n"], "2": []}',
    );
  });

  it('make no text of a lone surrogate', () => {
    expect(() => fromJson(['\ud800'])).toThrow('lone surrogate');
  });
});
