import { describe, expect, test } from 'vitest';
import type { ToolContext } from '#main/engine/ports/tool.ts';
import { conditionTool } from './condition.ts';

const decide = (expression: string) => conditionTool.call({ expression }, {} as ToolContext);

describe('condition', () => {
  test.each([
    ['1 + 1 == 2', true],
    ['7 > 5 && len("abc") == 3', true],
    ['2 > 5', false],
    ['[]', false],
    ['"text"', true],
    ['0', false],
  ])('%s is %s', (expression, result) => {
    expect(decide(expression)).toEqual({ result });
  });

  test.each(['new Date() > 1', 'x > 1', 'process.exit()', '(() => true)()', '"".constructor', 'import("fs")', '1 +'])(
    '%s is false, with an error',
    (expression) => {
      expect(decide(expression)).toEqual({ result: false, error: expect.any(String) });
    },
  );
});
