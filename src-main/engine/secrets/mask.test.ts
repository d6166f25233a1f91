import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { freezeJson } from '#main/engine/values/freeze-json.ts';
import type { Json } from '#shared/json.ts';
import { findSecret, maskSecrets } from './mask.ts';

const secrets = new Map([
  ['TOKEN', 'tok-12345/+'],
  ['LONG', 'tok-12345/+-and-more'],
  ['SHORT', 'seven77'],
  ['QUOTED', 'say "quoted" twice'],
]);

describe('a known secret', () => {
  test.each<[Json, string, string]>([
    ['tok-12345/+', 'TOKEN', ''],
    [{ a: [1, { b: 'Bearer tok-12345/+!' }] }, 'TOKEN', '/a/1/b'],
    [{ 'x/tok-12345/+': 1 }, 'TOKEN', ''],
    ['https://example.org/?t=tok-12345%2F%2B', 'TOKEN', ''],
    [`Basic ${Buffer.from('tok-12345/+').toString('base64')}`, 'TOKEN', ''],
    [`?t=${Buffer.from('tok-12345/+').toString('base64url')}`, 'TOKEN', ''],
    ['{"sent": "say \\"quoted\\" twice"}', 'QUOTED', ''],
    [['tok-12345/+-and-more'], 'LONG', '/0'],
  ])('in %j is %s, and is found at %j', (value, name, path) => {
    expect(findSecret(secrets, value)).toEqual({ name, path });
    expect(JSON.stringify(maskSecrets(secrets, value))).toContain(`{secret:${name}}`);
    expect(findSecret(secrets, maskSecrets(secrets, value))).toBeNull();
  });

  test('of fewer than 8 characters is not looked for', () => {
    expect(findSecret(secrets, 'seven77')).toBeNull();
    expect(maskSecrets(secrets, 'seven77')).toBe('seven77');
  });
});

test('a value without secrets stays the very same', () => {
  const value = { a: ['b', { c: null }] };
  expect(maskSecrets(secrets, value)).toBe(value);
  expect(maskSecrets(new Map(), value)).toBe(value);
});

test('a large value that is carried on is searched once, and what is new around it each time', () => {
  const large = Array.from({ length: 500 }, (_, index) => ({ row: `row ${index}` }));
  const state = { i: 0, large };
  expect(freezeJson(state)).toBeNull();
  const looked = vi.spyOn(String.prototype, 'includes');
  const looks = (value: Json) => {
    const before = looked.mock.calls.length;
    expect(findSecret(secrets, value)).toBeNull();
    return looked.mock.calls.length - before;
  };
  try {
    const first = looks(state);
    expect(first).toBeGreaterThan(500);
    expect(looks({ ...state, note: 'new' })).toBeLessThan(first / 10);
    expect(findSecret(secrets, { ...state, note: [...secrets.values()][0] as string })).toMatchObject({ path: '/note' });
    // Another run's secrets are others.
    expect(findSecret(new Map([['ROW', 'row 499 ']]), { ...state, large: [...large, 'row 499 '] })).toMatchObject({ path: '/large/500' });
    expect(findSecret(new Map([['ROWS', 'row 1234']]), settled([{ row: 'row 1234' }, ...large]))).toMatchObject({ path: '/0/row' });
  } finally {
    looked.mockRestore();
  }
});

test('nothing that was masked holds a secret, and nothing else has changed', () => {
  const text = fc.oneof(fc.string(), fc.constantFrom(...secrets.values(), 'a tok-12345/+ b', 'tok-12345/+tok-12345/+'));
  const value = fc.letrec((tie) => ({
    json: fc.oneof({ maxDepth: 4 }, text, fc.integer(), fc.array(tie('json')), fc.dictionary(text, tie('json'))),
  })).json as fc.Arbitrary<Json>;
  fc.assert(
    fc.property(value, (json) => {
      const masked = maskSecrets(secrets, json);
      expect(findSecret(secrets, masked)).toBeNull();
      if (findSecret(secrets, json) === null) expect(masked).toEqual(json);
    }),
    { seed: 20261121, numRuns: 300 },
  );
});

function settled(value: Json): Json {
  expect(freezeJson(value)).toBeNull();
  return value;
}
