import { parseArguments, parseSubscript } from './parse-arguments.ts';
import { parseAtom } from './parse-atom.ts';
import { parseLambda } from './parse-lambda.ts';
import { syntaxError } from './problem.ts';
import type { Grammar, TokenStream } from './token-stream.ts';
import type { BinaryOperator, CompareOperator, Expression } from './tree.ts';

/** The rules of Python's expressions. */
export const grammar: Grammar = {
  expression: parseExpression,
  disjunction: parseDisjunction,
  bitwise: (stream) => parseBinary(stream, 0),
  namedExpression: parseNamedExpression,
  starredItem: parseStarredItem,
};

function parseExpression(stream: TokenStream): Expression {
  return stream.nested(() => {
    const { at } = stream;
    if (stream.is('lambda')) return parseLambda(stream);
    const then = parseDisjunction(stream);
    if (!stream.accept('if')) return then;
    const test = parseDisjunction(stream);
    if (!stream.accept('else')) throw syntaxError("expected 'else' after 'if' expression", stream.at);
    return { kind: 'conditional', test, then, otherwise: parseExpression(stream), at };
  });
}

function parseNamedExpression(stream: TokenStream): Expression {
  const { following, at } = stream;
  if (!stream.isIdentifier || following?.kind !== 'operator' || following.text !== ':=') return parseExpression(stream);
  const id = stream.expectIdentifier();
  stream.expect(':=');
  return { kind: 'walrus', id, value: parseExpression(stream), at };
}

function parseStarredItem(stream: TokenStream): Expression {
  const { at } = stream;
  if (!stream.accept('*')) return parseNamedExpression(stream);
  return { kind: 'starred', value: parseBinary(stream, 0), at };
}

function parseDisjunction(stream: TokenStream): Expression {
  return parseBoolean(stream, 'or', () => parseBoolean(stream, 'and', () => parseInversion(stream)));
}

function parseBoolean(stream: TokenStream, operator: 'and' | 'or', parse: () => Expression): Expression {
  const { at } = stream;
  const first = parse();
  if (!stream.is(operator)) return first;
  const values = [first];
  while (stream.accept(operator)) values.push(parse());
  return { kind: 'boolean', operator, values, at };
}

function parseInversion(stream: TokenStream): Expression {
  const { at } = stream;
  if (!stream.accept('not')) return parseComparison(stream);
  return { kind: 'unary', operator: 'not', operand: stream.nested(() => parseInversion(stream)), at };
}

function parseComparison(stream: TokenStream): Expression {
  const { at } = stream;
  const first = parseBinary(stream, 0);
  const rest: { operator: CompareOperator; value: Expression }[] = [];
  for (;;) {
    const operator = acceptComparison(stream);
    if (operator === undefined) break;
    rest.push({ operator, value: parseBinary(stream, 0) });
  }
  return rest.length > 0 ? { kind: 'compare', first, rest, at } : first;
}

function acceptComparison(stream: TokenStream): CompareOperator | undefined {
  for (const operator of ['<', '<=', '>', '>=', '==', '!=', 'in'] as const) if (stream.accept(operator)) return operator;
  if (stream.accept('is')) return stream.accept('not') ? 'is not' : 'is';
  if (!stream.accept('not')) return undefined;
  stream.expect('in');
  return 'not in';
}

const levels: readonly (readonly BinaryOperator[])[] = [['|'], ['^'], ['&'], ['<<', '>>'], ['+', '-'], ['*', '/', '//', '%', '@']];

/** Operators from `|` (level 0) to `*`, then signs and powers. */
function parseBinary(stream: TokenStream, level: number): Expression {
  const operators = levels[level];
  if (!operators) return parseFactor(stream);
  const { at } = stream;
  let left = parseBinary(stream, level + 1);
  for (;;) {
    const operator = operators.find((candidate) => stream.accept(candidate));
    if (operator === undefined) return left;
    left = { kind: 'binary', operator, left, right: parseBinary(stream, level + 1), at };
  }
}

function parseFactor(stream: TokenStream): Expression {
  const { at } = stream;
  for (const operator of ['-', '+', '~'] as const) {
    if (stream.accept(operator)) return { kind: 'unary', operator, operand: stream.nested(() => parseFactor(stream)), at };
  }
  const left = parseAwait(stream);
  if (!stream.accept('**')) return left;
  return { kind: 'binary', operator: '**', left, right: stream.nested(() => parseFactor(stream)), at };
}

function parseAwait(stream: TokenStream): Expression {
  const { at } = stream;
  return stream.accept('await') ? { kind: 'await', value: parsePrimary(stream), at } : parsePrimary(stream);
}

function parsePrimary(stream: TokenStream): Expression {
  const { at } = stream;
  let value = parseAtom(stream);
  for (;;) {
    if (stream.accept('.')) value = { kind: 'attribute', value, name: stream.expectIdentifier(), at };
    else if (stream.accept('(')) value = { kind: 'call', callee: value, ...parseArguments(stream), at };
    else if (stream.accept('[')) value = { kind: 'subscript', value, index: parseSubscript(stream), at };
    else return value;
  }
}
