import { posix } from 'node:path';
import type { Import } from './cruise.ts';

/** The pairs of folders that import each other, each once, as `a and b`. `folderOf`: the folder that a file counts to. */
export function mutualFolders(imports: readonly Import[], folderOf: (file: string) => string = posix.dirname): readonly string[] {
  const arrows = new Set(imports.map(({ from, to }) => `${folderOf(from)} and ${folderOf(to)}`));
  return [...arrows].filter((arrow) => {
    const [from, to] = arrow.split(' and ') as [string, string];
    return from < to && arrows.has(`${to} and ${from}`);
  });
}

/** The first folders of a path: `src-main/hosts` of `src-main/hosts/cli/main.ts`. */
export function roomOf(file: string): string {
  return posix.dirname(file).split('/').slice(0, 2).join('/');
}

/** Tests and what only they use: they may put together what the product keeps apart. */
const forTests = /\.(?:test|type-test)\.tsx?$|\/testing(?:\/|\.ts$)/;

/** The imports within a folder, without those of its tests. */
export function productImports(imports: readonly Import[], folder: string): readonly Import[] {
  return imports.filter(({ from, to }) => from.startsWith(`${folder}/`) && to.startsWith(`${folder}/`) && !forTests.test(from));
}
