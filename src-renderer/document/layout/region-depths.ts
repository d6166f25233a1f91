import type { Region } from '#renderer/document/graph/regions.ts';

/** How many levels of regions lie within each one, by their keys. Of regions with the same nodes, an earlier one is the outer one. */
export function regionDepths(regions: readonly Region[]): ReadonlyMap<string, number> {
  const depths = new Map<string, number>();
  // Outer regions come first, so inner ones are known when they are needed.
  for (const [at, region] of [...regions.entries()].reverse()) {
    const own = new Set(region.nodes);
    const within = regions.slice(at + 1).filter(({ nodes }) => nodes.every((key) => own.has(key)));
    depths.set(region.key, Math.max(-1, ...within.map(({ key }) => depths.get(key) ?? 0)) + 1);
  }
  return depths;
}
