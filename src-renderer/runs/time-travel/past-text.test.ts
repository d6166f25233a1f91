import { expect, test } from 'vitest';
import type { Divergence } from '#shared/contract/time-travel.ts';
import { pastText } from './past-text.ts';

const divergence: Divergence = { seq: 8, what: 'states', node: 'A', message: 'A produces different states (at /B).', path: '/B' };

test('the text on earlier steps names the first one that would have another result', () => {
  expect(pastText({ same: 7, of: 9, divergence })).toBe(
    'Steps 1 to 7 would have the same results with this flow; step 8 would not: A produces different states (at /B).',
  );
  expect(pastText({ same: 1, of: 9, divergence: { ...divergence, seq: 2 } })).toMatch(
    /^Step 1 would have the same result .* step 2 would not/,
  );
  expect(pastText({ same: 0, of: 9, divergence: { ...divergence, seq: 1 } })).toMatch(
    /^Step 1 would have another result with this flow: A/,
  );
  expect(pastText({ same: 0, of: 9, divergence: { ...divergence, seq: 0, message: 'No.' } })).toMatch(/input/);
});

test('the text on earlier steps says when they would all be the same, or were too many to compare', () => {
  expect(pastText({ same: 7, of: 7, divergence: null })).toBe('Steps 1 to 7 would have the same results with this flow.');
  expect(pastText({ same: 1, of: 1, divergence: null })).toBe('Step 1 would have the same result with this flow.');
  expect(pastText({ same: 500, of: 9000, divergence: null })).toMatch(/^Steps 1 to 500 would .*; the others took too long to compare\.$/);
  expect(pastText({ same: 0, of: 0, divergence: null })).toBeNull();
});
