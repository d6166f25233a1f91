import { readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { type AnyNode, parse } from 'acorn';

/** A syntax tree as plain objects, to walk without naming every kind of node. */
type Tree = Readonly<Record<string, unknown>>;

const isTree = (value: unknown): value is Tree => typeof value === 'object' && value !== null && 'type' in value;

/** Names of functions that load a module in bundled code: `require` itself and what the bundler makes of it. */
const REQUIRE = /^(?:__)?require\d*(?:\$\d+)?$/;
const CREATE_REQUIRE = /^(?:createRequire|packageLoader)(?:\$\d+)?$/;

/**
 * The packages that a built file loads: by `import`, `export … from`, `import()`, `require`, and functions made by
 * `createRequire` or by the engine's `packageLoader`.
 * Built-in modules and files are left out.
 */
export function externalsOf(file: string): ReadonlySet<string> {
  return packagesIn(readFileSync(file, 'utf8'), file.endsWith('.cjs') ? 'script' : 'module');
}

/** Like `externalsOf`, for a source text. */
export function packagesIn(text: string, sourceType: 'module' | 'script' = 'module'): ReadonlySet<string> {
  const tree = parse(text, { ecmaVersion: 'latest', sourceType, allowHashBang: true }) as unknown as Tree;
  const loaders = new Set<string>();
  const found = new Set<string>();
  walk(tree, (node) => {
    if (node.type === 'VariableDeclarator' && isCreateRequire(node.init)) loaders.add(nameOf(node.id));
  });
  walk(tree, (node) => {
    const specifier = specifierOf(node, loaders);
    if (specifier !== null && !/^(?:\.|\/|file:|data:|#)/.test(specifier) && !isBuiltin(specifier)) found.add(packageName(specifier));
  });
  return found;
}

/** `@scope/name` or `name` of an imported path. */
function packageName(specifier: string): string {
  const parts = specifier.split('/');
  return parts.slice(0, specifier.startsWith('@') ? 2 : 1).join('/');
}

function specifierOf(node: Tree, loaders: ReadonlySet<string>): string | null {
  const kind = node.type as AnyNode['type'];
  if (kind === 'ImportDeclaration' || kind === 'ExportNamedDeclaration' || kind === 'ExportAllDeclaration' || kind === 'ImportExpression')
    return literal(node.source);
  if (kind !== 'CallExpression') return null;
  const { callee } = node;
  if (!isTree(callee)) return null;
  const loads = callee.type === 'Identifier' ? loaders.has(nameOf(callee)) || REQUIRE.test(nameOf(callee)) : isCreateRequire(callee);
  return loads ? literal((node.arguments as readonly unknown[])[0]) : null;
}

const isCreateRequire = (value: unknown): boolean =>
  isTree(value) && value.type === 'CallExpression' && CREATE_REQUIRE.test(nameOf(value.callee));

/** The name of an identifier, or of the property of `module.createRequire`. */
function nameOf(node: unknown): string {
  if (!isTree(node)) return '';
  return node.type === 'MemberExpression' ? nameOf(node.property) : String(node.name ?? '');
}

function literal(node: unknown): string | null {
  if (!isTree(node)) return null;
  if (node.type === 'TemplateLiteral') {
    const [only, ...rest] = node.quasis as readonly { readonly value: { readonly cooked: string } }[];
    return rest.length === 0 && only ? only.value.cooked : null;
  }
  return typeof node.value === 'string' ? node.value : null;
}

/** Visits every node. Iterative, because bundled expressions nest deeply. */
function walk(root: Tree, visit: (node: Tree) => void): void {
  const pending: unknown[] = [root];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (Array.isArray(next)) pending.push(...next.filter((item) => typeof item === 'object' && item !== null));
    else if (isTree(next)) {
      visit(next);
      for (const value of Object.values(next)) if (typeof value === 'object' && value !== null) pending.push(value);
    }
  }
}
