import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import ts from 'typescript';

/** Folders of the sources by the prefix under which modules import them. */
const FOLDERS: Readonly<Record<string, string>> = { '#main/': 'src-main/', '#shared/': 'src-shared/' };
/** A type that the compiler refers to by its module, with or without an extension. */
const INLINE = /import\("(\.{1,2}\/[\w/.-]+?)(?:\.ts)?"\)/g;
const IMPORT = /(['"])(#main\/|#shared\/|\.\/)([\w/.-]+)\.ts\1/g;

/** Modules that the published packages export. */
export const libraryEntries: readonly string[] = [
  'src-main/sdk/runtime',
  'src-main/sdk/engine',
  'src-main/sdk/otel',
  'src-main/sdk/testing',
];

/**
 * Writes the declarations of `pravah-studio/runtime` to `out/runtime-types`: those of its entries and everything that they import, with imports that
 * work outside of this project.
 */
export function writeRuntimeTypes(root: string): void {
  const { config } = ts.readConfigFile(join(root, 'src-main', 'tsconfig.json'), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, join(root, 'src-main'));
  const emit = {
    noEmit: false,
    declaration: true,
    emitDeclarationOnly: true,
    stripInternal: true,
    rootDir: root,
    incremental: false,
    tsBuildInfoFile: undefined,
  };
  const program = ts.createProgram(
    libraryEntries.map((entry) => join(root, `${entry}.ts`)),
    { ...options, ...emit },
  );
  // Iterating over a set also visits what is added during the loop.
  const modules = new Set(libraryEntries);
  for (const module of modules) {
    const target = join(root, 'out', 'runtime-types', `${module}.d.ts`);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, withRelativeImports(declarationsOf(program, join(root, `${module}.ts`)), module, modules));
  }
}

function declarationsOf(program: ts.Program, file: string): string {
  let text = '';
  const { diagnostics } = program.emit(program.getSourceFile(file), (_, written) => {
    text = written;
  });
  const [first] = diagnostics;
  if (first) throw new Error(`${file}: ${ts.flattenDiagnosticMessageText(first.messageText, '\n')}`);
  return text;
}

/** Adds every module that the text imports to `modules`. Modules are named by their path below the root, without extension. */
function withRelativeImports(text: string, module: string, modules: Set<string>): string {
  const inline = text.replaceAll(INLINE, (_, path: string) => {
    const target = join(dirname(module), path).split(sep).join('/');
    modules.add(target);
    return `import("${path}.js")`;
  });
  return inline.replaceAll(IMPORT, (_, quote: string, prefix: string, path: string) => {
    const target = prefix === './' ? join(dirname(module), path) : `${FOLDERS[prefix]}${path}`;
    modules.add(target);
    const way = relative(dirname(module), target).split(sep).join('/');
    return `${quote}${way.startsWith('.') ? way : `./${way}`}.js${quote}`;
  });
}
