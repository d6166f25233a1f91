import { drawnNode } from '#shared/run/node-id.ts';
import type { CanvasLayer } from './canvas-layer.ts';

/** What the canvas shows of a run. The debugger writes it, the canvas draws it; neither imports the other. */
export interface RunMarks {
  /** By node id (`"B+C"` for a join). A node without an entry has not run. */
  readonly nodes: Readonly<Record<string, NodeMark>>;
  /** By state name: states that wait now, drawn as tokens on the wire into their consumer. */
  readonly tokens: Readonly<Record<string, TokenMark>>;
  /** What is drawn over the whole flow beside them. */
  readonly layer?: CanvasLayer | null;
}

export interface NodeMark {
  readonly status: 'ran' | 'running' | 'next' | 'waiting' | 'failed';
  /** How often it has run. */
  readonly count: number;
  /** A few words for the badge (`waiting`, `failed`, `turn 3`). */
  readonly badge?: string;
  /** True for a node that differs in the compared run; `badge` says how. */
  readonly differs?: boolean;
  /** One muted line (`turn 3 · 1,284 tokens`). */
  readonly detail?: string;
  /** Why it failed, in a line. */
  readonly failure?: string;
  /** How often it ran and for how long (`3× · 12 ms`). */
  readonly ran?: string;
}

export interface TokenMark {
  /** The value, shortened for a tooltip. */
  readonly preview: string;
  /** True when the step shown last wrote it. */
  readonly fresh: boolean;
  /** True for a state that is stuck, left behind or produced twice. */
  readonly wrong?: boolean;
}

export const noMarks: RunMarks = { nodes: {}, tokens: {} };

/** Adds to the cards of nested flows the states that wait inside, which have no wire here. */
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
