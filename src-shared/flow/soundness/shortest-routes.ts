import type { Firing, WorkflowNet } from './workflow-net.ts';

/** Markings that are visited at most. */
const mostMarkings = 20_000;

/** The way to a firing: what fires before it, and the places that are marked then. */
export interface Route {
  readonly firings: readonly Firing[];
  readonly marking: readonly number[];
}

interface Visited {
  readonly marking: readonly number[];
  readonly parent: Visited | null;
  readonly by: Firing | null;
}

/** Names a firing in the result of `shortestRoutes`. */
export function firingKey({ node, transition }: Firing): string {
  return `${node}:${transition}`;
}

/**
 * Returns a shortest route to the first of each firing, by `firingKey`. Visits markings breadth first, at most `limit`: firings that are farther away, or
 * can't happen, have none.
 */
export function shortestRoutes(net: WorkflowNet, limit: number = mostMarkings): ReadonlyMap<string, Route> {
  const routes = new Map<string, Route>();
  const waiting: Visited[] = [{ marking: [net.input], parent: null, by: null }];
  const known = new Set([String(net.input)]);
  const all = net.post.reduce((sum, ways) => sum + ways.length, 0);
  for (let at = 0; at < waiting.length && routes.size < all; at += 1) {
    const visited = waiting[at] as Visited;
    const marked = new Set(visited.marking);
    for (const place of visited.marking) {
      const node = net.consumer[place] ?? -1;
      const consumed = net.pre[node];
      // A join is looked at from its first place only.
      if (!consumed || consumed[0] !== place || !consumed.every((each) => marked.has(each))) continue;
      for (const [transition, produced] of (net.post[node] ?? []).entries()) {
        const by = { node, transition };
        if (!routes.has(firingKey(by))) routes.set(firingKey(by), { firings: firingsTo(visited), marking: visited.marking });
        const kept = visited.marking.filter((each) => !consumed.includes(each));
        if (produced.some((each) => kept.includes(each))) continue;
        const marking = [...kept, ...produced].sort((one, other) => one - other);
        const key = marking.join();
        if (known.has(key) || waiting.length >= limit) continue;
        known.add(key);
        waiting.push({ marking, parent: visited, by });
      }
    }
  }
  return routes;
}

function firingsTo(visited: Visited): Firing[] {
  const firings: Firing[] = [];
  for (let at: Visited | null = visited; at?.by; at = at.parent) firings.unshift(at.by);
  return firings;
}
