import { type AnyNode, type Node, type Pattern, type Program, parse, type Statement } from 'acorn';

/** A module's code and its tree. */
export interface ModuleSource {
  readonly code: string;
  readonly program: Program;
}

/** Parses JavaScript (TypeScript with its types stripped). Throws `SyntaxError`. */
export function parseModule(code: string): ModuleSource {
  return { code, program: parse(code, { ecmaVersion: 'latest', sourceType: 'module', locations: true }) };
}

export function textOf({ code }: ModuleSource, { start, end }: Node): string {
  return code.slice(start, end);
}

/** Line of a node, from 1. */
export function lineOf(node: Node): number {
  return node.loc?.start.line ?? 1;
}

/** A statement without `export`. */
export function unexported(statement: Program['body'][number]): Statement | null {
  if (statement.type === 'ExportNamedDeclaration') return statement.declaration ?? null;
  if (statement.type === 'ImportDeclaration' || statement.type === 'ExportAllDeclaration' || statement.type === 'ExportDefaultDeclaration')
    return null;
  return statement;
}

/** The names that a pattern declares. */
export function namesIn(pattern: Pattern): string[] {
  switch (pattern.type) {
    case 'Identifier':
      return [pattern.name];
    case 'ObjectPattern':
      return pattern.properties.flatMap((property) => namesIn(property.type === 'Property' ? property.value : property.argument));
    case 'ArrayPattern':
      return pattern.elements.flatMap((element) => (element ? namesIn(element) : []));
    case 'AssignmentPattern':
      return namesIn(pattern.left);
    case 'RestElement':
      return namesIn(pattern.argument);
    default:
      return [];
  }
}

/** Visits a node and all within it. `visit` answers false to leave out what is within. */
export function walk(node: AnyNode, visit: (node: AnyNode) => boolean | undefined): void {
  if (visit(node) === false) return;
  for (const value of Object.values(node)) {
    const children: unknown[] = Array.isArray(value) ? value : [value];
    for (const child of children) if (isNode(child)) walk(child, visit);
  }
}

function isNode(value: unknown): value is AnyNode {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string' && 'start' in value;
}

/** The names that code uses: identifiers other than names of properties. */
export function namesUsed(node: AnyNode): Set<string> {
  const names = new Set<string>();
  const visit = (each: AnyNode): boolean | undefined => {
    if (each.type === 'Identifier') names.add(each.name);
    if (each.type === 'MemberExpression' && !each.computed) {
      walk(each.object, visit);
      return false;
    }
    if (each.type === 'Property' && !each.computed) {
      walk(each.value, visit);
      return false;
    }
    return undefined;
  };
  walk(node, visit);
  return names;
}

/** Whether code within a node, functions in it left out, has a node for which `test` holds. */
export function contains(node: AnyNode, test: (node: AnyNode) => boolean): boolean {
  let found = false;
  walk(node, (each) => {
    if (found) return false;
    if (each !== node && isFunction(each)) return false;
    if (test(each)) found = true;
    return !found;
  });
  return found;
}

export function isFunction({ type }: AnyNode): boolean {
  return type === 'FunctionDeclaration' || type === 'FunctionExpression' || type === 'ArrowFunctionExpression';
}
