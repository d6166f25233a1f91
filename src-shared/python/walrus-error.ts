import { targetNames } from './target-names.ts';
import type { Clause, Expression } from './tree.ts';
import { children, lambdaDefaults } from './tree-children.ts';

type Comprehension = Extract<Expression, { clauses: readonly Clause[] }>;

/** The variables of a comprehension, as far as CPython has read it. */
interface Variables {
  readonly names: Set<string>;
  readonly outer: Variables | undefined;
}

/** What CPython says of the first `:=` that may not be where it is, in the order in which it reads the parts of an expression. */
export function walrusError(node: Expression, variables?: Variables, isIterable = false): string | undefined {
  const inside = (child: Expression) => walrusError(child, variables, isIterable);
  switch (node.kind) {
    case 'walrus':
      if (isIterable) return 'assignment expression cannot be used in a comprehension iterable expression';
      for (let at = variables; at; at = at.outer) {
        if (at.names.has(node.id)) return `assignment expression cannot rebind comprehension iteration variable '${node.id}'`;
      }
      return inside(node.value);
    case 'lambda':
      // In a lambda, `:=` assigns a variable of the lambda.
      return firstOf(lambdaDefaults(node), inside) ?? walrusError(node.body, undefined, isIterable);
    case 'conditional':
      return firstOf([node.test, node.then, node.otherwise], inside);
    case 'dict':
      return firstOf([...node.entries.flatMap(({ key }) => key ?? []), ...node.entries.map(({ value }) => value)], inside);
    default:
      return 'clauses' in node ? comprehensionError(node, variables, isIterable) : firstOf(children(node), inside);
  }
}

function comprehensionError(node: Comprehension, outer: Variables | undefined, isIterable: boolean): string | undefined {
  const own: Variables = { names: new Set(), outer };
  const inside = (child: Expression) => walrusError(child, own, isIterable);
  const error = firstOf(node.clauses, ({ iterable, target, conditions }, index) => {
    // The first list is read before the variables exist, each further one after its own.
    if (index > 0) for (const name of targetNames(target)) own.names.add(name);
    const found = walrusError(iterable, index === 0 ? outer : own, true);
    for (const name of targetNames(target)) own.names.add(name);
    return found ?? firstOf(conditions, inside);
  });
  return error ?? firstOf('key' in node ? [node.element, node.key] : [node.element], inside);
}

function firstOf<Item>(items: readonly Item[], find: (item: Item, index: number) => string | undefined): string | undefined {
  for (const [index, item] of items.entries()) {
    const found = find(item, index);
    if (found !== undefined) return found;
  }
  return undefined;
}
