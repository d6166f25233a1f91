import { evaluateExpression, type Names } from '#main/engine/expression/evaluate-expression.ts';
import type { Breakpoint } from '#shared/contract/breakpoint.ts';
import { type Expression, parseExpression } from '#shared/flow/expression.ts';
import { parseTemplate } from '#shared/flow/template.ts';
import type { Json } from '#shared/json.ts';
import { FlowError } from '#shared/run/error.ts';

/** What an expression of the debugger sees: the consumed value, as a body does, and the names that the debugger adds. */
export interface Scope {
  readonly input: Json;
  readonly names: Names;
}

/** Parses an expression. Throws `FlowError` `Invalid` with the problem `bad_expr` at `path`. */
export function parseDebugExpression(source: string, path: string): Expression {
  const parsed = parseExpression(source);
  if (parsed.ok) return parsed.expression;
  const { message, line, column } = parsed.fault;
  const text = `The expression is invalid: ${message} (line ${line}, column ${column}). Fix it and set it again.`;
  throw new FlowError('Invalid', text, {
    details: { problems: [{ code: 'bad_expr', severity: 'error', path, nodes: [], message: text, line, column }] },
  });
}

/** Evaluates a condition. Throws `FlowError` if it fails or its value is not a boolean. */
export function holds(condition: Expression, scope: Scope): boolean {
  const value = evaluateExpression(condition, scope.input, scope.names);
  if (typeof value === 'boolean') return value;
  throw new FlowError('HandlerError', `The condition must be true or false, but is ${JSON.stringify(value)?.slice(0, 100)}.`);
}

/** Text of a log point, with `{path}` for values. */
export type LogTemplate = readonly (string | Expression)[];

export function parseLog(text: string): LogTemplate {
  return parseTemplate(text).map((part) => (typeof part === 'string' ? part : pathExpression(part)));
}

function pathExpression([first, ...rest]: readonly string[]): Expression {
  let expression: Expression = { type: 'name', name: first as string };
  for (const key of rest) {
    const value = /^\d+$/.test(key) ? Number(key) : key;
    expression = { type: 'member', object: expression, key: { type: 'literal', value }, optional: false };
  }
  return expression;
}

/** Fills a log point's text. A value that can't be read is replaced by the reason. */
export function fillLog(template: LogTemplate, { input, names }: Scope): string {
  return template.map((part) => (typeof part === 'string' ? part : valueText(part, input, names))).join('');
}

function valueText(expression: Expression, input: Json, names: Names): string {
  try {
    const value = evaluateExpression(expression, input, names);
    return typeof value === 'string' ? value : JSON.stringify(value);
  } catch (error) {
    return `<${error instanceof Error ? error.message : String(error)}>`;
  }
}

/** Whether a hit with this number counts. */
export type HitRule = (hits: number) => boolean;

/** Reads a hit count: `5`, `>=5` or `%5`. */
export function parseHits(text: string): HitRule {
  const [, how = '', digits = '1'] = /^(>=|%)?(\d+)$/.exec(text) ?? [];
  const count = Number(digits);
  if (how === '>=') return (hits) => hits >= count;
  if (how === '%') return (hits) => hits % count === 0;
  return (hits) => hits === count;
}

/** Throws `FlowError` `Invalid` for a breakpoint whose condition can't be parsed. */
export function checkBreakpoint({ condition }: Breakpoint): void {
  if (condition !== undefined) parseDebugExpression(condition, '/condition');
}
