import type { NodeView, WireView } from '#renderer/document/graph/graph-view.ts';
import type { CardIndex } from './card-index.ts';
import type { Sight } from './sight.ts';

/** At most this many selected or marked cards are mounted for that reason alone; on the surface more are drawn. */
export const mostMounted = 60;

/** The nodes and wires that React Flow draws. */
export interface Shown {
  readonly nodes: readonly NodeView[];
  readonly wires: readonly WireView[];
}

/** The cards around what is in sight, with their wires and the other ends of these, and those of `keys` wherever they are. */
export function shownNear(index: CardIndex, sight: Pick<Sight, 'box'>, keys: Iterable<string>): Shown {
  const wires = index.wiresIn(sight.box).map((at) => index.view.wires[at] as WireView);
  const cards = new Set(index.cardsIn(sight.box));
  const add = (key: string) => {
    const at = index.find(key);
    if (at !== undefined) cards.add(at);
  };
  for (const wire of wires) {
    add(wire.source);
    add(wire.target);
  }
  for (const key of keys) add(key);
  return { nodes: inOrder(index, cards), wires };
}

/** Only the cards of `keys`, and no wires: the surface draws everything else. */
export function shownFar(index: CardIndex, keys: Iterable<string>): Shown {
  const cards = new Set<number>();
  for (const key of keys) {
    const at = index.find(key);
    if (at !== undefined) cards.add(at);
  }
  return { nodes: inOrder(index, cards), wires: [] };
}

function inOrder(index: CardIndex, cards: ReadonlySet<number>): NodeView[] {
  return [...cards].sort((one, other) => one - other).map((at) => index.view.nodes[at] as NodeView);
}
