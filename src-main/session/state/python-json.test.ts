import { expect, it } from 'vitest';
import { rewrittenJson } from './python-json.ts';

it.each([
  ['{"n": [1,  2.0], "é": 1e3}', '{"n": [1, 2.0], "\\u00e9": 1000.0}'],
  ['null', null],
  ['plain text', null],
  ['"a"', '"a"'],
  ['{"b": 1, "2": {"3": 0, "1": 1}}', '{"b": 1, "2": {"3": 0, "1": 1}}'],
])('rewrites %s as Python would', (text, expected) => {
  expect(rewrittenJson(text)).toBe(expected);
});
