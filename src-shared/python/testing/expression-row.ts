import type { Json } from '#shared/json.ts';
import {
  evaluatePython,
  fromJson,
  jsonDumps,
  PythonError,
  PythonStop,
  type PyValue,
  parsePython,
  pyStr,
  toJson,
} from '#shared/python/index.ts';

/** A row of a table of expressions, as PyFlow or Python computed it. */
export interface ExpressionRow {
  readonly expression: string;
  /** Python literals by name. */
  readonly inputs?: Readonly<Record<string, string>>;
  readonly value?: Json;
  /** The text of the agent's event. */
  readonly text?: string;
  /** `str()` of the value once it has been JSON. */
  readonly str?: string;
  readonly floats?: readonly string[];
  readonly error?: string;
  readonly refused?: unknown;
  readonly fails?: unknown;
  readonly ours?: string;
}

/** What became of an expression. */
export type Outcome =
  | { readonly kind: 'value'; readonly value: Json; readonly text: string; readonly str: string; readonly floats: readonly string[] }
  | { readonly kind: 'error' | 'refused' | 'fails' | 'stopped'; readonly message: string };

/** Evaluates a literal of Python. */
export function literal(text: string): PyValue {
  const read = parsePython(text);
  if ('problem' in read) throw new Error(`${text}: ${read.problem.message}`);
  return evaluatePython(read.expression, new Map());
}

/** Runs an expression as an expr agent does. */
export function outcomeOf(expression: string, inputs: Readonly<Record<string, string>> = {}): Outcome {
  const read = parsePython(expression);
  if ('problem' in read) return { kind: 'refused', message: read.problem.message };
  try {
    const value = evaluatePython(read.expression, new Map(Object.entries(inputs).map(([name, text]) => [name, literal(text)])));
    const written = toJson(value);
    if ('failure' in written) return { kind: 'fails', message: written.failure.message };
    const text = typeof value === 'string' ? value : jsonDumps(value);
    return { kind: 'value', ...written, text, str: pyStr(fromJson(written.value, written.floats, written.orders)) };
  } catch (error) {
    if (error instanceof PythonError) return { kind: 'error', message: error.message };
    if (error instanceof PythonStop) return { kind: 'stopped', message: error.message };
    throw error;
  }
}

/** Compares an outcome with its row. `refused` and `stopped` stand for no value and no error; `wrong` is allowed nowhere. */
export function judge(row: ExpressionRow): 'right' | 'refused' | 'stopped' | 'wrong' {
  const outcome = outcomeOf(row.expression, row.inputs);
  if (row.refused !== undefined) return outcome.kind === 'refused' ? 'right' : 'wrong';
  if (row.ours === 'no value') return outcome.kind === 'value' ? 'wrong' : 'right';
  if (outcome.kind === 'refused' || outcome.kind === 'stopped') return outcome.kind;
  if (row.fails !== undefined) return outcome.kind === 'fails' ? 'right' : 'wrong';
  if (row.error !== undefined) return outcome.kind === 'error' && isSameMessage(outcome.message, row.error) ? 'right' : 'wrong';
  if (outcome.kind !== 'value') return 'wrong';
  const { value, text } = outcome;
  // JSON has no negative zero, so that the text of a stored one differs.
  const str = row.str?.includes('-0.0') ? row.str : outcome.str;
  const [found, expected] = [outcome.floats, row.floats ?? []].map((floats) => [...floats].sort());
  return JSON.stringify([value, text, str, found]) === JSON.stringify([row.value, row.text ?? text, row.str ?? str, expected])
    ? 'right'
    : 'wrong';
}

/** Errors of `f(*1)` name the function in CPython only. */
function isSameMessage(found: string, expected: string): boolean {
  return found === expected || / argument after \*/.test(expected);
}
