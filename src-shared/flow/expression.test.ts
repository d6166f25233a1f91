import { describe, expect, it } from 'vitest';
import { parseExpression } from './expression.ts';

const fault = (source: string) => {
  const parsed = parseExpression(source);
  return parsed.ok ? 'accepted' : `${parsed.fault.line}:${parsed.fault.column} ${parsed.fault.message}`;
};

describe('parseExpression', () => {
  it.each([
    'round((price - cost) / price * 100, 2)',
    'len(items) >= min_items && !closed',
    '[...list, 1, { a: b, ["c"]: 2, ...input, d }]',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: an expression's own template is what is parsed here
    'a?.b?.["c"] ?? `x${n + 1}y`',
    'n ** 2 % 3 === -1 ? "yes" : null',
    'max(...values(box))',
    '"http://x/*" + \'//\'',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: an expression's own template is what is parsed here
    '`http://${host}/*/${"//"}`',
    'a / b / c',
  ])('accepts %s', (source) => {
    expect(fault(source)).toBe('accepted');
  });

  it.each([
    ['n = 1', /assignment/],
    ['n++', /\+\+/],
    ['(() => n)()', /only functions can be called/],
    ['function () {}', /function/],
    ['class {}', /class/],
    ['new Date()', /new/],
    ['this.n', /this/],
    ['import("node:fs")', /import/],
    ['import.meta', /import/],
    ['str`n`', /tagged template/],
    ['input.constructor', /constructor/],
    ['input["__proto__"]', /__proto__/],
    ['input?.prototype', /prototype/],
    ['{ __proto__: 1 }', /./],
    ['[{ __proto__: null }]', /__proto__/],
    ['items.map(x)', /only functions can be called/],
    ['len?.(x)', /len/],
    ['eval("1")', /unknown function eval/],
    ['/a/', /a literal must be/],
    ['1n', /a literal must be/],
    ['[1,,2]', /missing/],
    ['typeof x', /typeof/],
    ['void 0', /void/],
    ['delete a.b', /delete/],
    ['"a" in b', /operator in/],
    ['a instanceof b', /instanceof/],
    ['a | b', /operator \|/],
    ['~a', /operator ~/],
    ['a, b', /comma|more/],
    ['[{ get a() { return 1 } }]', /not functions/],
    ['[{ a() {} }]', /not functions/],
    ['a.#b', /./],
    ['n; 1', /more/],
    ['n +', /Unexpected/],
    ['', /Unexpected/],
    ['await x', /./],
    ['yield', /./],
    ['7 // 2', /^1:3 .*neither the operator \/\/ nor comments/],
    ['a\n  + b // c', /^2:7 .*\/\//],
    ['// all\n1', /^1:1 .*\/\//],
    ['7 /* of */ / 2', /^1:3 .*\/\*/],
    ['(7 // 2\n)', /^1:4 .*\/\//],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: an expression's own template is what is parsed here
    ['`${7 // 2\n}`', /^1:6 .*\/\//],
    ['#!x\n1', /^1:1 /],
  ])('refuses %s', (source, message) => {
    expect(fault(source)).toMatch(message);
  });

  it('reports line and column within the expression', () => {
    expect(fault('a +\n  new B()')).toMatch(/^2:3 new/);
    expect(fault('a +\n  )')).toMatch(/^2:3 /);
  });

  it('refuses what is nested too deep instead of exhausting the stack', () => {
    expect(fault(`${'['.repeat(600)}${']'.repeat(600)}`)).toMatch(/too deep/);
    expect(fault(`${'('.repeat(100_000)}1${')'.repeat(100_000)}`)).toMatch(/too deep/);
    expect(fault(`${'-'.repeat(100_000)}1`)).not.toBe('accepted');
    expect(fault(Array(5000).fill('1').join('+'))).toMatch(/too deep/);
  });
});
