import { drawnNode } from '#shared/runtime/node-id.ts';

/** What a run shows on the canvas. The debugger writes it, the canvas draws it; neither knows the other. */
export interface RunMarks {
  /** By node id (`"B+C"` for a join). A node without an entry has not run. */
  readonly nodes: Readonly<Record<string, NodeMark>>;
  /** By state name: states that wait now, drawn as tokens on the wire into their consumer. */
  readonly tokens: Readonly<Record<string, TokenMark>>;
}

export interface NodeMark {
  readonly status: 'ran' | 'running' | 'next' | 'waiting' | 'failed';
  /** How often it has run. */
  readonly count: number;
  /** One word or few for the badge (`waiting`, `failed`, `turn 3`). */
  readonly badge?: string;
  /** True for a node that went differently in the run that this one is compared with; `badge` says how. */
  readonly differs?: boolean;
  /** One muted line (`turn 3 · 1,284 tokens`). */
  readonly detail?: string;
}

export interface TokenMark {
  /** The value, shortened for a tooltip. */
  readonly preview: string;
  /** True when the step shown last wrote it. */
  readonly fresh: boolean;
  /** True for a state that shows what is wrong: it is stuck, left behind or there twice. */
  readonly wrong?: boolean;
}

export const noMarks: RunMarks = { nodes: {}, tokens: {} };

/** Adds to the cards of nested flows which states wait inside: those have no wire here. */
export function withStatesInside(nodes: Record<string, NodeMark>, states: Iterable<string>): Record<string, NodeMark> {
  const inside = new Map<string, string[]>();
  for (const state of states) {
    const node = drawnNode(state);
    if (node !== state) inside.set(node, [...(inside.get(node) ?? []), state.slice(node.length + 2)]);
  }
  for (const [node, names] of inside)
    nodes[node] = { ...(nodes[node] ?? { status: 'ran', count: 0 }), detail: `inside: ${names.join(', ')}` };
  return nodes;
}
