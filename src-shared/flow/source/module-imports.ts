import { parse } from 'acorn';
import { transform } from 'sucrase';

/** A call of `import` with a text that is written out. What is put together at run time cannot be read. */
const dynamicImport = /\bimport\s*\(\s*(['"])([^'"\n]+)\1/g;

/** What a JavaScript or TypeScript module imports, as it is written there, without running it. Of code that cannot be read: nothing. */
export function readModuleImports(source: string): string[] {
  const dynamic = [...source.matchAll(dynamicImport)].map(([, , name = '']) => name);
  try {
    const { code } = transform(source, { transforms: ['typescript'], disableESTransforms: true, keepUnusedImports: true });
    const { body } = parse(code, { ecmaVersion: 'latest', sourceType: 'module', allowHashBang: true });
    return [
      ...body.flatMap((statement) => ('source' in statement && statement.source ? [String(statement.source.value)] : [])),
      ...dynamic,
    ];
  } catch {
    return dynamic;
  }
}
