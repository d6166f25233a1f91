import { posix } from 'node:path';
import type { Import } from './cruise.ts';

/** The pairs of folders that import each other, each once, as `a and b`. */
export function mutualFolders(imports: readonly Import[]): readonly string[] {
  const arrows = new Set(imports.map(({ from, to }) => `${posix.dirname(from)} and ${posix.dirname(to)}`));
  return [...arrows].filter((arrow) => {
    const [from, to] = arrow.split(' and ') as [string, string];
    return from < to && arrows.has(`${to} and ${from}`);
  });
}
