import { cardHeight, cardWidth } from '#renderer/document/graph/card-geometry.ts';
import type { GraphView, NodeView, PortView, WireView } from '#renderer/document/graph/graph-view.ts';
import { isRegionGroup } from '#renderer/document/graph/regions.ts';
import type { Layout, LayoutGroup } from '#shared/flow/layout/layout.ts';

type Positions = Layout['nodes'];

/** Space between the cards of a group and its frame; above them the title. */
const space = { side: 16, top: 34 };

/** A rectangle in canvas pixels at 100 %. */
export interface GroupBox {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Key on the canvas of the card of a folded group. */
export const groupKey = (id: string): string => `group:${id}`;

/** The id of the group whose folded card has this key; null for the key of a node. */
export function groupOfKey(key: string): string | null {
  return key.startsWith('group:') ? key.slice('group:'.length) : null;
}

/** The frame around the cards of a group; null if none of them has a position. Frames of outer groups have room for those within. */
export function groupBox(group: LayoutGroup, view: GraphView, positions: Positions, groups: readonly LayoutGroup[] = []): GroupBox | null {
  const members = new Set(group.nodes);
  let [left, top, right, bottom] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const node of view.nodes) {
    const place = positions[node.key];
    if (!place || !members.has(node.key)) continue;
    left = Math.min(left, place.x);
    top = Math.min(top, place.y);
    right = Math.max(right, place.x + cardWidth(node));
    bottom = Math.max(bottom, place.y + cardHeight(node));
  }
  if (right < left) return null;
  const inner = depthInside(group, groups);
  const [side, above] = [space.side * (inner + 1), space.top * (inner + 1)];
  return { x: left - side, y: top - above, width: right - left + 2 * side, height: bottom - top + above + side };
}

/** How many levels of groups lie within one. */
function depthInside(group: LayoutGroup, groups: readonly LayoutGroup[]): number {
  const within = groups.filter((other) => other !== group && liesIn(other, group));
  return within.length === 0 ? 0 : 1 + Math.max(...within.map((other) => depthInside(other, within)));
}

function liesIn(inner: LayoutGroup, outer: LayoutGroup): boolean {
  return inner.nodes.length < outer.nodes.length && inner.nodes.every((key) => outer.nodes.includes(key));
}

/** What the canvas draws: each folded group as one card. */
export interface FoldedView {
  readonly view: GraphView;
  readonly positions: Positions;
  /** The card of each node in a folded group, by their keys. */
  readonly cardOf: ReadonlyMap<string, string>;
}

/** Ids of the nodes in each folded group that is drawn, by its key. */
const members = new Map<string, readonly string[]>();

/** Ids of the nodes in the folded group whose card has this key or id; empty for a node. */
export function membersOf(key: string): readonly string[] {
  return members.get(key) ?? [];
}

/** Replaces the nodes of each folded group by a card with the states that enter and leave it. The outermost folded group counts. */
export function foldGroups(
  view: GraphView,
  positions: Positions,
  groups: readonly LayoutGroup[],
  detail: (nodes: number) => string,
): FoldedView {
  const folded = groups.filter((group) => group.folded && group.nodes.length > 0);
  const outermost = folded.filter((group) => !folded.some((other) => other !== group && liesIn(group, other)));
  members.clear();
  if (outermost.length === 0) return { view, positions, cardOf: new Map() };
  const keyOf = new Map<string, string>();
  for (const { id, nodes } of outermost) for (const key of nodes) if (!keyOf.has(key)) keyOf.set(key, groupKey(id));
  const cards = outermost.flatMap((group) => {
    const inside = view.nodes.filter(({ key }) => keyOf.get(key) === groupKey(group.id));
    members.set(
      groupKey(group.id),
      inside.map(({ id }) => id),
    );
    return inside.length === 0 ? [] : [cardOf(group, inside, view, detail(inside.length))];
  });
  const places = { ...positions };
  for (const group of outermost) {
    const corner = cornerOf(group, positions);
    if (corner) places[groupKey(group.id)] = corner;
  }
  return {
    view: { nodes: [...view.nodes.filter(({ key }) => !keyOf.has(key)), ...cards], wires: rewired(view, keyOf, cards) },
    positions: places,
    cardOf: keyOf,
  };
}

/** Where a folded group is drawn: a region where it begins, as its nodes may be in several rows; any other group at its upper left corner. */
function cornerOf({ id, nodes }: LayoutGroup, positions: Positions) {
  const placed = nodes.flatMap((key) => positions[key] ?? []);
  if (isRegionGroup(id) || placed.length === 0) return placed[0];
  return { x: Math.min(...placed.map(({ x }) => x)), y: Math.min(...placed.map(({ y }) => y)) };
}

/** A card has the first ports of its states only, so that a state that several nodes produce is one port. */
function cardOf(group: LayoutGroup, inside: readonly NodeView[], view: GraphView, text: string): NodeView {
  const keys = new Set(inside.map(({ key }) => key));
  const leaves = new Set(view.wires.filter(({ source, target }) => keys.has(source) && !keys.has(target)).map(({ state }) => state));
  const enters = new Set(view.wires.filter(({ source, target }) => !keys.has(source) && keys.has(target)).map(({ state }) => state));
  const ports = (all: readonly PortView[], crossing: ReadonlySet<string>) =>
    [...new Map(all.map((port) => [port.state, port])).values()].filter(
      (port) => crossing.has(port.state) || port.open || port.entry || port.terminal,
    );
  return {
    key: groupKey(group.id),
    id: groupKey(group.id),
    index: -1,
    kind: 'flow',
    title: group.title,
    inputs: ports(
      inside.flatMap(({ inputs }) => inputs),
      enters,
    ),
    outputs: ports(
      inside.flatMap(({ outputs }) => outputs),
      leaves,
    ),
    detail: { type: 'group', text },
  };
}

function rewired(view: GraphView, keyOf: ReadonlyMap<string, string>, cards: readonly NodeView[]): WireView[] {
  const seen = new Set<string>();
  return view.wires.flatMap((wire) => {
    const [source, target] = [keyOf.get(wire.source) ?? wire.source, keyOf.get(wire.target) ?? wire.target];
    if (source === target) return [];
    if (source === wire.source && target === wire.target) return [wire];
    const port = (key: string, side: 'inputs' | 'outputs', own: number) => {
      const found = cards.find((each) => each.key === key)?.[side].findIndex(({ state }) => state === wire.state);
      return found === undefined ? own : Math.max(0, found);
    };
    const ends = {
      source,
      source_port: port(source, 'outputs', wire.source_port),
      target,
      target_port: port(target, 'inputs', wire.target_port),
    };
    const key = `${source}:${ends.source_port}>${target}:${ends.target_port}`;
    if (seen.has(key)) return [];
    seen.add(key);
    return [{ key, state: wire.state, ...ends }];
  });
}

/** Positions in which the cards of folded groups are replaced by their nodes, which move as one. */
export function withoutGroupCards(moved: Positions, positions: Positions, groups: readonly LayoutGroup[]): Positions {
  const result: Record<string, { x: number; y: number }> = {};
  for (const [key, place] of Object.entries(moved)) {
    const group = groups.find(({ id }) => id === groupOfKey(key));
    if (!group) {
      if (groupOfKey(key) === null) result[key] = place;
      continue;
    }
    const { x: left, y: top } = cornerOf(group, positions) ?? place;
    for (const node of group.nodes) {
      const own = positions[node];
      if (own) result[node] = { x: own.x + place.x - left, y: own.y + place.y - top };
    }
  }
  return result;
}
