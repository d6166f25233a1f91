/** What is published under one name on npm. Paths are relative to the repository. */
export interface Product {
  readonly name: string;
  readonly description: string;
  /** Parts of `npm run build` that it is made of. */
  readonly parts: readonly string[];
  /** Files and folders that are copied. */
  readonly files: readonly string[];
  readonly exports: Readonly<Record<string, unknown>>;
  readonly bin?: Readonly<Record<string, string>>;
  readonly node: string;
  /** Packages that the build may leave external, by how the user gets them. Any other fails the packaging. */
  readonly externals: Readonly<Record<string, 'dependency' | 'peer' | 'optional peer'>>;
}

const runtimeFiles = ['out/runtime', 'out/runtime-chunks', 'out/runtime-workers', 'out/runtime-types'];
const runtimeEntry = { types: './out/runtime-types/src-main/sdk/runtime.d.ts', default: './out/runtime/index.js' };
const always = {
  acorn: 'dependency',
  ajv: 'dependency',
  'ajv-formats': 'dependency',
  amaro: 'dependency',
  'jsonc-parser': 'dependency',
  'quickjs-emscripten': 'dependency',
  re2js: 'dependency',
  yaml: 'dependency',
} as const;

export const PRODUCTS: readonly Product[] = [
  {
    name: 'pravah',
    description: 'Typed agent flows as a library: define, prove, run, suspend, replay.',
    parts: ['runtime'],
    files: [...runtimeFiles, 'resources/schemas'],
    exports: { '.': runtimeEntry, './schemas/*': './resources/schemas/*', './package.json': './package.json' },
    node: '>=20.19',
    externals: {
      ...always,
      zod: 'peer', // the caller's schemas and ours have to come from one copy
      '@anthropic-ai/sdk': 'optional peer',
      '@google/genai': 'optional peer',
      '@modelcontextprotocol/sdk': 'optional peer',
      '@mozilla/readability': 'optional peer',
      'better-sqlite3': 'optional peer',
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
    files: [
      ...['bin', 'out/cli', 'out/cli-chunks', 'out/cli-workers', 'out/swagger-ui', 'out/web', 'out/chunks', 'out/workers'],
      ...['out/renderer', 'resources', ...runtimeFiles],
    ],
    exports: { './runtime': runtimeEntry, './schemas/*': './resources/schemas/*', './package.json': './package.json' },
    bin: { pravah: 'bin/pravah', 'pravah-studio': 'bin/pravah' },
    node: '>=24',
    externals: {
      ...always,
      zod: 'dependency',
      '@mozilla/readability': 'dependency',
      'better-sqlite3': 'dependency',
      'json-p3': 'dependency',
      parse5: 'dependency',
      '@anthropic-ai/sdk': 'optional peer', // bundled for the application; only `pravah-studio/runtime` loads the package
      '@google/genai': 'optional peer',
      '@modelcontextprotocol/sdk': 'optional peer',
      'node-llama-cpp': 'optional peer',
      ollama: 'optional peer',
      openai: 'optional peer',
    },
  },
];
