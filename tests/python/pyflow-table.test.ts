import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { skipUnless } from '#main/testing/skip-unless.ts';
import { type ExpressionRow, judge, outcomeOf } from '#shared/python/testing/expression-row.ts';

const file = resolve(import.meta.dirname, '../../../shared/conformance-pyflow/expressions.json');
const isThere = existsSync(file);

describe('the expressions that PyFlow itself evaluated', () => {
  it.skipIf(skipUnless(isThere, "PyFlow's table of expressions", 'it does not lie beside the checkout'))(
    'have the same values, errors and refusals here',
    () => {
      const { rows } = JSON.parse(readFileSync(file, 'utf8')) as { readonly rows: readonly ExpressionRow[] };
      expect(rows.length).toBeGreaterThan(200);
      const wrong = rows.filter((row) => judge(row) !== 'right').map((row) => ({ row, here: outcomeOf(row.expression, row.inputs) }));
      expect(wrong).toEqual([]);
    },
  );
});
