import { build } from 'vite';

/** Puts all that a program imports into one folder, except `external`. */
export async function bundle(source: string, folder: string, external: readonly string[]): Promise<void> {
  await build({
    configFile: false,
    logLevel: 'error',
    ssr: { noExternal: true, external: [...external] },
    build: { ssr: source, outDir: folder, target: 'node24', minify: false },
  });
}
