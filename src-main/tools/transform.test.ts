import { describe, expect, test } from 'vitest';
import type { ToolContext } from '#main/engine/ports/tool.ts';
import type { Json } from '#shared/json.ts';
import { transformTool } from './transform.ts';

// The tool is pure: it looks at nothing but its input.
const transform = async (input_data: Json, expression: string) => transformTool.call({ input_data, expression }, {} as ToolContext);

const items = {
  items: [
    { id: 'a', price: 5, tags: [] },
    { id: 'b', price: 50, tags: ['x'] },
    { id: 'c', price: 11, tags: [{}] },
  ],
};

describe('transform', () => {
  test.each<[string, Json]>([
    ['$.items[0].id', 'a'],
    ['$.items[?@.price > 10].id', ['b', 'c']],
    ['$.nothing', null],
    ['$.items[*].tags', [[], ['x'], [{}]]],
    ['$.items[-1:].price', 11],
    ["$.items[?match(@.id, '[a-b]')].price", [5, 50]],
    ["$.items[?search(@.id, 'c|d')].price", 11],
    ['$..price', [5, 50, 11]],
    ['$.items[?length(@.tags) == 0].id', 'a'],
  ])('finds by %s', async (expression, expected) => {
    expect(await transform(items, expression)).toEqual({ result: expected });
    expect(await transform(JSON.stringify(items), expression)).toEqual({ result: expected });
  });

  test('transform does not change frozen data or data with unusual keys', async () => {
    const odd = JSON.parse('{"__proto__":{"a":1},"constructor":2,"":3}') as Json;
    expect(await transform(Object.freeze(odd), '$')).toEqual({ result: odd });
    expect(JSON.stringify(await transform(odd, '$'))).toBe('{"result":{"__proto__":{"a":1},"constructor":2,"":3}}');
    expect(await transform(odd, '$.toString')).toEqual({ result: null });
  });

  test.each([
    ['data that is not JSON', 'not json', '$'],
    ['a path that does not end', '{}', '$['],
    ['a path without its root', '{}', 'items'],
    ['a space in a name', '{}', '$.a b'],
    ['a list where no list may stand', '{}', "$[?@.tags == ['x']]"],
    ['brackets without end', '{}', `$${'['.repeat(1500)}`],
    ['a filter nested too deep', '{}', `$[?${'('.repeat(1900)}`],
  ])('answers %s with an error', async (_name, data, expression) => {
    expect(await transform(data, expression)).toMatchObject({ result: null, error: expect.any(String) });
  });

  const wide = { a: Array.from({ length: 3000 }, (_, i) => [i, [i]]) };
  let lists: Json = [1];
  for (let i = 0; i < 100; i++) lists = [lists];
  let deep: Json = [];
  for (let i = 0; i < 60; i++) deep = i % 2 ? [deep, deep] : [deep];
  let chain: Json = { x: 1 };
  for (let i = 0; i < 100; i++) chain = { x: chain };
  test.each<[string, Json, string]>([
    ['many descents', lists, '$..*..*..*..*'],
    ['many descents that match nothing', lists, '$..[*]..[*]..[*]..[*].nothing'],
    ['descents through objects', chain, '$..*..*..*..*..*.nothing'],
    ['filters in filters', wide, '$..[?count($..[?count($..*) > 1]) > 1]'],
    ['the same selector many times', wide, `$${`[${Array(200).fill('*').join(',')}]`.repeat(3)}`],
    ['a tree that shares its branches', deep, '$..*'],
  ])('ends early for %s', async (_name, data, expression) => {
    expect(await transform(data, expression)).toMatchObject({ result: null, error: expect.stringMatching(/too many|too deep|recursion/) });
  });

  test.each(['(a+)+$', '(a|a)*b', '(.*)*x', '([a-z]+)*1', '(a?){30}a{30}'])('matches %s in linear time', async (pattern) => {
    const data = { items: [{ text: `${'a'.repeat(20_000)}!` }] };
    expect(await transform(data, `$.items[?match(@.text, '${pattern}')]`)).toEqual({ result: null });
  });
});
