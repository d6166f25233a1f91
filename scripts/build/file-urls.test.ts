import { spawnSync } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'vite';
import { expect, test } from 'vitest';
import { slowness } from '#main/testing/slowness.ts';
import { temporaryFolder } from '#scripts/temporary-folder.ts';
import { fileUrls } from './file-urls.ts';

const SOURCES = {
  'src/hosts/main.ts': `
    import { Worker } from 'node:worker_threads';
    import { readFileSync } from 'node:fs';
    const worker = new Worker(new URL('../runs/worker.ts', import.meta.url));
    const text = readFileSync(new URL('./greeting.txt', import.meta.url), 'utf8');
    worker.on('message', (answer) => console.log(text, answer));`,
  'src/hosts/greeting.txt': 'hello',
  'src/runs/worker.ts': "import { parentPort } from 'node:worker_threads';\nparentPort?.postMessage(6 * 7);",
};

test.each(['es', 'cjs'] as const)('a bundle in %s finds its workers and files', async (format) => {
  using folder = temporaryFolder(SOURCES);
  const out = join(folder.path, 'out');
  await build({
    root: folder.path,
    configFile: false,
    logLevel: 'error',
    plugins: [fileUrls(join(folder.path, 'src'), 'workers')],
    build: {
      outDir: out,
      ssr: true,
      ssrEmitAssets: true,
      rolldownOptions: {
        input: { 'hosts/main': join(folder.path, 'src/hosts/main.ts') },
        output: { format, entryFileNames: `[name].${format === 'es' ? 'mjs' : 'cjs'}`, assetFileNames: 'chunks/[name][extname]' },
      },
    },
  });
  // A package.json in a folder above would decide otherwise what `.js` means.
  writeFileSync(join(out, 'package.json'), JSON.stringify({ type: format === 'es' ? 'module' : 'commonjs' }));
  expect(readdirSync(join(out, 'workers'))).toEqual(['runs-worker.js']);
  const main = join(out, 'hosts', `main.${format === 'es' ? 'mjs' : 'cjs'}`);
  const { stdout, stderr } = spawnSync(process.execPath, [main], { encoding: 'utf8', timeout: 15_000 * slowness });
  expect(stdout.trim(), stderr).toBe('hello 42');
});
