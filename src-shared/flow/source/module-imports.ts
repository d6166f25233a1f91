import { parse } from 'acorn';
import type { StripTypes } from '#shared/flow/source/strip-types.ts';

/** A call of `import` with a text that is written out. What is put together at run time cannot be read. */
const dynamicImport = /\bimport\s*\(\s*(['"])([^'"\n]+)\1/g;

/** What a JavaScript or TypeScript module imports, as it is written there, without running it. Of code that cannot be read: nothing. */
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
