import { parse } from 'acorn';
import type { StripTypes } from './strip-types.ts';

/** A call of `import` with a literal. Specifiers built at run time cannot be read. */
const dynamicImport = /\bimport\s*\(\s*(['"])([^'"\n]+)\1/g;

/** Returns the import specifiers of a JavaScript or TypeScript module without running it. Code that cannot be parsed has only dynamic ones. */
export function readModuleImports(source: string, strip: StripTypes): string[] {
  const dynamic = [...source.matchAll(dynamicImport)].map(([, , name = '']) => name);
  try {
    const stripped = strip(source);
    const { body } = parse(stripped.ok ? stripped.code : source, { ecmaVersion: 'latest', sourceType: 'module', allowHashBang: true });
    return [
      ...body.flatMap((statement) => ('source' in statement && statement.source ? [String(statement.source.value)] : [])),
      ...dynamic,
    ];
  } catch {
    return dynamic;
  }
}
