import { type Exploration, explore, type Finding, maxMarkings } from './explore.ts';
import { firingsOf, type Reduced, type Run } from './reduce.ts';
import type { Firing, WorkflowNet } from './workflow-net.ts';

/**
 * Explores what is left of a net that has too many markings itself. The verdict is the net's own, since reduction keeps it; runs are led back to firings of
 * the net. `partial` is what the broken-off search of the net itself has found: it comes first, since its runs are the shortest.
 */
export function exploreReduced(net: WorkflowNet, reduced: Reduced, partial: Exploration, limit: number = maxMarkings): Exploration {
  const found = explore(reduced.net, limit);
  const collision = found.collision && lifted(net, reduced, found.collision);
  return {
    // What a collision hides behind it is not known, so no node is called dead.
    complete: found.complete && collision === null && partial.collision === null,
    deadlock: partial.deadlock ?? (found.deadlock && lifted(net, reduced, found.deadlock)),
    improper: partial.improper ?? (found.improper && lifted(net, reduced, found.improper)),
    collision: partial.collision ?? collision,
    fires: alive(reduced, found, partial),
    stuck: partial.stuck,
  };
}

/** A run of the reduced net as one of the net itself, up to the first collision on its way. */
function lifted(net: WorkflowNet, { runs }: Reduced, { run, waiting }: Finding): Finding {
  const marked = new Set([net.input]);
  const firings: Firing[] = [];
  for (const step of run.flatMap(({ node, transition }) => firingsOf(runs[node]?.[transition] as Run))) {
    firings.push(step);
    for (const place of net.pre[step.node] ?? []) marked.delete(place);
    for (const place of net.post[step.node]?.[step.transition] ?? []) {
      if (marked.has(place)) return { run: firings, waiting: [place], shortest: false };
      marked.add(place);
    }
  }
  return { run: firings, waiting, shortest: false };
}

/** By node: whether it can fire. A node that was done away with fires when one of those that enable it does. */
function alive({ removed }: Reduced, found: Exploration, partial: Exploration): Uint8Array {
  const fires = found.fires.map((flag, node) => (flag === 1 || partial.fires[node] === 1 ? 1 : 0));
  for (const { node, producers } of removed.toReversed()) if (producers.some((producer) => fires[producer] === 1)) fires[node] = 1;
  return fires;
}
