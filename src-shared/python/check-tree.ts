import { beyond, forbidden } from './problem.ts';
import { targetNames } from './target-names.ts';
import type { Clause, Expression, Target } from './tree.ts';
import { children, lambdaDefaults } from './tree-children.ts';
import { walrusError } from './walrus-error.ts';

// PyFlow's own lists (pyflow/tools/condition.py at 1295caa).
const forbiddenNames = new Set(
  (
    '__import__ compile delattr getattr globals locals setattr vars breakpoint input memoryview type __builtins__ __loader__ ' + '__spec__'
  ).split(' '),
);
const forbiddenCalls = new Set(
  'eval exec open execfile __import__ compile breakpoint input getattr setattr delattr globals locals vars'.split(' '),
);

/**
 * Refuses what PyFlow's sandbox forbids and what depends on how CPython stores its values. Returns what Python says of an
 * expression that it reads but does not compile: an error when it is evaluated.
 */
export function checkTree(tree: Expression): string | undefined {
  let lateError: string | undefined;
  const visit = (node: Expression): void => {
    checkNames(node);
    if (node.kind === 'compare') checkIdentity(node);
    lateError ??= compileError(node);
    if ('clauses' in node) {
      for (const clause of node.clauses) checkTarget(clause.target);
      checkComprehension(node);
    }
    for (const child of children(node)) visit(child);
  };
  visit(tree);
  return walrusError(tree) ?? lateError;
}

function checkNames(node: Expression): void {
  if (node.kind === 'call') {
    const { callee } = node;
    const name = callee.kind === 'name' ? callee.id : callee.kind === 'attribute' ? callee.name : '';
    if (forbiddenCalls.has(name)) throw forbidden(`call to '${name}'`, callee.at);
  }
  if (node.kind === 'name' || node.kind === 'walrus') checkName(node.id, node.at);
  if (node.kind === 'attribute' && node.name.startsWith('__')) throw forbidden(`access to '${node.name}'`, node.at);
}

function checkName(id: string, at: number): void {
  if (forbiddenNames.has(id)) throw forbidden(`access to '${id}'`, at);
}

function checkTarget(target: Target): void {
  if (target.kind === 'name') checkName(target.id, target.at);
  else for (const item of target.items) checkTarget(item);
}

type Compare = Extract<Expression, { kind: 'compare' }>;

/** `is` with a number or text asks whether CPython stores the two in the same place. */
function checkIdentity({ first, rest }: Compare): void {
  let left = first;
  for (const { operator, value } of rest) {
    if (operator.startsWith('is') && [left, value].some(hasNoIdentity)) {
      throw beyond(`'${operator}' with a number, a text or a tuple (write '==')`, value.at);
    }
    left = value;
  }
}

function hasNoIdentity(node: Expression): boolean {
  if (node.kind === 'constant') {
    const { value } = node;
    if (typeof value === 'bigint') return value > 256n;
    if (typeof value === 'string') return value.length > 1 || value > '\xff';
    return typeof value === 'number';
  }
  return node.kind === 'fstring' || (node.kind === 'tuple' && node.items.length > 0);
}

/** Errors of CPython's compiler, whose text ends with the line. */
function compileError(node: Expression): string | undefined {
  if (node.kind === 'await') return "'await' outside function";
  if (node.kind === 'yield') return `'yield${node.from ? ' from' : ''}' outside function`;
  if (node.kind === 'call') {
    const names = node.keywords.flatMap(({ name }) => name ?? []);
    const twice = names.find((name, index) => names.indexOf(name) !== index);
    if (twice !== undefined) return `keyword argument repeated: ${twice}`;
    if (names.includes('__debug__')) return 'cannot assign to __debug__';
  }
  if (node.kind === 'lambda') {
    const { positional, rest, keywordOnly, keywords } = node.parameters;
    const names = [...positional, ...keywordOnly].map(({ name }) => name).concat(rest ?? [], keywords ?? []);
    const twice = names.find((name, index) => names.indexOf(name) !== index);
    if (twice !== undefined) return `duplicate argument '${twice}' in function definition`;
  }
  return undefined;
}

type Comprehension = Extract<Expression, { clauses: readonly Clause[] }>;

function checkComprehension(node: Comprehension): void {
  if (node.clauses.some(({ isAsync }) => isAsync) || hasAwait(node)) throw beyond('an asynchronous comprehension', node.at);
  const early = node.clauses.flatMap(({ conditions }, index) => {
    const later = new Set(node.clauses.slice(index + 1).flatMap(({ target }) => targetNames(target)));
    return conditions.flatMap(walruses).filter((id) => later.has(id));
  });
  if (early.length > 0) throw beyond(`':=' for '${early[0]}', which a later 'for' assigns`, node.at);
}

const hasAwait = (node: Expression): boolean => node.kind === 'await' || children(node).some(hasAwait);

/** The names that `:=` assigns in a node, but not in the bodies of its lambdas. */
export function walruses(node: Expression): readonly string[] {
  if (node.kind === 'lambda') return lambdaDefaults(node).flatMap(walruses);
  const own = node.kind === 'walrus' ? [node.id] : [];
  return [...own, ...children(node).flatMap(walruses)];
}
