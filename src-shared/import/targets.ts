import type { DocumentNode } from '#shared/flow/document.ts';
import type { DataStep } from './data-states.ts';
import { endOfFlow } from './foreign-graph.ts';
import type { Names } from './names.ts';
import type { ParallelPart } from './parallel-parts.ts';
import type { SettledGraph } from './settle-parallel.ts';

/** Adds a node of the flow, and how `data` passes through it. */
export type AddNode = (node: DocumentNode, step?: DataStep) => void;

interface Placed extends ParallelPart {
  /** The state at the end of each branch. */
  readonly ends: readonly string[];
}

/**
 * Answers which state an output of a node leads to, and adds the `fork` and `join` nodes of the parallel parts: in a branch, what leads to where the
 * branches meet leads to a state of that branch, and joins gather these.
 */
export function targetsOf(
  { nodes, edges, parts }: SettledGraph,
  stateOf: ReadonlyMap<string, string>,
  names: Names,
  add: AddNode,
): (id: string, output: string) => string {
  const state = (id: string) => stateOf.get(id) ?? id;
  const placed = parts.map(
    (part): Placed => ({
      ...part,
      ends: part.begins.map((begin) => names.state(`${state(part.meets)} from ${begin === part.meets ? state(part.node) : state(begin)}`)),
    }),
  );
  const innermostFirst = placed.toSorted((a, b) => sizeOf(a) - sizeOf(b));
  const go = (from: string, to: string): string => {
    for (const { branches, meets, ends } of innermostFirst) {
      const branch = branches.findIndex((each) => each.has(from));
      if (branch >= 0 && to === meets) return ends[branch] as string;
      if (branch >= 0) return state(to);
    }
    return state(to);
  };
  const forks = new Map<string, string>();
  for (const part of placed) {
    const from = names.state(`${state(part.node)} ${part.output} split`);
    forks.set(JSON.stringify([part.node, part.output]), from);
    const to = part.begins.map((begin, index) => (begin === part.meets ? (part.ends[index] as string) : state(begin)));
    add({ kind: 'fork', title: `After ${nodes.get(part.node)?.title ?? 'this'}`, from, to }, { from: [from], to, adds: {} });
    addJoins(part.ends, go(part.node, part.meets), names, add);
  }
  return (id, output) => {
    const split = forks.get(JSON.stringify([id, output]));
    if (split !== undefined) return split;
    const edge = edges.find((each) => each.from === id && each.output === output) ?? { to: endOfFlow };
    return go(id, edge.to);
  };
}

function sizeOf({ branches }: ParallelPart): number {
  return branches.reduce((sum, { size }) => sum + size, 0);
}

function addJoins(ends: readonly string[], target: string, names: Names, add: AddNode): void {
  let [left = ''] = ends;
  for (const [index, right] of ends.entries()) {
    if (index === 0) continue;
    const to = index === ends.length - 1 ? target : names.state(`${target} joined ${index + 1}`);
    add({ kind: 'join', title: 'Wait for both', from: [left, right], to }, { from: [left, right], to: [to], adds: {} });
    left = to;
  }
}
