import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig, type MainViteConfig, type PreloadViteConfig, type RendererViteConfig } from 'electron-vite';
import { fileList } from './scripts/build/file-list.ts';
import { fileUrls } from './scripts/build/file-urls.ts';

// Every script and page lies exactly one folder below `out/` (electron/, web/, cli/, workers/, chunks/, renderer/), so that
// `../renderer/` is right from each of them, chunks included. `npm run build -- NAME` chooses a part by its mode; electron-vite
// alone builds the first three together.
const root = import.meta.dirname;

/** Entries by their place below the output folder. */
const nodeEntries = entries({
  'electron/main': 'src-main/hosts/electron/main.ts',
  'web/main': 'src-main/hosts/web/main.ts',
  'cli/main': 'src-main/hosts/cli/main.ts',
});
const preloadEntries = entries({ 'electron/preload': 'src-main/hosts/electron/preload.ts' });

// Stay in node_modules: native code, WebAssembly loaded by path, and a logger that starts threads by path.
const EXTERNAL = ['pino', 'quickjs-emscripten', /^@jitl\//];

/** The test vehicle's Electron is old: lower syntax, CommonJS, a shim first, and a SQLite that loads there. */
const nodeBuild = (vehicle: boolean): MainViteConfig => ({
  plugins: [fileUrls(resolve(root, 'src-main'))],
  resolve: vehicle ? { alias: { 'better-sqlite3': 'libsql' } } : {},
  build: {
    outDir: vehicle ? 'out/electron-vehicle' : 'out',
    emptyOutDir: false,
    target: vehicle ? 'node16' : 'node24',
    sourcemap: true,
    externalizeDeps: false,
    rolldownOptions: {
      input: vehicle ? { 'electron/main': nodeEntries['electron/main'] ?? '' } : nodeEntries,
      external: [...EXTERNAL, vehicle ? 'libsql' : 'better-sqlite3'],
      output: {
        format: vehicle ? 'cjs' : 'es',
        entryFileNames: '[name].js',
        chunkFileNames: 'chunks/[name]-[hash].js',
        banner: (chunk) => (vehicle && chunk.isEntry ? "require('../shim/node.js');" : ''),
      },
    },
  },
});

const preloadBuild = (vehicle: boolean): PreloadViteConfig => ({
  build: {
    outDir: vehicle ? 'out/electron-vehicle' : 'out',
    emptyOutDir: false,
    target: vehicle ? 'node16' : 'node24',
    sourcemap: true,
    externalizeDeps: false,
    rolldownOptions: {
      input: preloadEntries,
      // A sandboxed preload is one CommonJS file.
      output: { format: 'cjs', entryFileNames: '[name].cjs', codeSplitting: false },
    },
  },
});

/** One page for every window and browser. Chrome 108 is what the test vehicle has; other browsers of that age follow. */
const rendererBuild: RendererViteConfig = {
  root: resolve(root, 'src-renderer'),
  plugins: [react(), fileList()],
  worker: { format: 'es' },
  build: {
    outDir: 'out/renderer',
    emptyOutDir: true,
    target: 'chrome108',
    sourcemap: true,
    minify: true,
    // The content security policy allows no data: fonts and no inline script.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 4096,
    rolldownOptions: { input: resolve(root, 'src-renderer/index.html') },
  },
};

export default defineConfig(({ mode }) => {
  if (mode === 'main') return { main: nodeBuild(false), preload: preloadBuild(false) };
  if (mode === 'renderer') return { renderer: rendererBuild };
  if (mode === 'electron-vehicle') return { main: nodeBuild(true), preload: preloadBuild(true) };
  return { main: nodeBuild(false), preload: preloadBuild(false), renderer: rendererBuild };
});

function entries(paths: Record<string, string>): Record<string, string> {
  const all = Object.entries(paths).map(([name, path]) => [name, resolve(root, path)] as const);
  return Object.fromEntries(all.filter(([, path]) => existsSync(path)));
}
