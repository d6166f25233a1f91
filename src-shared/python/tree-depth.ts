import type { Expression } from './tree.ts';
import { children } from './tree-children.ts';

/** True when a tree has more levels than `limit`, found without recursion: a chain of operators can be as deep as the text is long. */
export function isDeeperThan(tree: Expression, limit: number): boolean {
  let level: readonly Expression[] = [tree];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth >= limit) return true;
    level = level.flatMap(children);
  }
  return false;
}
