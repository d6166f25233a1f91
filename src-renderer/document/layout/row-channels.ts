import { card, cardHeight, cardWidth, portOffset } from '#renderer/document/graph/card-geometry.ts';
import type { GraphView, WireView } from '#renderer/document/graph/graph-view.ts';
import type { Layout } from '#shared/contract/flows.ts';

/** Where a wire to a lower row runs, in pixels at 100 %. */
export interface RowChannel {
  /** Height at which it runs back, between the cards. */
  readonly y: number;
  /** Its distance from the source's card before it turns down. */
  readonly out: number;
  /** Its distance from the target's card after it has turned down. */
  readonly in: number;
}

/** How much lower than its source a target to the left must be to count as being in a lower row. */
const rowHeight = 110;
/** The lowest gap between cards that a wire runs through. */
const gapHeight = 24;
/** Distance of the first wire from the cards, and of the next ones from each other: enough for their labels where they run across. */
const spacing = { first: 22, down: 10, across: 16 } as const;
/** A flow with more such wires is drawn without channels: each of them is held against all cards. */
const mostWires = 200;

interface Ends {
  readonly wire: WireView;
  readonly source: { readonly x: number; readonly y: number };
  readonly target: { readonly x: number; readonly y: number };
}

/**
 * The channels of the wires that lead back to a lower row of a folded flow, by the wires' keys. Each runs through the lowest gap between its
 * ends that is free of cards over its whole width; wires that share a gap run side by side.
 */
export function rowChannels(view: GraphView, positions: Layout['nodes']): ReadonlyMap<string, RowChannel> {
  const nodes = new Map(view.nodes.map((node) => [node.key, node]));
  const wires = view.wires.flatMap((wire) => {
    const [source, target] = [positions[wire.source], positions[wire.target]];
    const [from, to] = [nodes.get(wire.source), nodes.get(wire.target)];
    if (!source || !target || !from || !to || target.x > source.x + card.width / 2 || target.y <= source.y) return [];
    const ends: Ends = {
      wire,
      source: { x: source.x + cardWidth(from), y: source.y + portOffset(wire.source_port, from) },
      target: { x: target.x, y: target.y + portOffset(wire.target_port, to) },
    };
    return ends.target.y - ends.source.y >= rowHeight ? [ends] : [];
  });
  if (wires.length > mostWires) return new Map();
  const boxes = boxesOf(view, positions);
  const byGap = new Map<string, { readonly gap: Gap; readonly ends: Ends[] }>();
  for (const ends of wires) {
    const gap = lowestGap(boxes, ends);
    if (!gap) continue;
    const name = `${gap.top} ${gap.bottom}`;
    const sharing = byGap.get(name);
    if (sharing) sharing.ends.push(ends);
    else byGap.set(name, { gap, ends: [ends] });
  }
  return new Map([...byGap.values()].flatMap(({ gap, ends }) => sideBySide(gap, ends)));
}

interface Gap {
  readonly top: number;
  readonly bottom: number;
}

interface CardBox extends Gap {
  readonly left: number;
}

function boxesOf({ nodes }: GraphView, positions: Layout['nodes']): CardBox[] {
  return nodes.flatMap((node) => {
    const position = positions[node.key];
    return position ? [{ left: position.x, top: position.y, bottom: position.y + cardHeight(node) }] : [];
  });
}

function lowestGap(boxes: readonly CardBox[], { source, target }: Ends): Gap | undefined {
  const [left, right] = [target.x - spacing.first, source.x + spacing.first];
  const cards = boxes.filter((box) => box.bottom >= source.y && box.top <= target.y && box.left <= right && box.left + card.width >= left);
  let free: Gap | undefined;
  let covered = source.y;
  for (const { top, bottom } of cards.sort((one, other) => one.top - other.top)) {
    if (top - covered >= gapHeight) free = { top: covered, bottom: top };
    covered = Math.max(covered, bottom);
  }
  return free;
}

/** The wire to the lowest target runs highest, next to its source's card and farthest from its target's, so that the wires do not cross. */
function sideBySide({ top, bottom }: Gap, ends: readonly Ends[]): (readonly [string, RowChannel])[] {
  const ordered = [...ends].sort((one, other) => other.target.y - one.target.y);
  const step = Math.min(spacing.across, (bottom - top) / (ordered.length + 1));
  const first = (top + bottom - step * (ordered.length - 1)) / 2;
  return ordered.map(({ wire }, index) => [
    wire.key,
    {
      y: Math.round(first + index * step),
      out: spacing.first + index * spacing.down,
      in: spacing.first + (ordered.length - 1 - index) * spacing.down,
    },
  ]);
}
