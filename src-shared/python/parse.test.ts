import { describe, expect, it } from 'vitest';
import { parsePython } from './index.ts';

const problemOf = (text: string) => {
  const read = parsePython(text);
  return 'problem' in read ? `${read.problem.code} ${read.problem.offset}: ${read.problem.message}` : 'accepted';
};

describe('parsePython', () => {
  it.each([
    ['1 +', /^bad_expr 3: .*invalid syntax/],
    ["'unclosed", /^bad_expr 0: .*unterminated string/],
    ['', /^bad_expr 0: /],
    [' 1', /^bad_expr 0: .*unexpected indent/],
    ['import os', /^bad_expr 0: /],
    ['x = 1', /^bad_expr 2: /],
    ['*a, b', /^bad_expr 0: /],
    ['a := 1', /^bad_expr 2: /],
    ['(1, 2', /^bad_expr 0: .*never closed/],
    ['[1)', /^bad_expr 2: .*does not match/],
    ['012', /^bad_expr 0: .*leading zeros/],
    ['1 if 2', /^bad_expr 6: .*else/],
    ['f(a=1, 2)', /^bad_expr 7: .*positional argument follows/],
    ['f(x for x in y, 1)', /^bad_expr 2: .*parenthesized/],
    ["f'{1'", /^bad_expr /],
    ["f'}'", /^bad_expr 2: .*single '}'/],
    ["f'{}'", /^bad_expr 3: .*valid expression/],
    ["'a' b'b'", /^bad_expr 4: .*cannot mix/],
    ["'\\xZ'", /^bad_expr 0: .*unicode error/],
    ['$', /^bad_expr 0: .*invalid character/],
  ])('refuses %j as invalid Python at its offset', (text, expected) => {
    expect(problemOf(text)).toMatch(expected);
  });

  it.each([
    ['type(1)', /^bad_expr 0: .*access to 'type'/],
    ['x.open()', /^bad_expr 0: .*call to 'open'/],
    ['[eval(x) for x in y]', /^bad_expr 1: .*call to 'eval'/],
    ["f'{().__class__}'", /^bad_expr 3: .*'__class__'/],
    ["f'{1:{x.__len__}}'", /^bad_expr .*'__len__'/],
    ['lambda: __import__', /^bad_expr 8: .*'__import__'/],
    ['[1 for type in x]', /^bad_expr 7: .*'type'/],
    ['[(vars := 1)]', /^bad_expr 2: .*'vars'/],
    ['{**x.__dict__}', /^bad_expr 3: .*'__dict__'/],
    ['ｔype', /^bad_expr 0: .*'type'/],
  ])('refuses %j as PyFlow does', (text, expected) => {
    expect(problemOf(text)).toMatch(expected);
  });

  it.each([
    ["'\\N{DIGIT ONE}'", /^python_beyond 0: .*by its name/],
    ["'\\ud800'", /^python_beyond 0: .*surrogate/],
    ['x is 1000', /^python_beyond 5: .*'is' with a number/],
    ['[0 for x[0] in y]', /^python_beyond 7: .*assignment to an item/],
    [`${'not '.repeat(10_000)}1`, /^python_beyond .*nested levels/],
    [`1${'+1'.repeat(10_000)}`, /^python_beyond 0: .*operators/],
  ])('refuses %j because only Python can do it', (text, expected) => {
    expect(problemOf(text)).toMatch(expected);
  });

  it.each([
    'isinstance(1, int)',
    'open',
    'eval',
    'await x',
    '(yield)',
    'x.eval',
    '_private',
    'x is not None',
    'x is 1',
    '1, 2',
    '\n1 # note\n',
    'f(**{}, a=1)',
  ])('accepts %j, which may still fail when evaluated', (text) => {
    expect(problemOf(text)).toBe('accepted');
  });
});
