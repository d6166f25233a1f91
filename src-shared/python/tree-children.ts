import type { Expression, FormatField } from './tree.ts';

const isExpression = (node: Expression | undefined): node is Expression => node !== undefined;

/** The nodes directly below a node, in the order of the text. */
export function children(node: Expression): readonly Expression[] {
  switch (node.kind) {
    case 'constant':
    case 'name':
      return [];
    case 'binary':
      return [node.left, node.right];
    case 'unary':
      return [node.operand];
    case 'boolean':
      return node.values;
    case 'compare':
      return [node.first, ...node.rest.map(({ value }) => value)];
    case 'conditional':
      return [node.then, node.test, node.otherwise];
    case 'attribute':
    case 'starred':
    case 'walrus':
    case 'await':
      return [node.value];
    case 'yield':
      return node.value ? [node.value] : [];
    case 'subscript':
      return [node.value, node.index];
    case 'slice':
      return [node.start, node.stop, node.step].filter(isExpression);
    case 'call':
      return [node.callee, ...node.args, ...node.keywords.map(({ value }) => value)];
    case 'list':
    case 'tuple':
    case 'set':
      return node.items;
    case 'dict':
      return node.entries.flatMap(({ key, value }) => (key ? [key, value] : [value]));
    case 'list-comprehension':
    case 'set-comprehension':
    case 'generator':
      return [node.element, ...node.clauses.flatMap(({ iterable, conditions }) => [iterable, ...conditions])];
    case 'dict-comprehension':
      return [node.key, node.element, ...node.clauses.flatMap(({ iterable, conditions }) => [iterable, ...conditions])];
    case 'lambda':
      return [...lambdaDefaults(node), node.body];
    case 'fstring':
      return node.parts.flatMap(fieldChildren);
  }
}

/** The default values of a lambda's parameters, which are evaluated where the lambda is. */
export function lambdaDefaults({ parameters }: Extract<Expression, { kind: 'lambda' }>): readonly Expression[] {
  return [...parameters.positional, ...parameters.keywordOnly].map((parameter) => parameter.default).filter(isExpression);
}

function fieldChildren(part: string | FormatField): readonly Expression[] {
  return typeof part === 'string' ? [] : [part.value, ...(part.spec ?? []).flatMap(fieldChildren)];
}
