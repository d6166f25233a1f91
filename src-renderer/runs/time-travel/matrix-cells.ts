import type { Matrix, MatrixRow } from '#shared/contract/matrix.ts';
import { isJsonObject, type Json } from '#shared/json.ts';
import { matrixTexts } from './matrix-texts.ts';

/** Most fields of the outputs that get a column of their own. */
const mostFields = 8;

const money = new Intl.NumberFormat('en', { maximumSignificantDigits: 3 });

/** A cost in the currency of the user's prices. */
export function moneyText(cost: number): string {
  return money.format(cost);
}

/** Names of the fields of all outputs, each of which has a column; null if an output is not an object or there are too many. */
export function outputFields({ original, rows }: Pick<Matrix, 'original' | 'rows'>): readonly string[] | null {
  const outputs = [original, ...rows].flatMap((row) => (row && row.output !== null ? [row.output] : []));
  const names = new Set(outputs.flatMap((output) => (isJsonObject(output) ? Object.keys(output) : [])));
  return outputs.length > 0 && outputs.every(isJsonObject) && names.size <= mostFields ? [...names] : null;
}

/** The value of a field of a row's output, or the whole; undefined if there is none. */
export function outputAt({ output }: MatrixRow, field: string | null): Json | undefined {
  if (output === null) return undefined;
  if (field === null) return output;
  return isJsonObject(output) ? output[field] : undefined;
}

/** The first step of a variant that differs from the original. `titles` names nodes. */
export function differenceText({ first_difference: at, status }: MatrixRow, titles: (id: string) => string): string {
  const { panel } = matrixTexts;
  if (at === null) return ['success', 'error', 'suspended', 'cancelled'].includes(status) ? panel.same : '';
  if (at.node === '') return panel.start;
  return at.other_seq === null ? panel.missing(titles(at.node)) : panel.step(at.other_seq, titles(at.node));
}
