import { expect, it } from 'vitest';
import { copyWith } from './copy-with.ts';

it('copies an object with fields added and replaced as spreading does, on every way that it takes', () => {
  let seed = 7;
  const random = () => {
    seed = (seed * 48271) % 2147483647;
    return seed / 2147483647;
  };
  // Three rounds: the first knows no shape, the others do. Past 1,000 fields there are only hash tables.
  for (let round = 0; round < 3; round += 1) {
    let [object, expected] = [
      Object.freeze({ state: true }) as Readonly<Record<string, unknown>>,
      { state: true } as Record<string, unknown>,
    ];
    for (let step = 0; step < 1300; step += 1) {
      const name = random() < 0.1 ? `k${Math.floor(random() * step)}` : `k${step}`;
      const fields = random() < 0.1 ? { [name]: step, [`${step}`]: round } : { [name]: step };
      object = Object.freeze(copyWith(object, fields));
      expected = { ...expected, ...fields };
      if (step % 97 === 0 || step === 1299) expect(JSON.stringify(object)).toBe(JSON.stringify(expected));
    }
  }
});

it('keeps a field __proto__ as a field', () => {
  const fields = JSON.parse('{"__proto__": {"a": 1}}') as Record<string, unknown>;
  const copy = copyWith<unknown>(copyWith<unknown>(copyWith<unknown>({ b: 2 }, { c: 3 }), fields), { d: 4 });
  expect(Object.keys(copy)).toEqual(['b', 'c', '__proto__', 'd']);
  expect(Object.getPrototypeOf(copy)).toBe(Object.prototype);
});
