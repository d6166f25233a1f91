import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build, type Rolldown } from 'vite';

/** A program that is bundled as for a browser. */
export interface Bundled {
  /** Its modules by name; the first is the entry. */
  readonly modules: ReadonlyMap<string, string>;
  /** What they import besides each other. */
  readonly outside: readonly string[];
  /** Bytes of what is loaded when it starts, minified, and packed by gzip. */
  readonly size: number;
  readonly packedSize: number;
}

/** Bundles a module of this folder, or of the sources, with everything that it imports. */
export async function bundled(entry: string): Promise<Bundled> {
  const root = join(import.meta.dirname, '../..');
  const result = await build({
    root,
    configFile: false,
    logLevel: 'error',
    build: {
      write: false,
      target: 'es2022',
      lib: { entry: join(root, entry), formats: ['es'], fileName: 'entry' },
      rolldownOptions: { output: { minify: true } },
    },
  });
  const { output } = (Array.isArray(result) ? result[0] : result) as Rolldown.RolldownOutput;
  const chunks = output.filter((each) => each.type === 'chunk').sort((one, other) => Number(other.isEntry) - Number(one.isEntry));
  const modules = new Map(chunks.map(({ fileName, code }) => [fileName, code]));
  const first = new Set<string>();
  const load = (name: string): void => {
    const chunk = chunks.find(({ fileName }) => fileName === name);
    if (!chunk || first.has(name)) return;
    first.add(name);
    chunk.imports.forEach(load);
  };
  load(chunks[0]?.fileName ?? '');
  const code = [...first].map((name) => modules.get(name)).join('\n');
  const outside = chunks.flatMap(({ imports, dynamicImports }) => [...imports, ...dynamicImports]).filter((name) => !modules.has(name));
  return { modules, outside, size: code.length, packedSize: gzipSync(code).length };
}
