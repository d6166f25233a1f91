import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { dts } from 'rolldown-plugin-dts';

/**
 * Writes the declarations of the library's entries to `out/library-types`, each in one file with what it needs of `out/runtime-types`; what several need is in files of
 * its own. A third smaller than the declarations one by one.
 */
export async function writeLibraryTypes(root: string, entries: readonly string[]): Promise<void> {
  const input = Object.fromEntries(entries.map((entry) => [entry.replace(/^.*\//, ''), join(root, 'out/runtime-types', `${entry}.d.ts`)]));
  const bundle = await rolldown({ input, external: /^[^./]/, plugins: [dts({ dtsInput: true })] });
  await bundle.write({ dir: join(root, 'out/library-types'), format: 'es' });
  await bundle.close();
}
