import type { GraphView } from '#renderer/document/graph/graph-view.ts';
import type { Layout } from '#shared/contract/flows.ts';

export type Direction = 'left' | 'right' | 'up' | 'down';

/**
 * The node that an arrow key leads to, or null. Left and right follow the wires (the nearest in height if there are
 * several); without wires, and for up and down, it is the nearest node in that direction.
 */
export function neighbour(view: GraphView, positions: Layout['nodes'], key: string, direction: Direction): string | null {
  const here = positions[key];
  if (!here) return null;
  if (direction === 'left' || direction === 'right') {
    const ends = view.wires.flatMap((wire) => {
      if (direction === 'right') return wire.source === key ? [wire.target] : [];
      return wire.target === key ? [wire.source] : [];
    });
    const wired = nearest(ends, (other) => Math.abs((positions[other]?.y ?? 0) - here.y));
    if (wired !== null) return wired;
  }
  const [along, across] = direction === 'left' || direction === 'right' ? (['x', 'y'] as const) : (['y', 'x'] as const);
  const sign = direction === 'down' || direction === 'right' ? 1 : -1;
  const others = view.nodes
    .map((node) => node.key)
    .filter((other) => sign * ((positions[other]?.[along] ?? here[along]) - here[along]) > 0);
  // Prefer a node straight ahead over a slightly closer one off to the side.
  return nearest(others, (other) => {
    const there = positions[other] ?? here;
    return Math.abs(there[along] - here[along]) + 2 * Math.abs(there[across] - here[across]);
  });
}

function nearest(keys: readonly string[], distance: (key: string) => number): string | null {
  let best: string | null = null;
  let least = Number.POSITIVE_INFINITY;
  for (const key of keys) {
    const far = distance(key);
    if (far < least) {
      best = key;
      least = far;
    }
  }
  return best;
}
