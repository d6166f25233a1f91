import { type Pattern, parse } from 'acorn';
import { type SourceFault, syntaxFault } from './source-fault.ts';
import type { StripTypes } from './strip-types.ts';

/** What a module exports. `open`: it re-exports all of another module, so it may export more than `names`. */
export type ModuleExports =
  | { readonly ok: true; readonly names: ReadonlySet<string>; readonly open: boolean }
  | { readonly ok: false; readonly fault: SourceFault };

/** Returns the names that a JavaScript or TypeScript module exports, without running it. */
export function readModuleExports(source: string, strip: StripTypes): ModuleExports {
  const stripped = strip(source);
  if (!stripped.ok) return stripped;
  const { code } = stripped;
  try {
    const names = new Set<string>();
    let open = false;
    for (const statement of parse(code, { ecmaVersion: 'latest', sourceType: 'module', allowHashBang: true }).body) {
      if (statement.type === 'ExportDefaultDeclaration') names.add('default');
      if (statement.type === 'ExportAllDeclaration') {
        if (statement.exported) names.add(nameOf(statement.exported));
        else open = true;
      }
      if (statement.type !== 'ExportNamedDeclaration') continue;
      for (const specifier of statement.specifiers) names.add(nameOf(specifier.exported));
      const { declaration } = statement;
      if (declaration?.type === 'VariableDeclaration') for (const each of declaration.declarations) addPattern(each.id, names);
      else if (declaration) names.add(declaration.id.name);
    }
    return { ok: true, names, open };
  } catch (error) {
    const message = error instanceof Error ? error.message.replace(/ \(\d+:\d+\)$/, '') : 'the file cannot be read';
    const position = error instanceof SyntaxError && 'pos' in error && typeof error.pos === 'number' ? error.pos : 0;
    return { ok: false, fault: syntaxFault(code, position, message) };
  }
}

function nameOf(
  node: { readonly type: 'Identifier'; readonly name: string } | { readonly type: 'Literal'; readonly value?: unknown },
): string {
  return node.type === 'Identifier' ? node.name : String(node.value);
}

function addPattern(pattern: Pattern, names: Set<string>): void {
  if (pattern.type === 'Identifier') names.add(pattern.name);
  else if (pattern.type === 'ArrayPattern') for (const item of pattern.elements) item && addPattern(item, names);
  else if (pattern.type === 'AssignmentPattern') addPattern(pattern.left, names);
  else if (pattern.type === 'RestElement') addPattern(pattern.argument, names);
  else if (pattern.type === 'ObjectPattern')
    for (const entry of pattern.properties) addPattern(entry.type === 'Property' ? entry.value : entry, names);
}
