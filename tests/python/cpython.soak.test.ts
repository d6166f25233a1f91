import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { skipUnless } from '#main/testing/skip-unless.ts';
import { slowness } from '#main/testing/slowness.ts';
import { type ExpressionRow, judge, type Outcome, outcomeOf } from '#shared/python/testing/expression-row.ts';

const candidates = [process.env.PRAVAH_TEST_PYTHON ?? '', 'python3.13', 'python3'].filter((name) => name !== '');
const python = candidates.find((name) => spawnSync(name, ['--version'], { encoding: 'utf8' }).stdout?.startsWith('Python 3.13.'));

function run(script: string, args: readonly string[], input: string): string {
  const options = { input, encoding: 'utf8', maxBuffer: 1 << 30 } as const;
  const { stdout, stderr, status } = spawnSync(python ?? '', [join(import.meta.dirname, script), ...args], options);
  expect(status, stderr).toBe(0);
  return stdout;
}

/** Powers of floats are correctly rounded here; the last digit of the C library's, which CPython uses, may be another (docs/pyflow.md). */
function isPowerOfGlibc({ expression, text = '' }: ExpressionRow, here: Outcome): boolean {
  const rounded = (value: string) => value.replaceAll(/\d+\.\d{8,}(?:e[-+]\d+)?|\de[-+]\d+/g, (digits) => Number(digits).toPrecision(14));
  return /\*\*|pow/.test(expression) && here.kind === 'value' && rounded(here.text) === rounded(text);
}

describe('random expressions', () => {
  it.skipIf(skipUnless(python !== undefined, 'random expressions against CPython', 'no Python 3.13 here; name one in PRAVAH_TEST_PYTHON'))(
    'never have another value or error than in CPython 3.13',
    () => {
      const seed = process.env.PRAVAH_TEST_SEED ?? String(Date.now() % 1_000_000);
      const generated = run('generate_expressions.py', [seed, '60000'], '');
      const rows = run('evaluate_expressions.py', [], generated).trimEnd().split('\n');
      const wrong = rows
        .map((line) => JSON.parse(line) as ExpressionRow)
        .filter((row) => judge(row) === 'wrong')
        .map((row) => ({ row, here: outcomeOf(row.expression, row.inputs) }))
        .filter(({ row, here }) => !isPowerOfGlibc(row, here));
      expect(rows.length).toBeGreaterThan(50_000);
      expect(wrong.slice(0, 20), `PRAVAH_TEST_SEED=${seed}`).toEqual([]);
    },
    600_000 * slowness,
  );
});
