import type { GraphView } from '#renderer/graph/graph-view.ts';
import type { Layout } from '#shared/contract/flows.ts';

export type Direction = 'left' | 'right' | 'up' | 'down';

/**
 * The node that an arrow key leads to. Left and right follow the wires (of several, the nearest in height); up and down
 * go to the nearest node above or below. Null where there is none.
 */
export function neighbour(view: GraphView, positions: Layout['nodes'], key: string, direction: Direction): string | null {
  const here = positions[key];
  if (!here) return null;
  if (direction === 'left' || direction === 'right') {
    const ends = view.wires.flatMap((wire) => {
      if (direction === 'right') return wire.source === key ? [wire.target] : [];
      return wire.target === key ? [wire.source] : [];
    });
    return nearest(ends, (other) => Math.abs((positions[other]?.y ?? 0) - here.y));
  }
  const sign = direction === 'down' ? 1 : -1;
  const others = view.nodes.map((node) => node.key).filter((other) => other !== key && sign * ((positions[other]?.y ?? 0) - here.y) > 0);
  // A node straight above is nearer than one a little higher but far aside.
  return nearest(others, (other) => {
    const there = positions[other] ?? here;
    return Math.abs(there.y - here.y) + 2 * Math.abs(there.x - here.x);
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
