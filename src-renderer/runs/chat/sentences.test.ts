import { expect, it } from 'vitest';
import { sentencesAfter } from './sentences.ts';

it('finds where the finished sentences of a growing text end', () => {
  expect(sentencesAfter('It left', 0)).toBe(0);
  expect(sentencesAfter('It left. It co', 0)).toBe(8);
  expect(sentencesAfter('It left. It costs 3.50 now', 8)).toBe(8);
  expect(sentencesAfter('It left. “Really?” Yes', 8)).toBe(18);
  expect(sentencesAfter('one\ntwo', 0)).toBe(4);
});
