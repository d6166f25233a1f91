/** What is published under one name on npm. Paths are relative to the repository. */
export interface Product {
  readonly name: string;
  readonly description: string;
  /** Parts of `npm run build` that it is made of. */
  readonly parts: readonly string[];
  /** What npm shows. */
  readonly readme: string;
  /** Files and folders that are copied. */
  readonly files: readonly string[];
  readonly exports: Readonly<Record<string, unknown>>;
  readonly bin?: Readonly<Record<string, string>>;
  readonly node: string;
  /** Whether functions keep their names when scripts are made smaller, so that stack traces can be read. Classes always do. */
  readonly keepsFunctionNames: boolean;
  /** Whether chunks keep the hashes in their names. */
  readonly keepsHashes: boolean;
  /** Packages that the build may leave external, by how the user gets them. Any other fails the packaging. */
  readonly externals: Readonly<Record<string, 'dependency' | 'peer' | 'optional peer'>>;
}

const runtimeFiles = ['out/runtime', 'out/runtime-chunks', 'out/runtime-workers', 'out/library-types'];
const runtimeEntry = { types: './out/library-types/runtime.d.ts', default: './out/runtime/index.js' };
const testingEntry = { types: './out/library-types/testing.d.ts', default: './out/runtime/testing.js' };
const otelEntry = { types: './out/library-types/otel.d.ts', default: './out/runtime/otel.js' };
const engineEntry = { types: './out/library-types/engine.d.ts', default: './out/runtime/engine.js' };
const always = {
  '@noble/hashes': 'dependency',
  acorn: 'dependency',
  ajv: 'dependency',
  'ajv-formats': 'dependency',
  amaro: 'dependency',
  'jsonc-parser': 'dependency',
  'quickjs-emscripten-core': 'dependency',
  '@jitl/quickjs-wasmfile-release-sync': 'dependency',
  re2js: 'dependency',
  yaml: 'dependency',
} as const;

export const PRODUCTS: readonly Product[] = [
  {
    name: 'pravah',
    description: 'Typed agent flows as a library: define, prove, run, suspend, replay.',
    parts: ['runtime'],
    readme: 'scripts/package/README-library.md',
    files: [...runtimeFiles, 'resources/schemas'],
    exports: {
      '.': runtimeEntry,
      './engine': engineEntry,
      './otel': otelEntry,
      './testing': testingEntry,
      './schemas/*': './resources/schemas/*',
      './package.json': './package.json',
    },
    node: '>=20.19',
    keepsFunctionNames: false, // 12 kB of the tarball
    keepsHashes: false, // 4 kB, since they do not compress
    externals: {
      ...always,
      zod: 'peer', // the caller's schemas and ours have to come from one copy
      '@anthropic-ai/sdk': 'optional peer',
      '@google/genai': 'optional peer',
      '@modelcontextprotocol/sdk': 'optional peer',
      '@mozilla/readability': 'optional peer',
      '@opentelemetry/api': 'optional peer',
      'better-sqlite3': 'optional peer',
      elkjs: 'optional peer',
      'json-p3': 'optional peer',
      'node-llama-cpp': 'optional peer',
      ollama: 'optional peer',
      openai: 'optional peer',
      parse5: 'optional peer',
    },
  },
  {
    name: 'pravah-studio',
    description: 'Draw, run and debug typed agent flows on your own machine.',
    parts: ['main', 'cli', 'runtime', 'renderer'],
    readme: 'README.md',
    files: [
      ...['bin', 'out/cli', 'out/cli-chunks', 'out/cli-workers', 'out/swagger-ui', 'out/web', 'out/chunks', 'out/workers'],
      ...['out/renderer', 'resources', ...runtimeFiles],
    ],
    exports: { './runtime': runtimeEntry, './schemas/*': './resources/schemas/*', './package.json': './package.json' },
    bin: { pravah: 'bin/pravah', 'pravah-studio': 'bin/pravah' },
    node: '>=24',
    keepsFunctionNames: true,
    keepsHashes: true, // pages are cached by them
    externals: {
      ...always,
      zod: 'dependency',
      'better-sqlite3': 'dependency',
      elkjs: 'optional peer', // only diagrams as SVG
      // Bundled for the application; only `pravah-studio/runtime` loads these packages.
      '@anthropic-ai/sdk': 'optional peer',
      '@mozilla/readability': 'optional peer',
      '@opentelemetry/api': 'optional peer',
      'json-p3': 'optional peer',
      parse5: 'optional peer',
      '@google/genai': 'optional peer',
      '@modelcontextprotocol/sdk': 'optional peer',
      'node-llama-cpp': 'optional peer',
      ollama: 'optional peer',
      openai: 'optional peer',
    },
  },
];

/** Throws for a name that is not published. */
export function productNamed(name: string): Product {
  const product = PRODUCTS.find((one) => one.name === name);
  if (!product) throw new Error(`There is no product ${name}.`);
  return product;
}
