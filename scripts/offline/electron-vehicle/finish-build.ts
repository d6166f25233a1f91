import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'vite';
import { contentType } from '#scripts/build/file-list.ts';

/** Assembles an application for the test Electron from what electron-vite built: the shims, the page, a package.json. */
export async function finishElectronVehicle(root: string): Promise<void> {
  const source = join(import.meta.dirname, 'shim');
  const target = join(root, 'out', 'electron-vehicle');
  await buildShim(root, join(source, 'node.cjs'), join(target, 'shim'), 'node16');
  await cp(join(root, 'out', 'renderer'), join(target, 'renderer'), { recursive: true });
  await buildShim(root, join(source, 'page.js'), join(target, 'renderer'), 'chrome108');
  await addToPage(join(target, 'renderer'), 'page.js');
  const { name, version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  await writeFile(join(target, 'package.json'), `${JSON.stringify({ name, version, main: 'electron/main.js' }, null, 2)}\n`);
}

async function buildShim(root: string, entry: string, outDir: string, target: string): Promise<void> {
  const forNode = target.startsWith('node');
  await build({
    root,
    configFile: false,
    logLevel: 'warn',
    ...(forNode ? { ssr: { noExternal: true } } : {}),
    build: {
      outDir,
      emptyOutDir: false,
      target,
      ssr: forNode,
      copyPublicDir: false,
      minify: true,
      reportCompressedSize: false,
      rolldownOptions: { input: entry, output: { format: forNode ? 'cjs' : 'iife', entryFileNames: '[name].js', codeSplitting: false } },
    },
  });
}

/** Lists a script and loads it before the page's own ones. */
async function addToPage(folder: string, script: string): Promise<void> {
  const page = join(folder, 'index.html');
  const html = await readFile(page, 'utf8');
  const first = html.indexOf('<script');
  if (first < 0) throw new Error(`${page} holds no script to put ${script} before`);
  await writeFile(page, `${html.slice(0, first)}<script src="./${script}"></script>\n    ${html.slice(first)}`);
  const list = join(folder, 'files.json');
  const files = JSON.parse(await readFile(list, 'utf8'));
  await writeFile(list, `${JSON.stringify({ ...files, [script]: contentType(script) }, null, 1)}\n`);
}
