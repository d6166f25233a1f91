import type { Anchor } from '#shared/contract/anchor.ts';
import type { Breakpoint } from '#shared/contract/breakpoint.ts';

/** A node of a flow file, as a breakpoint remembers it. */
export interface AnchorNode extends Anchor {
  readonly id: string;
}

/** A flow file: its nodes, and the states that they use. */
export interface AnchorFlow {
  readonly nodes: readonly AnchorNode[];
  readonly states: ReadonlySet<string>;
}

/** Result of looking for a breakpoint's place in the current text. `from`: the former id of a node that was found under another one. */
export type Anchored = { readonly verified: false } | { readonly verified: true; readonly breakpoint: Breakpoint; readonly from?: string };

/**
 * Finds a breakpoint's node in the current text of its flow: by its id; else the one node with the same title and kind; else with the same kind and outputs;
 * else with the same position and kind. `flow` is null if the file is missing.
 */
export function anchorIn(breakpoint: Breakpoint, flow: AnchorFlow | null): Anchored {
  if (breakpoint.kind === 'state') return flow?.states.has(breakpoint.state) ? { verified: true, breakpoint } : { verified: false };
  if (breakpoint.kind !== 'before' && breakpoint.kind !== 'after' && breakpoint.kind !== 'branch') return { verified: true, breakpoint };
  if (!flow) return { verified: false };
  const { anchor, node } = breakpoint;
  const same = flow.nodes.find(({ id }) => id === node);
  const found = same ?? (anchor && findAnchor(anchor, flow.nodes));
  if (!found) return { verified: false };
  const { id, ...now } = found;
  const placed = { ...breakpoint, node: id, anchor: now };
  if (placed.kind === 'branch' && !now.to.includes(placed.state)) return { verified: false };
  return { verified: true, breakpoint: placed, ...(id !== node && { from: node }) };
}

function findAnchor(anchor: Anchor, nodes: readonly AnchorNode[]): AnchorNode | undefined {
  const { kind, title, to, index } = anchor;
  const alike = nodes.filter((node) => node.kind === kind);
  const only = (found: readonly AnchorNode[]) => (found.length === 1 ? found[0] : undefined);
  return (
    (title === undefined ? undefined : only(alike.filter((node) => node.title === title))) ??
    only(alike.filter((node) => node.to.length === to.length && node.to.every((state, at) => state === to[at]))) ??
    alike.find((node) => node.index === index)
  );
}
