import { expect, test } from 'vitest';
import { readOptions } from './options.ts';

const known = ['types', 'e2e-web'];

test('parts and --stress come in any order', () => {
  expect(readOptions(['--stress', 'e2e-web'], known)).toEqual({ names: ['e2e-web'], stress: true });
  expect(readOptions(['types', 'e2e-web'], known)).toEqual({ names: ['types', 'e2e-web'], stress: false });
});

test.each(['--stres', 'e2e'])('%s is refused with what is known', (word) => {
  expect(() => readOptions([word], known)).toThrow(`There is no part "${word}". Parts: types, e2e-web. Option: --stress.`);
});
