import { expect, test } from 'vitest';
import type { MatrixRow } from '#shared/contract/matrix.ts';
import type { Json } from '#shared/json.ts';
import { differenceText, outputAt, outputFields } from './matrix-cells.ts';

const row = (output: Json, changes: Partial<MatrixRow> = {}) =>
  ({ output, status: 'success', first_difference: null, ...changes }) as MatrixRow;

test('outputs that are objects have a column for each of their fields, others one for the whole', () => {
  expect(outputFields({ original: row({ a: 1 }), rows: [row({ b: 2 }), row(null)] })).toEqual(['a', 'b']);
  expect(outputFields({ original: null, rows: [row({ a: 1 }), row([1])] })).toBeNull();
  expect(outputFields({ original: null, rows: [row(null)] })).toBeNull();
  expect([outputAt(row({ a: 1 }), 'a'), outputAt(row({ a: 1 }), 'b'), outputAt(row([1]), null), outputAt(row(null), null)]).toEqual([
    1,
    undefined,
    [1],
    undefined,
  ]);
});

test('the first difference of a variant is named by its own step, its missing step or the start', () => {
  const titles = (id: string) => `“${id}”`;
  const at = { seq: 4, other_seq: 3, node: 'A', differs: ['states'] };
  expect(differenceText(row(1, { first_difference: at }), titles)).toBe('step 3: “A”');
  expect(differenceText(row(1, { first_difference: { ...at, other_seq: null } }), titles)).toBe('ends before “A”');
  expect(differenceText(row(1, { first_difference: { ...at, node: '' } }), titles)).toBe('states at the start');
  expect(differenceText(row(1), titles)).toBe('none');
  expect(differenceText(row(null, { status: 'running' }), titles)).toBe('');
});
