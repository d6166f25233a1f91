import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type ExpressionRow, judge, outcomeOf } from '#shared/python/testing/expression-row.ts';

const rows = readFileSync(join(import.meta.dirname, 'cpython-results.jsonl'), 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line) as ExpressionRow);

describe('expressions that CPython 3.13 evaluated', () => {
  it('never have another value or error here', () => {
    expect(rows.length).toBeGreaterThan(1000);
    const wrong = rows.filter((row) => judge(row) === 'wrong').map((row) => ({ row, here: outcomeOf(row.expression, row.inputs) }));
    expect(wrong).toEqual([]);
  });

  it('are almost all evaluated rather than refused or stopped', () => {
    const missing = rows.filter((row) => judge(row) === 'refused' || judge(row) === 'stopped');
    expect(missing.length / rows.length).toBeLessThan(0.03);
  });
});
