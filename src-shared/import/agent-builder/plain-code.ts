import type { AnyNode } from 'acorn';
import { contains, isFunction, type ModuleSource, namesIn, namesUsed, textOf, walk } from './module-source.ts';
import type { Declarations } from './read-agents.ts';

/** Names that code in the sandbox may use although nothing declares them. */
const builtIn = new Set(
  'Array Boolean Date Error Infinity JSON Map Math NaN Number Object Promise RegExp Set String Symbol encodeURIComponent decodeURIComponent isNaN isFinite parseFloat parseInt undefined console'.split(
    ' ',
  ),
);

/** Code of the module that the sandbox can run, with the variables of the workflow that it uses. */
export interface PlainCode {
  readonly source: string;
  /** Declarations of the module that must come before it. */
  readonly before: readonly string[];
  readonly variables: readonly string[];
}

/** Turns code of the workflow into code that runs here, or says which name prevents that. */
export class CodeReader {
  readonly #module: ModuleSource;
  readonly #others: Declarations['others'];
  /** Variables of the workflow that have been declared so far. */
  readonly variables = new Set<string>(['workflow']);

  constructor(module: ModuleSource, { others }: Declarations) {
    this.#module = module;
    this.#others = others;
  }

  declare(names: Iterable<string>): void {
    for (const name of names) this.variables.add(name);
  }

  /** `locals` are declared within the code itself. */
  read(node: AnyNode, locals: ReadonlySet<string> = declaredIn(node)): PlainCode | { readonly missing: string } {
    if (contains(node, ({ type }) => type === 'AwaitExpression')) return { missing: textOf(this.#module, node).split('\n')[0] ?? 'await' };
    const before = new Map<string, string>();
    const variables = new Set<string>();
    const missing = this.#gather(node, locals, before, variables, new Set());
    if (missing !== null) return { missing };
    return {
      source: dedented(textOf(this.#module, node), node.loc?.start.column ?? 0),
      before: [...before.values()],
      variables: [...variables],
    };
  }

  #gather(
    node: AnyNode,
    locals: ReadonlySet<string>,
    before: Map<string, string>,
    variables: Set<string>,
    seen: Set<string>,
  ): string | null {
    for (const name of namesUsed(node)) {
      if (this.variables.has(name)) variables.add(name);
      else if (!locals.has(name) && !builtIn.has(name) && !seen.has(name)) {
        const other = this.#others.get(name);
        if (!other) return name;
        seen.add(name);
        const nested = this.#gather(other.node, declaredIn(other.node), before, new Set(), seen);
        if (nested !== null) return nested;
        before.set(name, other.source);
      }
    }
    return null;
  }
}

/** Later lines of a piece of code, moved left as far as its first line was indented. */
function dedented(text: string, column: number): string {
  return text.replaceAll(`\n${' '.repeat(column)}`, '\n');
}

/** All names that code declares: variables, parameters, functions. */
export function declaredIn(node: AnyNode): Set<string> {
  const names = new Set<string>();
  walk(node, (each) => {
    if (each.type === 'VariableDeclarator') for (const name of namesIn(each.id)) names.add(name);
    if (isFunction(each) && 'params' in each) for (const parameter of each.params) for (const name of namesIn(parameter)) names.add(name);
    if ((each.type === 'FunctionDeclaration' || each.type === 'FunctionExpression') && each.id) names.add(each.id.name);
    if (each.type === 'CatchClause' && each.param) for (const name of namesIn(each.param)) names.add(name);
    return undefined;
  });
  return names;
}

/** Statements over the fields of `data`, as an expression of the changed `data`. */
export function changeOf(parts: readonly PlainCode[], declared: readonly string[]): string {
  const used = [...new Set(parts.flatMap(({ variables }) => variables))].filter((name) => !declared.includes(name));
  const lines = [
    ...(used.length > 0 ? [`let { ${used.join(', ')} } = data;`] : []),
    ...new Set(parts.flatMap(({ before }) => before)),
    ...parts.map(({ source }) => source),
    `return { ${['...data', ...used, ...declared].join(', ')} };`,
  ];
  return `(() => {\n${lines.join('\n')}\n})()`;
}

/** An expression over the fields of `data`. */
export function expressionOver({ source, before, variables }: PlainCode): string {
  const taken = variables.length > 0 ? `{ ${variables.join(', ')} }` : '';
  if (before.length > 0) return `((${taken}) => { ${before.join(' ')} return (${source}); })(data)`;
  return variables.length > 0 ? `((${taken}) => ${source})(data)` : `(${source})`;
}
