import { expect, it } from 'vitest';
import type { ToolContext } from '#main/engine/ports/tool.ts';
import { builtInTools } from '#main/tools/catalogue.ts';
import { conditionAsPython } from './condition.ts';

const condition = builtInTools().get('condition');

it.each([
  ["1 + 1 == 2 and not 'x' in 'abc'", { result: true }],
  ['[]', { result: false }],
  ['nope', { result: false, error: "Evaluation error: name 'nope' is not defined" }],
  ["open('x')", { result: false, error: "Call to 'open' is not allowed" }],
  ['x.__class__', { result: false, error: "Access to '__class__' is not allowed" }],
  ['1 +', { result: false, error: 'invalid syntax (<unknown>, line 1)' }],
])('evaluates %s as PyFlow does', async (expression, expected) => {
  const tool = condition && conditionAsPython(condition);
  expect(await tool?.call({ expression }, {} as ToolContext)).toEqual(expected);
});
