import type { Matrix, MatrixRow } from '#shared/contract/matrix.ts';
import { isJsonObject, type Json } from '#shared/json.ts';
import { alignedRows, printLine, printNote, shortJson, styled } from './terminal.ts';

/** Most fields of the outputs that get a column of their own. */
const mostFields = 8;

/** Prints a matrix as a table, with a column for each field of the outputs. */
export function printMatrix({ original, rows, seq }: Matrix): void {
  const all = [...(original ? [{ ...original, name: 'original' }] : []), ...rows];
  const fields = fieldsOf(all.map(({ output }) => output));
  const head = ['variant', 'status', 'differs at', ...(fields ?? ['output']), 'tokens', 'calls', 'cost', 'time'];
  const [first = '', ...others] = alignedRows([head, ...all.map((row) => cellsOf(row, fields))]);
  printLine(styled('bold', first));
  for (const line of others) printLine(line);
  for (const { name, error } of rows) if (error) printLine(`${name}  ${error.variant}: ${error.message}`);
  for (const { name, run_id, status } of rows) printNote(`${run_id}  ${name}${status === 'suspended' ? ', waiting for an answer' : ''}`);
  printNote(`All from step ${seq}. Compare two of them with: pravah diff RUN RUN`);
}

function cellsOf(
  { name, status, first_difference: at, output, tokens, calls, cost, duration_ms }: MatrixRow,
  fields: readonly string[] | null,
) {
  const differs = at === null ? '–' : `${at.other_seq ?? '–'} ${at.node || 'start'}`;
  const values = fields === null ? [cell(output)] : fields.map((field) => (isJsonObject(output) ? cell(output[field]) : '–'));
  return [
    name,
    status,
    differs,
    ...values,
    String(tokens),
    String(calls),
    cost === null ? '–' : cost.toPrecision(3),
    `${Math.round(duration_ms)} ms`,
  ];
}

function cell(value: Json | undefined): string {
  return value === undefined || value === null ? '–' : shortJson(value, 40);
}

/** Names of the fields of all outputs; null if one is not an object or there are too many. */
function fieldsOf(outputs: readonly (Json | null)[]): string[] | null {
  const made = outputs.filter((output) => output !== null);
  const names = new Set(made.flatMap((output) => (isJsonObject(output) ? Object.keys(output) : [])));
  return made.every(isJsonObject) && names.size > 0 && names.size <= mostFields ? [...names] : null;
}
