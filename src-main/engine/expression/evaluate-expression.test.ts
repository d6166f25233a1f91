import { describe, expect, it } from 'vitest';
import { parseExpression } from '#shared/flow/expression.ts';
import type { Json } from '#shared/json.ts';
import { processorTime } from '#shared/testing/processor-time.ts';
import { evaluateExpression } from './evaluate-expression.ts';

function evaluate(source: string, input: Json = {}): Json {
  const parsed = parseExpression(source);
  if (!parsed.ok) throw new Error(parsed.fault.message);
  return evaluateExpression(parsed.expression, input);
}

describe('evaluateExpression', () => {
  it.each([
    ['1 + 2 * 3 ** 2 % 5', 1 + ((2 * 3 ** 2) % 5)],
    ['"a" + 1 + true', 'a1true'],
    ['-3 + +4', 1],
    ['!0 && !""', true],
    ['null ?? 1', 1],
    ['0 || "x"', 'x'],
    ['0 && missing', 0],
    ['1 < 2 && "a" < "b" && 2 >= 2', true],
    ['1 == "1"', true],
    ['1 === "1"', false],
    ['[1, { a: [2] }] === [1, { a: [2] }]', true],
    ['{ a: 1, b: 2 } == { b: 2, a: 1 }', true],
    ['[...[1, 2], 3, ..."ab"]', [1, 2, 3, 'a', 'b']],
    ['{ a: 1, ...{ a: 2, b: 3 }, ["c" + 1]: 4 }', { a: 2, b: 3, c1: 4 }],
    ['true ? "yes" : missing', 'yes'],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: this is an expression's own template.
    ['`${1 + 1} of ${[1]}`', '2 of [1]'],
    ['[1, 2, 3][1]', 2],
    ['"abc".length + [1].length', 4],
    ['{ a: 1 }.b', null],
    ['null?.a.b.c', null],
    ['(null?.a)?.b', null],
  ])('computes %s', (source, value) => {
    expect(evaluate(source)).toEqual(value);
  });

  it('finds fields of the input by name, and the whole as input', () => {
    const input = { price: 80, item: { 'a b': [1, 2] }, len: 7, input: 'field' };
    expect(evaluate('[price, item["a b"][1], input.price, len, len("abc")]', input)).toEqual([80, 2, 80, 7, 3]);
    expect(evaluate('input[0]', [5])).toBe(5);
  });

  it.each([
    ['missing', 'no field missing'],
    ['input.toString.call', 'null'],
    ['toString', 'no field toString'],
    ['null.a', '?.'],
    ['input["constr" + "uctor"]', 'constructor'],
    ['input["__pro" + "to__"]', '__proto__'],
    ['{ ["__proto" + "__"]: 1 }', '__proto__'],
    ['1 + null', '+ cannot take 1 and null'],
    ['[] + []', '+ cannot take'],
    ['"a" - 1', '- cannot take'],
    ['1 < "2"', '< cannot take'],
    ['5 .x', 'no fields'],
    ['input[true]', 'no name of a field'],
    ['[...1]', 'needs a list'],
    ['{ ...[1] }', 'needs an object'],
    ['-"1"', 'needs a number'],
  ])('fails for %s', (source, message) => {
    expect(() => evaluate(source)).toThrow(expect.objectContaining({ variant: 'HandlerError', message: expect.stringContaining(message) }));
  });

  it('treats a field that is called __proto__ as data', () => {
    const input = JSON.parse('{"__proto__": {"polluted": true}}') as Json;
    const copy = evaluate('{ ...input, a: 1 }', input);
    expect(JSON.stringify(copy)).toBe('{"__proto__":{"polluted":true},"a":1}');
    expect((copy as { polluted?: boolean }).polluted).toBeUndefined();
  });

  it.each([
    ['abs(-3)', 3],
    ['all([true, 1])', true],
    ['all([[]])', false],
    ['any([0, ""])', false],
    ['any({})', false],
    ['bool([])', false],
    ['bool({})', false],
    ['bool("0")', true],
    ['float(" 2.5e1 ")', 25],
    ['float(3)', 3],
    ['int("42")', 42],
    ['int(" -1_000 ")', -1000],
    ['int(-3.9)', -3],
    ['int(true)', 1],
    ['len("a😀")', 2],
    ['len({ a: 1 })', 1],
    ['max(2, 9, 4)', 9],
    ['max([2, 9])', 9],
    ['min("b", "a")', 'a'],
    ['round(2.5)', 2],
    ['round(3.5)', 4],
    ['round(-2.5)', -2],
    ['round(2.567, 2)', 2.57],
    ['round(2.675, 2)', 2.67],
    ['round(0.125, 2)', 0.12],
    ['round(0.375, 2)', 0.38],
    ['round(1250, -2)', 1200],
    ['round(1e300, 2)', 1e300],
    ['sorted([10, 9, 1])', [1, 9, 10]],
    ['sorted(["b", "😀", "ﬁ", "a"])', ['a', 'b', 'ﬁ', '😀']],
    ['sorted("cab")', ['a', 'b', 'c']],
    ['str(7)', '7'],
    ['str({ a: [1] })', '{"a":[1]}'],
    ['str("x")', 'x'],
    ['sum([1, 2, true])', 4],
    ['list("ab")', ['a', 'b']],
    ['list({ a: 1 })', ['a']],
    ['keys({ a: 1, b: 2 })', ['a', 'b']],
    ['values({ a: 1, b: 2 })', [1, 2]],
    ['lower("Ä") + upper("ß")', 'äSS'],
    ['trim("  a ")', 'a'],
    ['contains("abc", "b") && contains([{ a: 1 }], { a: 1 }) && contains({ a: 1 }, "a")', true],
    ['split("a, b", ", ")', ['a', 'b']],
    ['split("  a  b ")', ['a', 'b']],
    ['join(["a", 1], "-")', 'a-1'],
    ['replace("a.a", ".", "$&")', 'a$&a'],
  ])('gives Python’s answer to %s', (source, value) => {
    expect(evaluate(source)).toEqual(value);
  });

  it.each([
    ['int("x")', 'cannot read'],
    ['int("3.5")', 'cannot read'],
    ['float("")', 'cannot read'],
    ['float("inf")', 'cannot read'],
    ['max([])', 'of nothing'],
    ['min(1, "a")', 'cannot order'],
    ['sorted([1, "a"])', 'cannot order'],
    ['sorted([null, null])', 'cannot order'],
    ['sum(["a"])', 'needs a number'],
    ['len(5)', 'needs a text'],
    ['keys([1])', 'needs an object'],
    ['abs("1")', 'needs a number'],
    ['round("1")', 'needs a number'],
    ['split("a", "")', 'separator'],
    ['abs()', 'takes 1 value'],
    ['abs(1, 2)', 'takes 1 value'],
  ])('fails as Python does for %s', (source, message) => {
    expect(() => evaluate(source)).toThrow(expect.objectContaining({ variant: 'HandlerError', message: expect.stringContaining(message) }));
  });

  it.each([
    ['texts that grow', `${'replace('.repeat(12)}"aaaaaaaaaa"${', "a", "aaaaaaaaaa")'.repeat(12)}`],
    ['lists that grow', `[${'...input,'.repeat(2000)}]`],
    ['texts put together', `join([${'text,'.repeat(400)}], text)`],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: this is an expression's own template.
    ['a template that grows', `\`${'${text}'.repeat(400)}\``],
    ['texts added up', Array(400).fill('text').join(' + ')],
    ['sorting', `[${'sorted(input),'.repeat(200)}]`],
  ])('ends a short expression that asks for too much: %s', (_name, source) => {
    const list = Array.from({ length: 20_000 }, (_, index) => index);
    const input = source.includes('text') ? { text: 'x'.repeat(100_000) } : list;
    const tooMuch = expect.objectContaining({ message: expect.stringContaining('does too much') });
    expect(processorTime(() => expect(() => evaluate(source, input)).toThrow(tooMuch))).toBeLessThan(5_000);
  });
});
