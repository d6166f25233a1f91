import { type AnyNode, type Expression, type Program, parse } from 'acorn';
import { memoizeByText } from '#shared/flow/memoize-by-text.ts';
import { type SourceFault, syntaxFault } from './source-fault.ts';
import type { StrippedTypes, StripTypes } from './strip-types.ts';

/** A body's function as plain JavaScript, on its original lines; or why it is invalid. */
export type BodySource = { readonly ok: true; readonly code: string } | { readonly ok: false; readonly fault: SourceFault };

type ReadSource = (source: string, strip: StripTypes) => BodySource;

class Refusal extends Error {
  readonly position: number;

  constructor(message: string, position: number) {
    super(message);
    this.position = position;
  }
}

const notAFunction = 'a body must be a single function, such as (input, ctx) => ({ … })';

/** Bodies are strict code; the prefix rules out `import.meta`. */
const prefix = '"use strict";(';

/** Reads the source of a `run` body: one arrow function or function expression, JavaScript or TypeScript. Never throws. */
export const readRunSource: ReadSource = memoizeByText((source, strip) => reading(source, functionOf, strip), 20_000);

/** Reads the source of a `run_file`: the same, or a module with one `export default` and nothing else but types. Never throws. */
export const readRunFileSource: ReadSource = memoizeByText(
  (source, strip) => reading(source, /^\s*export\b/m.test(source) ? defaultExportOf : functionOf, strip),
  1000,
);

/** Uses the source as it is if it is JavaScript, else with its types stripped. Positions do not change. */
function reading(source: string, find: (code: string) => string, strip: StripTypes): BodySource {
  try {
    return { ok: true, code: find(source) };
  } catch (error) {
    const first = faultOf(error, source);
    const stripped = find === functionOf ? stripFromExpression(source, strip) : strip(source);
    if (!stripped.ok)
      return { ok: false, fault: first && (error instanceof Refusal || isLater(first, stripped.fault)) ? first : stripped.fault };
    try {
      return { ok: true, code: find(stripped.code) };
    } catch (again) {
      const fault = faultOf(again, stripped.code);
      if (!fault) throw again;
      return { ok: false, fault };
    }
  }
}

/** The parse that got farther has the better message: stripping stops at the arrow of a body that it cannot parse. */
function isLater(one: SourceFault, other: SourceFault): boolean {
  return one.line > other.line || (one.line === other.line && one.column > other.column);
}

function faultOf(error: unknown, source: string): SourceFault | null {
  if (error instanceof Refusal) return syntaxFault(source, error.position, error.message);
  if (error instanceof RangeError) return syntaxFault(source, 0, 'the code is nested too deeply');
  if (error instanceof SyntaxError && 'pos' in error && typeof error.pos === 'number') {
    return syntaxFault(source, Math.min(error.pos, source.length), error.message.replace(/ \(\d+:\d+\)$/, ''));
  }
  return null;
}

/** In parentheses, since an anonymous function expression is not a statement. */
function stripFromExpression(source: string, strip: StripTypes): StrippedTypes {
  const stripped = strip(`(${withoutSemicolon(source)}\n)`);
  if (stripped.ok) return { ok: true, code: stripped.code.slice(1, -2) };
  const { line, column, message } = stripped.fault;
  const end = syntaxFault(source, source.length, message);
  return { ok: false, fault: line > end.line ? end : { message, line, column: line === 1 ? Math.max(1, column - 1) : column } };
}

function withoutSemicolon(source: string): string {
  return source.replace(/;\s*$/, '');
}

/** The one function expression that `code` is. */
function functionOf(code: string): string {
  const program = parsed(`${prefix}${withoutSemicolon(code)}\n)`, 'script', prefix.length);
  const [, statement, more] = program.body;
  if (statement?.type !== 'ExpressionStatement' || more)
    throw new Refusal(notAFunction, (more ?? statement ?? program).start - prefix.length);
  const { expression } = statement;
  checkFunction(expression, prefix.length);
  return onItsLine(code, expression.start - prefix.length, expression.end - prefix.length);
}

/** The function that the module `code` exports as its default. */
function defaultExportOf(code: string): string {
  const program = parsed(code, 'module', 0);
  const [statement, more] = program.body;
  for (const each of program.body) {
    if (each.type === 'ImportDeclaration')
      throw new Refusal('a sandboxed body cannot import; use a module body in a trusted folder', each.start);
  }
  if (statement?.type !== 'ExportDefaultDeclaration' || more)
    throw new Refusal('the file must contain one export default and nothing else', (more ?? statement ?? program).start);
  const { declaration } = statement;
  if (declaration.type !== 'FunctionDeclaration') checkFunction(declaration as Expression, 0);
  const text = onItsLine(code, declaration.start, declaration.end);
  functionOf(text);
  return text;
}

function checkFunction(node: AnyNode, shift: number): void {
  if (node.type !== 'ArrowFunctionExpression' && node.type !== 'FunctionExpression') throw new Refusal(notAFunction, node.start - shift);
  if (node.generator) throw new Refusal('a body cannot be a generator', node.start - shift);
}

/** A slice of `code` on its original line, so that errors name the right one. */
function onItsLine(code: string, start: number, end: number): string {
  const lines = code.slice(0, start).split('\n').length - 1;
  return '\n'.repeat(lines) + code.slice(start, end);
}

function parsed(text: string, sourceType: 'script' | 'module', shift: number): Program {
  try {
    return parse(text, { ecmaVersion: 2024, sourceType });
  } catch (error) {
    if (shift > 0 && error instanceof SyntaxError && 'pos' in error && typeof error.pos === 'number') error.pos -= shift;
    throw error;
  }
}
