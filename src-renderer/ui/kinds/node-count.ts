/** A number of nodes in words: `1 node`, `3 nodes`. */
export function nodeCount(count: number): string {
  return count === 1 ? '1 node' : `${count} nodes`;
}
