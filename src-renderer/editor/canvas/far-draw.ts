import type { NodeView } from '#renderer/document/graph/graph-view.ts';
import { markOf } from '#renderer/editor/marks/group-marks.ts';
import type { BreakpointLook } from '#renderer/runs/breakpoints/breakpoint-edits.ts';
import type { PinSign } from '#renderer/runs/breakpoints/breakpoint-index.ts';
import type { NodeMark } from '#renderer/runs/model/run-marks.ts';
import { type CardShape, kindLooks } from '#renderer/ui/kinds/node-kinds.ts';
import type { NodeKind } from '#shared/flow/document.ts';
import { drawChips } from './far-chips.ts';
import type { Palette } from './far-palette.ts';
import {
  type BlockStyle,
  blockLook,
  type FarScene,
  farWirePath,
  grown,
  tokenPlaces,
  type WireLook,
  wireEnds,
  wireLook,
} from './far-scene.ts';
import type { Box } from './map-shape.ts';

/** The signs of the kinds, as lines in a square of 24. */
export type KindSigns = ReadonlyMap<NodeKind, Path2D>;

/** Wires and cards of one colour are drawn in groups of this many: a longer path takes more than its share of time. */
const group = 400;

/**
 * Draws the part of a scene that lies in `area`. The context is scaled so that one unit is one pixel of the canvas at 100 %;
 * `pixel` is the size of one pixel on the screen in this unit.
 */
export function drawFar(
  context: CanvasRenderingContext2D,
  scene: FarScene,
  area: Box,
  pixel: number,
  palette: Palette,
  signs: KindSigns,
): void {
  context.lineJoin = 'round';
  context.lineCap = 'round';
  drawWires(context, scene, area, pixel, palette);
  const cards = scene.index.cardsIn(area).filter((at) => !scene.dragged.has(scene.index.view.nodes[at]?.key ?? ''));
  drawBlocks(context, scene, cards, pixel, palette);
  if (scene.level === 'blocks') drawSigns(context, scene, cards, pixel, palette, signs);
  drawMarks(context, scene, cards, pixel, palette);
  if (scene.level === 'blocks') drawChips(context, scene, cards, pixel, palette);
}

function drawWires(context: CanvasRenderingContext2D, scene: FarScene, area: Box, pixel: number, palette: Palette): void {
  const { index, channels, dragged, level } = scene;
  // Equal looks are mostly the same object; those of a layer have few values.
  const paths = new Map<string, { readonly look: WireLook; readonly lines: string[] }>();
  for (const at of index.wiresIn(area)) {
    const wire = index.view.wires[at];
    const ends = wire && !dragged.has(wire.source) && !dragged.has(wire.target) && wireEnds(index, wire);
    if (!wire || !ends) continue;
    const look = wireLook(scene, wire);
    const name = `${look.above} ${look.color}`;
    const known = paths.get(name) ?? { look, lines: [] };
    paths.set(name, known);
    known.lines.push(farWirePath(ends, channels.get(wire.key), level));
  }
  for (const { look, lines } of [...paths.values()].sort((one, other) => one.look.above - other.look.above)) {
    context.strokeStyle = palette(look.color);
    context.lineWidth = look.width * pixel;
    context.globalAlpha = look.faint ? 0.3 : 1;
    context.setLineDash(look.dashed ? [4 * pixel, 3 * pixel] : []);
    for (let at = 0; at < lines.length; at += group) context.stroke(new Path2D(lines.slice(at, at + group).join('')));
  }
  context.globalAlpha = 1;
  context.setLineDash([]);
}

/** The radii of a card's corners from the upper left one, clockwise. */
const corners = (shape: CardShape, pixel: number): number[] => {
  const small = Math.min(2.5 * pixel, 14);
  return shape === 'pointed' ? [small, 40, 40, small] : [small];
};

/** Blocks of one look. */
interface Layer {
  readonly path: Path2D;
  readonly look: BlockStyle;
}

function drawBlocks(context: CanvasRenderingContext2D, scene: FarScene, cards: readonly number[], pixel: number, palette: Palette): void {
  const layers = new Map<string, Layer[]>();
  const behind = new Path2D();
  const edges = new Path2D();
  const counts = new Map<string, number>();
  for (const at of cards) {
    const node = scene.index.view.nodes[at] as NodeView;
    const status = markOf(scene.marks, node.id)?.status;
    const { shape } = kindLooks[node.kind];
    const own = blockLook(scene, node);
    const look = shape === 'dashed' && scene.level === 'blocks' ? { ...own, dashed: true } : own;
    const name = `${look.fill} ${look.stroke} ${look.width} ${look.dashed === true} ${look.tint?.alpha ?? 0}`;
    const count = counts.get(name) ?? 0;
    counts.set(name, count + 1);
    const of = layers.get(name) ?? [];
    if (count % group === 0) of.push({ path: new Path2D(), look });
    layers.set(name, of);
    const box = blockBox(scene.index.box(at), scene.level, status, pixel);
    of.at(-1)?.path.roundRect(box.x, box.y, box.width, box.height, corners(shape, pixel));
    if (scene.level === 'map') continue;
    if (shape === 'double') behind.roundRect(box.x + 3 * pixel, box.y + 3 * pixel, box.width, box.height, corners(shape, pixel));
    if (shape === 'split') edges.rect(box.x + box.width - 3 * pixel, box.y, 3 * pixel, box.height);
    if (shape === 'merged') edges.rect(box.x, box.y, 3 * pixel, box.height);
  }
  context.strokeStyle = palette('--line-strong');
  context.lineWidth = pixel;
  context.stroke(behind);
  // What needs attention lies above its neighbours.
  for (const { path, look } of [...layers.values()].flat().sort((one, other) => one.look.width - other.look.width)) {
    const { fill, stroke, width, dashed, tint } = look;
    context.fillStyle = palette(fill);
    context.fill(path);
    if (tint) {
      context.fillStyle = palette(tint.color);
      context.globalAlpha = tint.alpha;
      context.fill(path);
      context.globalAlpha = 1;
    }
    if (stroke === null) continue;
    context.strokeStyle = palette(stroke);
    context.lineWidth = width * pixel;
    context.setLineDash(dashed ? [3 * pixel, 2 * pixel] : []);
    context.stroke(path);
  }
  context.setLineDash([]);
  context.fillStyle = palette('--wire');
  context.fill(edges);
}

/** On the map, what runs, waits or failed is large enough for its sign. */
function blockBox(box: Box, level: FarScene['level'], status: NodeMark['status'] | undefined, pixel: number): Box {
  if (level !== 'map' || status === undefined || status === 'ran') return box;
  const [width, height] = [Math.max(box.width, 14 * pixel), Math.max(box.height, 9 * pixel)];
  return { x: box.x + (box.width - width) / 2, y: box.y + (box.height - height) / 2, width, height };
}

function drawSigns(
  context: CanvasRenderingContext2D,
  { index }: FarScene,
  cards: readonly number[],
  pixel: number,
  palette: Palette,
  signs: KindSigns,
): void {
  const bitmaps = new Map<NodeKind, HTMLCanvasElement>();
  const scale = context.getTransform().a;
  for (const at of cards) {
    const { kind } = index.view.nodes[at] as NodeView;
    const sign = signs.get(kind);
    if (!sign) continue;
    const box = index.box(at);
    const size = Math.min(box.height * 0.7, 13 * pixel);
    // A sign is drawn once for each kind and size: as lines, thousands of them would take the most time.
    const side = Math.max(1, Math.round(size * scale));
    const known = bitmaps.get(kind);
    const bitmap = known?.width === side ? known : bitmapOf(sign, side, palette(`--kind-${kind}`));
    bitmaps.set(kind, bitmap);
    context.drawImage(bitmap, box.x + (box.width - size) / 2, box.y + (box.height - size) / 2, size, size);
  }
}

function bitmapOf(sign: Path2D, side: number, color: string): HTMLCanvasElement {
  const bitmap = document.createElement('canvas');
  bitmap.width = side;
  bitmap.height = side;
  const context = bitmap.getContext('2d');
  if (!context) return bitmap;
  context.scale(side / 24, side / 24);
  context.strokeStyle = color;
  // A line of at least a pixel, or small signs fade.
  context.lineWidth = Math.max(2.2, 24 / side);
  context.lineCap = 'round';
  context.lineJoin = 'round';
  context.stroke(sign);
  return bitmap;
}

function drawMarks(context: CanvasRenderingContext2D, scene: FarScene, cards: readonly number[], pixel: number, palette: Palette): void {
  const { index, level, marks, selected, tones } = scene;
  const size = level === 'map' ? 0.8 * pixel : pixel;
  for (const at of cards) {
    const node = index.view.nodes[at] as NodeView;
    const box = index.box(at);
    const status = markOf(marks, node.id)?.status;
    if (status) drawStatus(context, status, box, size, level, palette);
    if (selected.has(node.key)) {
      const ring = grown(box, 3.5 * pixel);
      context.strokeStyle = palette('--focus-ring');
      context.lineWidth = 2 * pixel;
      context.beginPath();
      context.roundRect(ring.x, ring.y, ring.width, ring.height, 4 * pixel);
      context.stroke();
    }
    const pin = scene.pinAt(node.id);
    if (pin) drawPin(context, pin, box, size, palette);
    const tone = tones.get(node.id);
    if (tone) drawProblem(context, box.x + box.width - 2 * size, box.y, size, palette(tone === 'error' ? '--error' : '--waiting'), palette);
    const breakpoint = scene.breakpointAt(node.id);
    if (breakpoint) drawBreakpoint(context, breakpoint, box.x, box.y + 2 * size, size, palette);
  }
  for (const { x, y, wrong } of tokenPlaces(scene)) drawToken(context, x, y, pixel, palette(wrong ? '--error' : '--waiting'), palette);
  for (const wire of index.view.wires) {
    const breakpoint = scene.breakpointOf(wire.state);
    const ends = breakpoint && wireEnds(index, wire);
    if (ends) drawBreakpoint(context, breakpoint, ends.sourceX + 6 * size, ends.sourceY, size, palette);
  }
}

/** Blocks say what runs, waits or failed at a corner, the map in the middle. */
function drawStatus(
  context: CanvasRenderingContext2D,
  status: NodeMark['status'],
  box: Box,
  pixel: number,
  level: FarScene['level'],
  palette: Palette,
): void {
  const middle = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  if (status === 'next' || status === 'waiting') {
    context.fillStyle = palette(status === 'next' ? '--accent' : '--waiting');
    fillShape(context, box.x - 4 * pixel, middle.y, [-5 * pixel, -4 * pixel, 0, 0, -5 * pixel, 4 * pixel]);
  }
  if (status === 'ran' || status === 'next') return;
  const { x, y } = level === 'map' ? middle : { x: box.x + box.width, y: box.y };
  if (level === 'blocks') {
    context.fillStyle = palette({ running: '--accent', waiting: '--waiting', failed: '--error' }[status]);
    fillCircle(context, x, y, 6 * pixel);
  }
  context.fillStyle = palette('--surface');
  context.strokeStyle = palette('--surface');
  context.lineWidth = 1.8 * pixel;
  if (status === 'running') fillShape(context, x, y, [-2 * pixel, -3 * pixel, 3.2 * pixel, 0, -2 * pixel, 3 * pixel]);
  const lines = { running: [], waiting: [-2, -3, -2, 3, 2, -3, 2, 3], failed: [-2.4, -2.4, 2.4, 2.4, 2.4, -2.4, -2.4, 2.4] }[status];
  context.beginPath();
  for (let at = 0; at < lines.length; at += 4) {
    const [x0, y0, x1, y1] = lines.slice(at, at + 4) as [number, number, number, number];
    context.moveTo(x + x0 * pixel, y + y0 * pixel);
    context.lineTo(x + x1 * pixel, y + y1 * pixel);
  }
  context.stroke();
}

function drawProblem(context: CanvasRenderingContext2D, x: number, y: number, pixel: number, color: string, palette: Palette): void {
  context.fillStyle = color;
  context.strokeStyle = palette('--surface');
  context.lineWidth = pixel;
  fillShape(context, x, y, [0, -6 * pixel, 6 * pixel, 5 * pixel, -6 * pixel, 5 * pixel]);
  context.stroke();
  context.lineWidth = 1.3 * pixel;
  context.beginPath();
  context.moveTo(x, y - 2 * pixel);
  context.lineTo(x, y + pixel);
  context.moveTo(x, y + 3 * pixel);
  context.lineTo(x, y + 3.2 * pixel);
  context.stroke();
}

function drawBreakpoint(
  context: CanvasRenderingContext2D,
  { shape, state }: BreakpointLook,
  x: number,
  y: number,
  pixel: number,
  palette: Palette,
): void {
  context.fillStyle = palette(state === 'on' ? '--error' : '--surface-raised');
  context.strokeStyle = palette('--error');
  context.lineWidth = 1.3 * pixel;
  context.setLineDash(state === 'unverified' ? [2 * pixel, 1.5 * pixel] : []);
  if (shape === 'dot') fillCircle(context, x, y, 4 * pixel);
  else fillShape(context, x, y, [0, -5 * pixel, 5 * pixel, 0, 0, 5 * pixel, -5 * pixel, 0]);
  context.stroke();
  context.setLineDash([]);
}

/** A hatched block whose output is supplied, with a ring at its edge; only the ring while the pin does not count. */
function drawPin(context: CanvasRenderingContext2D, { state }: PinSign, box: Box, pixel: number, palette: Palette): void {
  context.strokeStyle = palette('--text-muted');
  context.lineWidth = pixel;
  if (state === 'on') {
    context.save();
    context.beginPath();
    context.rect(box.x, box.y, box.width, box.height);
    context.clip();
    context.beginPath();
    for (let x = box.x - box.height; x < box.x + box.width; x += 6 * pixel) {
      context.moveTo(x, box.y + box.height);
      context.lineTo(x + box.height, box.y);
    }
    context.stroke();
    context.restore();
  }
  context.fillStyle = palette('--surface-raised');
  context.setLineDash(state === 'unverified' ? [2 * pixel, 1.5 * pixel] : []);
  fillCircle(context, box.x + box.width / 2, box.y, 4 * pixel);
  context.stroke();
  context.setLineDash([]);
}

function drawToken(context: CanvasRenderingContext2D, x: number, y: number, pixel: number, color: string, palette: Palette): void {
  context.fillStyle = color;
  context.strokeStyle = palette('--surface');
  context.lineWidth = 1.5 * pixel;
  fillShape(context, x, y, [0, -6 * pixel, 6 * pixel, 0, 0, 6 * pixel, -6 * pixel, 0]);
  context.stroke();
}

/** Fills a closed shape of these corners around a point, and leaves it as the current path. */
function fillShape(context: CanvasRenderingContext2D, x: number, y: number, points: readonly number[]): void {
  context.beginPath();
  for (let at = 0; at < points.length; at += 2) context.lineTo(x + (points[at] as number), y + (points[at + 1] as number));
  context.closePath();
  context.fill();
}

function fillCircle(context: CanvasRenderingContext2D, x: number, y: number, radius: number): void {
  context.beginPath();
  context.arc(x, y, radius, 0, 2 * Math.PI);
  context.fill();
}
