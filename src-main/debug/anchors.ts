import type { Anchor } from '#shared/contract/anchor.ts';
import type { Breakpoint } from '#shared/contract/breakpoint.ts';
import type { Supplied } from '#shared/contract/supplied.ts';

/** A node of a flow file, as a breakpoint remembers it. */
export interface AnchorNode extends Anchor {
  readonly id: string;
}

/** A flow file: its nodes, and the states that they use. */
export interface AnchorFlow {
  readonly nodes: readonly AnchorNode[];
  readonly states: ReadonlySet<string>;
}

/** What is set at a place of a flow. */
type Placed = Breakpoint | Supplied;

/** Result of looking for its place in the current text. `from`: the former id of a node that was found under another one. */
export type Anchored<Item extends Placed> =
  | { readonly verified: false }
  | { readonly verified: true; readonly item: Item; readonly from?: string };

/**
 * Finds the node of a breakpoint, pin or mock in the current text of its flow: by its id; else the one node with the same title and kind; else with the same
 * kind and outputs; else with the same position and kind. `flow` is null if the file is missing.
 */
export function anchorIn<Item extends Placed>(item: Item, flow: AnchorFlow | null): Anchored<Item> {
  if (item.kind === 'state') return flow?.states.has(item.state) ? { verified: true, item } : { verified: false };
  if (!hasAnchor(item)) return { verified: true, item };
  if (!flow) return { verified: false };
  const { anchor, node } = item;
  const same = flow.nodes.find(({ id }) => id === node);
  const found = same ?? (anchor && findAnchor(anchor, flow.nodes));
  if (!found) return { verified: false };
  const { id, ...now } = found;
  const branch = item.kind === 'branch' ? item.state : item.kind === 'pin' ? item.branch : undefined;
  if (branch !== undefined && !now.to.includes(branch)) return { verified: false };
  return { verified: true, item: { ...item, node: id, anchor: now }, ...(id !== node && { from: node }) };
}

/** Whether an item belongs to one node, which it follows when that is renamed. */
function hasAnchor<Item extends Placed>(item: Item): item is Item & { readonly node: string; readonly anchor?: Anchor } {
  switch (item.kind) {
    case 'before':
    case 'after':
    case 'branch':
    case 'pin':
      return true;
    default:
      return 'rules' in item && item.node !== undefined;
  }
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
