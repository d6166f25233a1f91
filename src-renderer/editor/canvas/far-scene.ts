import { portOffset } from '#renderer/document/graph/card-geometry.ts';
import type { NodeView, WireView } from '#renderer/document/graph/graph-view.ts';
import type { RowChannel } from '#renderer/document/layout/row-channels.ts';
import { layerMarkOf, markOf, wireMarkOf } from '#renderer/editor/marks/group-marks.ts';
import type { ProblemTone } from '#renderer/editor/problems/problem-tone.ts';
import type { BreakpointLook } from '#renderer/runs/breakpoints/breakpoint-edits.ts';
import type { PinSign } from '#renderer/runs/breakpoints/breakpoint-index.ts';
import type { CanvasLayer } from '#renderer/runs/model/canvas-layer.ts';
import type { NodeMark, RunMarks } from '#renderer/runs/model/run-marks.ts';
import type { CardIndex } from './card-index.ts';
import type { DetailLevel } from './detail-level.tsx';
import type { Box } from './map-shape.ts';
import { wirePath } from './wire-path.ts';

/** What the surface draws. Ids are the engine's, keys the canvas's. */
export interface FarScene {
  readonly level: Extract<DetailLevel, 'blocks' | 'map'>;
  readonly index: CardIndex;
  readonly channels: ReadonlyMap<string, RowChannel>;
  readonly marks: RunMarks;
  readonly isRunShown: boolean;
  /** Keys of selected nodes. */
  readonly selected: ReadonlySet<string>;
  /** Keys of selected wires. */
  readonly selectedWires: ReadonlySet<string>;
  /** Keys of nodes that are being dragged: they are mounted, and their wires are drawn apart. */
  readonly dragged: ReadonlySet<string>;
  readonly tones: ReadonlyMap<string, ProblemTone>;
  /** The breakpoint before or after a node, or at one of its outputs. */
  breakpointAt(id: string): BreakpointLook | undefined;
  /** The pin of a node. */
  pinAt(id: string): PinSign | undefined;
  /** The breakpoint at a state. */
  breakpointOf(state: string): BreakpointLook | undefined;
}

type Point = { readonly x: number; readonly y: number };

/** How a wire is drawn; its width is in pixels on the screen. Wires with a greater `above` lie over others. */
export interface WireLook {
  readonly color: string;
  readonly width: number;
  readonly dashed: boolean;
  readonly faint: boolean;
  readonly above: number;
}

const solid = { dashed: false, faint: false };
const wireLooks = {
  plain: { ...solid, color: '--wire', width: 1, above: 1 },
  ran: { ...solid, color: '--wire-ran', width: 1, above: 2 },
  waiting: { ...solid, color: '--waiting', width: 2, above: 8 },
  selected: { ...solid, color: '--focus-ring', width: 2, above: 9 },
  traced: { ...solid, color: '--accent', width: 2, above: 7 },
  apart: { ...solid, color: '--wire', width: 1, faint: true, above: 0 },
  never: { ...solid, color: '--error', width: 1, dashed: true, above: 3 },
} satisfies Record<string, WireLook>;

/** The look of a wire: what it does in the shown run, or what the shown layer says of it. */
export function wireLook({ marks, index, selectedWires }: FarScene, wire: WireView): WireLook {
  if (selectedWires.has(wire.key)) return wireLooks.selected;
  if (marks.tokens[wire.state]) return wireLooks.waiting;
  const { layer } = marks;
  if (layer?.wires) {
    const mark = wireMarkOf(layer, index.node(wire.source)?.id ?? wire.source, wire.state);
    if (layer.kind === 'lineage') return mark ? wireLooks.traced : wireLooks.apart;
    if (!mark || mark.level === 0) return wireLooks.never;
    return { ...solid, color: '--accent', width: 1 + mark.level / 2, above: 3 + mark.level / 2 };
  }
  const target = index.node(wire.target);
  return target && markOf(marks, target.id) ? wireLooks.ran : wireLooks.plain;
}

/** Both ends of a wire, or null while one of its cards is missing. */
export function wireEnds(index: CardIndex, wire: WireView, moved: (key: string) => Point | undefined = () => undefined) {
  const [from, to] = [index.find(wire.source), index.find(wire.target)];
  if (from === undefined || to === undefined) return null;
  const source = moved(wire.source) ?? index.box(from);
  const target = moved(wire.target) ?? index.box(to);
  return {
    sourceX: source.x + index.box(from).width,
    sourceY: source.y + portOffset(wire.source_port, index.view.nodes[from]),
    targetX: target.x,
    targetY: target.y + portOffset(wire.target_port, index.view.nodes[to]),
  };
}

export type WireEnds = NonNullable<ReturnType<typeof wireEnds>>;

/** The line of a wire: on the map a straight one, but around the cards where it leads to another row. */
export function farWirePath(ends: WireEnds, channel: RowChannel | undefined, level: FarScene['level']): string {
  if (level === 'blocks') return wirePath(ends, channel)[0];
  const { sourceX, sourceY, targetX, targetY } = ends;
  if (!channel || targetX > sourceX) return `M${sourceX} ${sourceY}L${targetX} ${targetY}`;
  return `M${sourceX} ${sourceY}H${sourceX + channel.out}V${channel.y}H${targetX - channel.in}V${targetY}H${targetX}`;
}

type TokenPlace = Point & { readonly state: string; readonly wrong: boolean };

/** Where the token of each waiting state is drawn: on its wires, or at the port where it enters or leaves the flow. */
export function tokenPlaces({ index, marks, channels }: Pick<FarScene, 'index' | 'marks' | 'channels'>): TokenPlace[] {
  const places: TokenPlace[] = [];
  const unplaced = new Map(Object.entries(marks.tokens));
  if (unplaced.size === 0) return places;
  for (const wire of index.view.wires) {
    const token = marks.tokens[wire.state];
    const ends = token && wireEnds(index, wire);
    if (!ends) continue;
    const [, x, y] = wirePath(ends, channels.get(wire.key));
    places.push({ state: wire.state, x, y, wrong: token.wrong === true });
    unplaced.delete(wire.state);
  }
  if (unplaced.size === 0) return places;
  index.view.nodes.forEach((node, at) => {
    for (const [side, ports] of [['input', node.inputs] as const, ['output', node.outputs] as const]) {
      ports.forEach(({ state, open, entry, terminal }, port) => {
        const token = unplaced.get(state);
        if (!token || !(open || entry || terminal)) return;
        const { x, y, width } = index.box(at);
        places.push({ state, x: side === 'input' ? x : x + width, y: y + portOffset(port, node), wrong: token.wrong === true });
      });
    }
  });
  return places;
}

/** How a block is filled and outlined, as names of the theme's colours; `width` is that of the outline in pixels on the screen. */
export interface BlockStyle {
  readonly fill: string;
  readonly stroke: string | null;
  readonly width: number;
  readonly dashed?: boolean;
  /** A colour over the fill. */
  readonly tint?: { readonly color: string; readonly alpha: number };
}

/** The look of a block: what its node does in the shown run, and what the shown layer says of it. */
export function blockLook({ level, marks, isRunShown }: FarScene, node: NodeView): BlockStyle {
  const style = blockStyle(level, node.kind, markOf(marks, node.id)?.status, isRunShown);
  return marks.layer ? layered(style, marks.layer, node.id) : style;
}

/** How strongly the levels of a layer tint a block, which has no text to be read. */
const tints = [0, 0.12, 0.25, 0.4, 0.6] as const;

/** Dashed where nothing ran, tinted by how much did, and faint beside a lineage, as the cards are. */
function layered(style: BlockStyle, layer: CanvasLayer, id: string): BlockStyle {
  const mark = layerMarkOf(layer, id);
  if (layer.kind === 'lineage')
    return mark ? { ...style, stroke: '--accent', width: 2 } : { ...style, tint: { color: '--canvas', alpha: 0.68 } };
  if (layer.kind === 'coverage') {
    if (!mark || mark.level === 0) return { fill: '--canvas', stroke: '--error', width: 1.5, dashed: true };
    return { ...style, fill: '--surface-raised', stroke: '--accent', tint: { color: '--accent', alpha: tints[mark.level] / 2 } };
  }
  return {
    ...style,
    fill: '--surface-raised',
    stroke: style.stroke ?? '--wire',
    tint: { color: '--waiting', alpha: tints[mark?.level ?? 0] },
  };
}

/** Filled when its node has run and hollow when it has not; on the map without its kind. */
export function blockStyle(
  level: FarScene['level'],
  kind: string,
  status: NodeMark['status'] | undefined,
  isRunShown: boolean,
): BlockStyle {
  const soft = `--kind-${kind}-soft`;
  if (status === undefined) {
    if (isRunShown) return { fill: level === 'map' ? '--canvas' : '--surface-raised', stroke: '--wire', width: 1 };
    return level === 'map' ? { fill: '--wire', stroke: null, width: 0 } : { fill: soft, stroke: '--wire', width: 1 };
  }
  const color = { ran: '--accent-line', running: '--accent', next: '--accent', waiting: '--waiting', failed: '--error' }[status];
  if (level === 'blocks') return { fill: soft, stroke: color, width: status === 'ran' ? 1 : 2 };
  return status === 'next' ? { fill: '--canvas', stroke: color, width: 2 } : { fill: color, stroke: null, width: 0 };
}

/** `box` with `by` more on every side. */
export function grown({ x, y, width, height }: Box, by: number): Box {
  return { x: x - by, y: y - by, width: width + 2 * by, height: height + 2 * by };
}
