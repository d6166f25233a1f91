import { endOfFlow, type ForeignEdge, type ForeignGraph, type ForeignNode } from './foreign-graph.ts';
import type { ReportForeign } from './foreign-problem.ts';
import { orderOf, topological } from './graph-order.ts';
import { oneAfterAnother } from './one-after-another.ts';
import { findParallelParts, type ParallelPart } from './parallel-parts.ts';

/** A graph whose parallel parts all have branches that do not touch each other. */
export interface SettledGraph {
  readonly start: string;
  readonly nodes: ReadonlyMap<string, ForeignNode>;
  readonly edges: readonly ForeignEdge[];
  readonly parts: readonly ParallelPart[];
}

/**
 * Leaves out what is never reached, and puts branches that share nodes in one order. Null, with a problem, if that cannot be done because they form a
 * loop.
 */
export function settleParallel(graph: ForeignGraph, report: ReportForeign): SettledGraph | null {
  let { start } = graph;
  const nodes = new Map(graph.nodes.map((node) => [node.id, node]));
  let edges = graph.edges.filter(
    ({ from, output, to }) => outputsOf(nodes.get(from)).includes(output) && (nodes.has(to) || to === endOfFlow),
  );
  const titles = (ids: readonly string[]) => ids.map((id) => `“${nodes.get(id)?.title ?? id}”`).join(', ');
  for (let round = 0; round <= nodes.size; round += 1) {
    const { reachable } = orderOf(start, edges);
    for (const id of [...nodes.keys()]) {
      if (reachable.has(id)) continue;
      report('import_ignored', [], `${titles([id])} is left out: nothing leads to it.`);
      nodes.delete(id);
    }
    edges = edges.filter(({ from }) => nodes.has(from));
    for (const [id, node] of nodes) {
      for (const output of outputsOf(node))
        if (!edges.some((edge) => edge.from === id && edge.output === output)) edges.push({ from: id, output, to: endOfFlow });
    }
    const complete = orderOf(start, edges);
    const endless = [...nodes.keys()].filter((id) => !complete.alwaysAfter.has(id));
    if (endless.length > 0) {
      report('import_structure', [], `No way leads from ${titles(endless)} to the end. Give the loop a way out.`);
      return null;
    }
    const { parts, crossed } = findParallelParts(edges, complete);
    // The innermost first: what is around it may then have branches that do not touch.
    const [part] = crossed.toSorted((a, b) => (a.inside?.size ?? Number.POSITIVE_INFINITY) - (b.inside?.size ?? Number.POSITIVE_INFINITY));
    if (!part) return { start, nodes, edges, parts };
    const all = new Set(nodes.keys());
    const repeated = topological(all, complete.successors) === null;
    const inPart = part.inside && part.meets !== null && oneAfterAnother(part.inside, part.begins, part.meets, nodes, edges, repeated);
    const rewritten = inPart || (repeated ? null : oneAfterAnother(all, [start], endOfFlow, nodes, edges, false));
    if (!rewritten) {
      report(
        'import_structure',
        [],
        `After ${titles([part.node])}, the branches to ${titles(part.begins)} run side by side and lead back. Give each loop a branch of its own, or remove all but one of these connections.`,
      );
      return null;
    }
    report('import_departs', [], `The branches after ${titles([part.node])} share nodes, so they run one after the other here.`);
    const inside = inPart && part.inside ? part.inside : all;
    edges = edges.filter(({ from, output }) => !inside.has(from) && !(inPart && from === part.node && output === part.output));
    if (inPart) edges.push({ from: part.node, output: part.output, to: rewritten.first });
    else start = rewritten.first;
    edges.push(...rewritten.edges);
    for (const node of rewritten.nodes) nodes.set(node.id, node);
  }
  throw new Error('A rewritten part still crosses.');
}

function outputsOf(node: ForeignNode | undefined): readonly string[] {
  if (!node) return [];
  return node.does.kind === 'choice' ? [...node.does.cases.map(({ output }) => output), node.does.otherwise] : [''];
}
