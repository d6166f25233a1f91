import type { ForeignEdge } from './foreign-graph.ts';
import { type GraphOrder, meetingPoint, reach } from './graph-order.ts';

/** What runs side by side: the branches of one output of a node, up to where they meet. */
export interface ParallelPart {
  readonly node: string;
  readonly output: string;
  /** The first node of each branch. A branch without nodes begins where they meet. */
  readonly begins: readonly string[];
  /** The nodes of each branch. */
  readonly branches: readonly ReadonlySet<string>[];
  readonly meets: string;
}

/** A part whose branches do not form one: they share nodes, can be entered from elsewhere, or lead back before the part. */
export interface CrossedPart {
  readonly node: string;
  readonly output: string;
  readonly begins: readonly string[];
  /** All nodes up to where they meet; null if they never do, or lead back. */
  readonly inside: ReadonlySet<string> | null;
  readonly meets: string | null;
}

export interface PartsFound {
  readonly parts: readonly ParallelPart[];
  readonly crossed: readonly CrossedPart[];
}

/** Finds the parts of a graph that run side by side. `edges` are those between reachable nodes. */
export function findParallelParts(edges: readonly ForeignEdge[], order: GraphOrder): PartsFound {
  const parts: ParallelPart[] = [];
  const crossed: CrossedPart[] = [];
  for (const { node, output, begins } of outputsOf(edges)) {
    if (begins.length < 2) continue;
    const meets = meetingPoint(begins, order);
    const branches = begins.map((begin) => (meets === null ? new Set<string>() : reach(begin, order.successors, meets)));
    const inside = new Set(branches.flatMap((branch) => [...branch]));
    if (meets === null || meets === node || inside.has(node)) crossed.push({ node, output, begins, inside: null, meets });
    else if (areApart(branches) && !isEntered(branches, node, output, edges)) parts.push({ node, output, begins, branches, meets });
    else crossed.push({ node, output, begins, inside: isEntered([inside], node, output, edges) ? null : inside, meets });
  }
  return { parts, crossed };
}

function outputsOf(edges: readonly ForeignEdge[]): { node: string; output: string; begins: string[] }[] {
  const outputs = new Map<string, { node: string; output: string; begins: string[] }>();
  for (const { from, output, to } of edges) {
    const key = JSON.stringify([from, output]);
    const found = outputs.get(key) ?? { node: from, output, begins: [] };
    if (!found.begins.includes(to)) found.begins.push(to);
    outputs.set(key, found);
  }
  return [...outputs.values()];
}

function areApart(branches: readonly ReadonlySet<string>[]): boolean {
  const seen = new Set<string>();
  for (const branch of branches)
    for (const id of branch) {
      if (seen.has(id)) return false;
      seen.add(id);
    }
  return true;
}

/** Whether an edge leads into a branch other than from within it or from the output where the branches begin. */
function isEntered(branches: readonly ReadonlySet<string>[], node: string, output: string, edges: readonly ForeignEdge[]): boolean {
  const enters = (edge: ForeignEdge) => edge.from !== node || edge.output !== output;
  return branches.some((branch) => edges.some((edge) => branch.has(edge.to) && !branch.has(edge.from) && enters(edge)));
}
