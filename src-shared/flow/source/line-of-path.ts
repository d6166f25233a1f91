import type { Position } from './position.ts';
import { locate, type SourceNode } from './source-tree.ts';

/** The line of a path's entry; of the nearest one around it if the document has no value there. */
export function lineOfPath(root: SourceNode, path: readonly (string | number)[], positionAt: (offset: number) => Position): number {
  for (let length = path.length; length > 0; length -= 1) {
    const found = locate(root, path.slice(0, length));
    if (found) return positionAt(found.entryStart).line;
  }
  return positionAt(root.start).line;
}
