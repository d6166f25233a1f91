import { card, cardHeight, cardWidth } from '#renderer/document/graph/card-geometry.ts';
import type { GraphView, NodeView } from '#renderer/document/graph/graph-view.ts';
import type { Layout } from '#shared/contract/flows.ts';
import type { Box } from './map-shape.ts';

/** Side of a square of the grids, in pixels at 100 %. */
const square = { cards: 512, wires: 2048 } as const;
/** How far a wire may leave the box around its ends: a loop runs below the cards. */
const around = 120;
/** A wire over more squares than this is held against every box. */
const mostSquares = 48;

/** Where a card is drawn while its node has no position. */
export const placeOf = ({ key, index }: NodeView, positions: Layout['nodes']): { readonly x: number; readonly y: number } =>
  positions[key] ?? { x: (index % 8) * 276, y: Math.floor(index / 8) * 140 };

/** Finds cards and wires by where they are. Nodes and wires are named by their positions in the view. */
export class CardIndex {
  readonly view: GraphView;
  readonly #positions: Layout['nodes'];
  readonly #byKey: ReadonlyMap<string, number>;
  readonly #places: Float64Array;
  readonly #cards: Map<number, number[]>;
  readonly #tallest: number;
  #wires: WireGrid | null;
  /** The box around all cards, or null if there are none. */
  readonly bounds: Box | null;

  private constructor(view: GraphView, positions: Layout['nodes'], before: CardIndex | null) {
    this.view = view;
    this.#positions = positions;
    if (before) {
      this.#byKey = before.#byKey;
      this.#places = before.#places;
      this.#cards = before.#cards;
      this.#tallest = before.#tallest;
      this.#wires = before.view.wires === view.wires ? before.#wires : null;
      this.bounds = before.bounds;
      return;
    }
    this.#byKey = new Map(view.nodes.map((node, at) => [node.key, at]));
    this.#places = new Float64Array(view.nodes.length * 3);
    this.#cards = new Map();
    this.#wires = null;
    let [left, top, right, bottom, tallest] = [Infinity, Infinity, -Infinity, -Infinity, 0];
    view.nodes.forEach((node, at) => {
      const { x, y } = placeOf(node, positions);
      const height = cardHeight(node);
      this.#places.set([x, y, height], at * 3);
      add(this.#cards, squareOf(x, y, square.cards), at);
      left = Math.min(left, x);
      top = Math.min(top, y);
      right = Math.max(right, x + card.width);
      bottom = Math.max(bottom, y + height);
      tallest = Math.max(tallest, height);
    });
    this.#tallest = tallest;
    this.bounds = view.nodes.length === 0 ? null : { x: left, y: top, width: right - left, height: bottom - top };
  }

  /** An index of these cards; where no card was moved, added, removed or resized, it shares the tables of `before`. */
  static of(view: GraphView, positions: Layout['nodes'], before: CardIndex | null = null): CardIndex {
    if (before && view === before.view && positions === before.#positions) return before;
    return new CardIndex(view, positions, before?.hasSamePlaces(view, positions) ? before : null);
  }

  /** The same object for as long as no card is moved, added, removed or resized. */
  get places(): object {
    return this.#places;
  }

  private hasSamePlaces({ nodes }: GraphView, positions: Layout['nodes']): boolean {
    const known = this.view.nodes;
    if (nodes.length !== known.length) return false;
    const moved = positions !== this.#positions;
    return nodes.every((node, at) => {
      const before = known[at] as NodeView;
      if (node !== before && (node.key !== before.key || cardHeight(node) !== this.#places[at * 3 + 2])) return false;
      if (!moved) return true;
      const { x, y } = placeOf(node, positions);
      return x === this.#places[at * 3] && y === this.#places[at * 3 + 1];
    });
  }

  /** The position in the view of the node with this key. */
  find(key: string): number | undefined {
    return this.#byKey.get(key);
  }

  node(key: string): NodeView | undefined {
    const at = this.#byKey.get(key);
    return at === undefined ? undefined : this.view.nodes[at];
  }

  /** The box of a card. */
  box(at: number): Box {
    const places = this.#places;
    const width = cardWidth(this.view.nodes[at] as NodeView);
    return { x: places[at * 3] as number, y: places[at * 3 + 1] as number, width, height: places[at * 3 + 2] as number };
  }

  /** The cards that touch a box, in the order of the view. */
  cardsIn({ x, y, width, height }: Box): number[] {
    const found: number[] = [];
    const wider = { x: x - card.width, y: y - this.#tallest, width: width + card.width, height: height + this.#tallest };
    for (const list of listsIn(this.#cards, wider, square.cards)) {
      for (const at of list) {
        const [left, top, high] = [this.#places[at * 3] as number, this.#places[at * 3 + 1] as number, this.#places[at * 3 + 2] as number];
        if (left <= x + width && left + card.width >= x && top <= y + height && top + high >= y) found.push(at);
      }
    }
    return found.sort((one, other) => one - other);
  }

  /** The uppermost card at a point. */
  cardAt(x: number, y: number): number | undefined {
    return this.cardsIn({ x, y, width: 0, height: 0 }).findLast((at) => x <= this.box(at).x + this.box(at).width);
  }

  /** The wires whose line may touch a box, in the order of the view. */
  wiresIn(box: Box): number[] {
    this.#wires ??= wireGrid(this);
    const found = new Set<number>(this.#wires.long);
    for (const list of listsIn(this.#wires.grid, box, square.wires)) for (const at of list) found.add(at);
    return [...found].sort((one, other) => one - other);
  }
}

interface WireGrid {
  readonly grid: Map<number, number[]>;
  /** Wires over many squares. */
  readonly long: readonly number[];
}

function wireGrid(index: CardIndex): WireGrid {
  const grid = new Map<number, number[]>();
  const long: number[] = [];
  index.view.wires.forEach((wire, at) => {
    const [from, to] = [index.find(wire.source), index.find(wire.target)];
    if (from === undefined || to === undefined) return;
    const [source, target] = [index.box(from), index.box(to)];
    const [left, top] = [Math.min(source.x, target.x) - around, Math.min(source.y, target.y)];
    const right = Math.max(source.x, target.x) + card.width + around;
    const bottom = Math.max(source.y + source.height, target.y + target.height) + around;
    const [x0, y0, x1, y1] = [left, top, right, bottom].map((edge) => Math.floor(edge / square.wires)) as [number, number, number, number];
    if ((x1 - x0 + 1) * (y1 - y0 + 1) > mostSquares) long.push(at);
    else for (let x = x0; x <= x1; x += 1) for (let y = y0; y <= y1; y += 1) add(grid, numberOf(x, y), at);
  });
  return { grid, long };
}

const numberOf = (x: number, y: number): number => (x + 0x8000) * 0x10000 + y + 0x8000;
const squareOf = (x: number, y: number, side: number): number => numberOf(Math.floor(x / side), Math.floor(y / side));

function add(grid: Map<number, number[]>, at: number, item: number): void {
  const list = grid.get(at);
  if (list) list.push(item);
  else grid.set(at, [item]);
}

function listsIn(grid: Map<number, number[]>, { x, y, width, height }: Box, side: number): number[][] {
  const [x0, y0, x1, y1] = [x, y, x + width, y + height].map((edge) => Math.floor(edge / side)) as [number, number, number, number];
  // A box larger than the flow: all of it is faster than to ask for each square.
  if ((x1 - x0 + 1) * (y1 - y0 + 1) > 4 * grid.size) {
    return [...grid].flatMap(([at, list]) => {
      const [column, row] = [Math.floor(at / 0x10000) - 0x8000, (at % 0x10000) - 0x8000];
      return column >= x0 && column <= x1 && row >= y0 && row <= y1 ? [list] : [];
    });
  }
  const lists: number[][] = [];
  for (let column = x0; column <= x1; column += 1) {
    for (let row = y0; row <= y1; row += 1) {
      const list = grid.get(numberOf(column, row));
      if (list) lists.push(list);
    }
  }
  return lists;
}
