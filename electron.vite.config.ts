import { resolve } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig, type MainViteConfig, type PreloadViteConfig, type RendererViteConfig } from 'electron-vite';
import type { Plugin } from 'vite';
import manifest from './package.json' with { type: 'json' };
import { fileList } from './scripts/build/file-list.ts';
import { fileUrls } from './scripts/build/file-urls.ts';
import { swaggerUi } from './scripts/build/swagger-ui.ts';

// Every script and page lies exactly one folder below `out/` (electron/, web/, cli/, workers/, chunks/, renderer/), so that
// `../renderer/` is right from each of them, chunks included. `npm run build -- PART` chooses a part by its mode; electron-vite
// alone builds the desktop's.
const root = import.meta.dirname;
const source = resolve(root, 'src-main');
const hosts = resolve(source, 'hosts');

// Stay in node_modules: native code, WebAssembly loaded by path, and what few users need.
const EXTERNAL = [/^elkjs/, 'quickjs-emscripten-core', /^@jitl\//, 'node-llama-cpp'];

type NodePart = 'main' | 'cli' | 'runtime' | 'electron-vehicle';

/** Everything in node_modules but what the contract is written with: who uses the package has its dependencies, and shares zod with it. */
const PACKAGES = [/^(?!node:|@orpc\/|radash$)[@a-z][\w@./-]*$/];

/** Entries by their place below the output folder. The command line is built apart, so that it loads nothing of the windows. */
const NODE_ENTRIES: Readonly<Record<NodePart, Record<string, string>>> = {
  main: { 'electron/main': resolve(hosts, 'electron/main.ts'), 'web/main': resolve(hosts, 'web/main.ts') },
  cli: { 'cli/main': resolve(hosts, 'cli/main.ts') },
  runtime: {
    'runtime/index': resolve(source, 'sdk/runtime.ts'),
    'runtime/otel': resolve(source, 'sdk/otel.ts'),
    'runtime/testing': resolve(source, 'sdk/testing.ts'),
    'runtime/engine': resolve(source, 'sdk/engine.ts'),
  },
  'electron-vehicle': { 'electron/main': resolve(hosts, 'electron/main.ts') },
};

/** Of the repository's `package.json`, programs read the version. */
const onlyVersion: Plugin = {
  name: 'only-version',
  load: (id) => (id === resolve(root, 'package.json') ? JSON.stringify({ version: manifest.version }) : null),
};

/** The test vehicle's Electron is old: lower syntax, CommonJS, a shim first, and a SQLite that loads there. */
function nodeBuild(part: NodePart): MainViteConfig {
  const vehicle = part === 'electron-vehicle';
  const prefix = part === 'cli' || part === 'runtime' ? `${part}-` : '';
  return {
    plugins: [onlyVersion, fileUrls(source, `${prefix}workers`), ...(part === 'cli' ? [swaggerUi(root)] : [])],
    resolve: vehicle
      ? { alias: { 'better-sqlite3': resolve(import.meta.dirname, 'scripts/offline/electron-vehicle/shim/sqlite.cjs') } }
      : {},
    build: {
      outDir: vehicle ? 'out/electron-vehicle' : 'out',
      emptyOutDir: false,
      target: vehicle ? 'node16' : part === 'runtime' ? 'node20' : 'node24',
      sourcemap: true,
      externalizeDeps: false,
      rolldownOptions: {
        input: NODE_ENTRIES[part],
        // The library's entry exports its own names and none of the bundler's.
        preserveEntrySignatures: part === 'runtime' ? 'strict' : 'exports-only',
        external: part === 'runtime' ? PACKAGES : [...EXTERNAL, vehicle ? 'libsql' : 'better-sqlite3'],
        checks: { bundlerTimings: false },
        output: {
          format: vehicle ? 'cjs' : 'es',
          entryFileNames: '[name].js',
          chunkFileNames: `${prefix}chunks/[name]-[hash].js`,
          // Other files that code finds beside it, such as Python.
          assetFileNames: `${prefix}workers/[name]-[hash][extname]`,
          banner: (chunk) => (vehicle && chunk.isEntry ? "require('../shim/node.js');" : ''),
        },
      },
    },
  };
}

const preloadBuild = (vehicle: boolean): PreloadViteConfig => ({
  build: {
    outDir: vehicle ? 'out/electron-vehicle' : 'out',
    emptyOutDir: false,
    target: vehicle ? 'node16' : 'node24',
    sourcemap: true,
    externalizeDeps: false,
    rolldownOptions: {
      input: { 'electron/preload': resolve(hosts, 'electron/preload.ts') },
      // A sandboxed preload is one CommonJS file.
      output: { format: 'cjs', entryFileNames: '[name].cjs', codeSplitting: false },
    },
  },
});

/** The form library's main file also exports a helper for tests, which needs a validator that compiles code and is not installed. */
const withoutTestValidator: Plugin = {
  name: 'without-test-validator',
  resolveId: (id) => (id === '@rjsf/validator-ajv8' ? '\0no-validator' : null),
  load: (id) => (id === '\0no-validator' ? 'export default {};' : null),
};

/** One page for every window and browser. Chrome 108 is what the test vehicle has; other browsers of that age follow. */
const rendererBuild: RendererViteConfig = {
  root: resolve(root, 'src-renderer'),
  plugins: [react(), fileList(), withoutTestValidator],
  worker: { format: 'es' },
  build: {
    outDir: 'out/renderer',
    emptyOutDir: false,
    target: 'chrome108',
    // Monaco's maps alone would be 70 MB and triple the time.
    sourcemap: false,
    minify: true,
    // The content security policy allows no data: fonts and no inline script.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 4096,
    rolldownOptions: { input: resolve(root, 'src-renderer/index.html'), checks: { bundlerTimings: false } },
  },
};

export default defineConfig(({ mode }) => {
  if (mode === 'cli' || mode === 'runtime') return { main: nodeBuild(mode) };
  if (mode === 'electron-vehicle') return { main: nodeBuild('electron-vehicle'), preload: preloadBuild(true) };
  if (mode === 'main') return { main: nodeBuild('main'), preload: preloadBuild(false) };
  if (mode === 'renderer') return { renderer: rendererBuild };
  return { main: nodeBuild('main'), preload: preloadBuild(false), renderer: rendererBuild };
});
