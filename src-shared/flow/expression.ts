import { type Expression as AcornExpression, parseExpressionAt, type SpreadElement } from 'acorn';
import { type SourceFault, syntaxFault } from '#shared/flow/source/source-fault.ts';

/** The functions that an expression may call. Their meaning is Python's (`docs/flow-format.md`). */
export const expressionFunctions = [
  'abs',
  'all',
  'any',
  'bool',
  'contains',
  'float',
  'int',
  'join',
  'keys',
  'len',
  'list',
  'lower',
  'max',
  'min',
  'replace',
  'round',
  'sorted',
  'split',
  'str',
  'sum',
  'trim',
  'upper',
  'values',
] as const;

export type ExpressionFunction = (typeof expressionFunctions)[number];

const unaryOperators = ['-', '+', '!'] as const;
const binaryOperators = ['+', '-', '*', '/', '%', '**', '<', '<=', '>', '>=', '==', '!=', '===', '!=='] as const;
const logicalOperators = ['&&', '||', '??'] as const;

export type UnaryOperator = (typeof unaryOperators)[number];
export type BinaryOperator = (typeof binaryOperators)[number];
export type LogicalOperator = (typeof logicalOperators)[number];

/** `...value` in an array, an object or the arguments of a call. */
export interface Spread {
  readonly type: 'spread';
  readonly value: Expression;
}

export interface ObjectEntry {
  readonly type: 'entry';
  readonly key: Expression;
  readonly value: Expression;
}

/** A checked expression. Evaluating it needs no further syntax checks. */
export type Expression =
  | { readonly type: 'literal'; readonly value: string | number | boolean | null }
  /** `strings` has one item more than `values`. */
  | { readonly type: 'template'; readonly strings: readonly string[]; readonly values: readonly Expression[] }
  | { readonly type: 'array'; readonly items: readonly (Expression | Spread)[] }
  | { readonly type: 'object'; readonly entries: readonly (ObjectEntry | Spread)[] }
  /** A field of the input, or `input` itself. */
  | { readonly type: 'name'; readonly name: string }
  /** `object.key` and `object[key]`. With `optional`, a null object ends the enclosing chain with null. */
  | { readonly type: 'member'; readonly object: Expression; readonly key: Expression; readonly optional: boolean }
  /** How far a `?.` inside reaches. */
  | { readonly type: 'chain'; readonly value: Expression }
  | { readonly type: 'unary'; readonly operator: UnaryOperator; readonly value: Expression }
  | { readonly type: 'binary'; readonly operator: BinaryOperator; readonly left: Expression; readonly right: Expression }
  | { readonly type: 'logical'; readonly operator: LogicalOperator; readonly left: Expression; readonly right: Expression }
  | { readonly type: 'conditional'; readonly test: Expression; readonly yes: Expression; readonly no: Expression }
  | { readonly type: 'call'; readonly name: ExpressionFunction; readonly args: readonly (Expression | Spread)[] };

export type ParsedExpression = { readonly ok: true; readonly expression: Expression } | { readonly ok: false; readonly fault: SourceFault };

/** Members that lead out of plain data in JavaScript. */
const forbiddenMembers: ReadonlySet<string> = new Set(['constructor', '__proto__', 'prototype']);

/** Most levels of nesting, so that neither parsing nor evaluating an expression can exhaust the stack. */
const maxDepth = 500;

class Refusal extends Error {
  readonly position: number;

  constructor(message: string, position: number) {
    super(message);
    this.position = position;
  }
}

/** Whether expressions may not access a member of this name, literal or computed. */
export function isForbiddenMember(name: string): boolean {
  return forbiddenMembers.has(name);
}

/** Parses and checks one expression of the expression language. Never throws; a fault has its line and column in `source`. */
export function parseExpression(source: string): ParsedExpression {
  try {
    const node = parseExpressionAt(source, 0, { ecmaVersion: 2024, sourceType: 'module', onComment: refuseComment });
    const rest = source.slice(node.end).search(/\S/);
    if (rest !== -1) throw new Refusal('expected a single expression, but more text follows', node.end + rest);
    return { ok: true, expression: convert(node, 0) };
  } catch (error) {
    return { ok: false, fault: faultOf(error, source) };
  }
}

/** `//` divides in Python, whose semantics expressions follow: as a comment it would silently drop the rest of the line. */
function refuseComment(isBlock: boolean, _text: string, start: number): never {
  if (isBlock) throw new Refusal('comments (/*) are not allowed in an expression; put the comment outside', start);
  throw new Refusal(
    'neither the operator // nor comments are allowed in an expression; divide with /, or with int(a / b) for a whole number, and put comments outside',
    start,
  );
}

function faultOf(error: unknown, source: string): SourceFault {
  if (error instanceof Refusal) return syntaxFault(source, error.position, error.message);
  if (error instanceof RangeError) return syntaxFault(source, 0, 'the expression is nested too deeply');
  if (error instanceof SyntaxError && 'pos' in error && typeof error.pos === 'number') {
    const message = error.message.startsWith('Not enough stack') ? 'the expression is nested too deeply' : error.message;
    return syntaxFault(source, error.pos, message.replace(/ \(\d+:\d+\)$/, ''));
  }
  throw error;
}

const oneOf = <T extends string>(list: readonly T[], text: string): text is T => (list as readonly string[]).includes(text);

function convert(node: AcornExpression, depth: number): Expression {
  if (depth > maxDepth) throw new Refusal('the expression is nested too deeply', node.start);
  const inner = (child: AcornExpression) => convert(child, depth + 1);
  const items = (list: readonly (AcornExpression | SpreadElement)[]) => list.map((item) => spreadable(item, depth));
  switch (node.type) {
    case 'Literal':
      if (node.value === null && !node.regex && node.bigint == null) return { type: 'literal', value: null };
      if (typeof node.value === 'string' || typeof node.value === 'number' || typeof node.value === 'boolean') {
        return { type: 'literal', value: node.value };
      }
      throw new Refusal('a literal must be a string, number, true, false or null', node.start);
    case 'TemplateLiteral':
      return {
        type: 'template',
        strings: node.quasis.map((part) => part.value.cooked ?? part.value.raw),
        values: node.expressions.map(inner),
      };
    case 'ArrayExpression':
      return {
        type: 'array',
        items: items(
          node.elements.map((item) => {
            if (item === null) throw new Refusal('an item of the list is missing', node.start);
            return item;
          }),
        ),
      };
    case 'ObjectExpression':
      return { type: 'object', entries: node.properties.map((entry) => objectEntry(entry, depth)) };
    case 'Identifier':
      return { type: 'name', name: node.name };
    case 'MemberExpression': {
      if (node.object.type === 'Super' || node.property.type === 'PrivateIdentifier') throw refused(node);
      const key: Expression =
        !node.computed && node.property.type === 'Identifier' ? { type: 'literal', value: node.property.name } : inner(node.property);
      refuseForbidden(key, node.property.start);
      return { type: 'member', object: inner(node.object), key, optional: node.optional };
    }
    case 'ChainExpression':
      return { type: 'chain', value: inner(node.expression) };
    case 'ParenthesizedExpression':
      return inner(node.expression);
    case 'UnaryExpression':
      if (!oneOf(unaryOperators, node.operator))
        throw new Refusal(`the operator ${node.operator} is not allowed in an expression`, node.start);
      return { type: 'unary', operator: node.operator, value: inner(node.argument) };
    case 'BinaryExpression':
      if (!oneOf(binaryOperators, node.operator) || node.left.type === 'PrivateIdentifier') {
        throw new Refusal(`the operator ${node.operator} is not allowed in an expression`, node.start);
      }
      return { type: 'binary', operator: node.operator, left: inner(node.left), right: inner(node.right) };
    case 'LogicalExpression':
      return { type: 'logical', operator: node.operator, left: inner(node.left), right: inner(node.right) };
    case 'ConditionalExpression':
      return { type: 'conditional', test: inner(node.test), yes: inner(node.consequent), no: inner(node.alternate) };
    case 'CallExpression': {
      const { callee } = node;
      if (node.optional || callee.type !== 'Identifier' || !oneOf(expressionFunctions, callee.name)) {
        const name = callee.type === 'Identifier' ? `unknown function ${callee.name}` : 'only functions can be called, by name';
        throw new Refusal(`${name}; available functions: ${expressionFunctions.join(', ')}`, callee.start);
      }
      return { type: 'call', name: callee.name, args: items(node.arguments) };
    }
    default:
      throw refused(node);
  }
}

function spreadable(node: AcornExpression | SpreadElement, depth: number): Expression | Spread {
  return node.type === 'SpreadElement' ? { type: 'spread', value: convert(node.argument, depth + 1) } : convert(node, depth + 1);
}

type AcornProperty = Extract<AcornExpression, { type: 'ObjectExpression' }>['properties'][number];

function objectEntry(entry: AcornProperty, depth: number): ObjectEntry | Spread {
  if (entry.type === 'SpreadElement') return { type: 'spread', value: convert(entry.argument, depth + 1) };
  if (entry.kind !== 'init' || entry.method) throw new Refusal('an object can contain values, but not functions', entry.start);
  const key: Expression =
    !entry.computed && entry.key.type === 'Identifier' ? { type: 'literal', value: entry.key.name } : convert(entry.key, depth + 1);
  refuseForbidden(key, entry.key.start);
  return { type: 'entry', key, value: convert(entry.value, depth + 1) };
}

function refuseForbidden(key: Expression, position: number): void {
  if (key.type === 'literal' && forbiddenMembers.has(String(key.value))) {
    throw new Refusal(`the member ${key.value} is not allowed`, position);
  }
}

const words: Readonly<Record<string, string>> = {
  ArrowFunctionExpression: 'a function',
  AssignmentExpression: 'an assignment',
  AwaitExpression: 'await',
  ClassExpression: 'a class',
  FunctionExpression: 'a function',
  ImportExpression: 'import',
  MetaProperty: 'import.meta or new.target',
  NewExpression: 'new',
  SequenceExpression: 'the comma operator',
  TaggedTemplateExpression: 'a tagged template',
  ThisExpression: 'this',
  UpdateExpression: '++ or --',
  YieldExpression: 'yield',
};

function refused(node: { readonly type: string; readonly start: number }): Refusal {
  return new Refusal(`${words[node.type] ?? node.type} is not allowed in an expression; use a run body`, node.start);
}
