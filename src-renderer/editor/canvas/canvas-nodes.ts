import { type Edge, type Node, type NodeHandle, Position } from '@xyflow/react';
import { card, cardHeight, cardWidth, portOffset } from '#renderer/document/graph/card-geometry.ts';
import type { NodeView, WireView } from '#renderer/document/graph/graph-view.ts';
import type { RowChannel } from '#renderer/document/layout/row-channels.ts';
import { kindLooks } from '#renderer/ui/kinds/node-kinds.ts';
import type { Layout } from '#shared/contract/flows.ts';
import { placeOf } from './card-index.ts';

export type CanvasNode = Node<{ view: NodeView }, 'card'>;
export type CanvasWire = Edge<{ wire: WireView; channel?: RowChannel }, 'state'>;

/** The class of the node under the pointer on the surface: the browser learns of it only with the next movement. */
const pointedClass = 'pointed-at';

/**
 * React Flow's nodes for these views. Sizes and handles are given, so that wires to cards that are not mounted can be drawn.
 * A node for which nothing changed is the very object of `previous`, and where none has, so is the list.
 */
export function canvasNodes(
  views: readonly NodeView[],
  positions: Layout['nodes'],
  selected: ReadonlySet<string>,
  previous: readonly CanvasNode[],
  pointedAt: string | null = null,
): CanvasNode[] {
  const before = new Map(previous.map((node) => [node.id, node]));
  const nodes = views.map((node): CanvasNode => {
    const position = placeOf(node, positions);
    const old = before.get(node.key);
    const isSelected = selected.has(node.key);
    const stays = old?.dragging === true || (old?.position.x === position.x && old.position.y === position.y);
    const className = node.key === pointedAt ? pointedClass : '';
    if (old?.data.view === node && old.selected === isSelected && old.className === className && stays) return old;
    return {
      // As it will be: React Flow need not render again with what it measures.
      measured: { width: cardWidth(node), height: cardHeight(node) },
      id: node.key,
      type: 'card',
      position,
      data: old?.data.view === node ? old.data : { view: node },
      selected: isSelected,
      className,
      width: cardWidth(node),
      height: cardHeight(node),
      handles: handlesOf(node),
      ariaLabel: describeNode(node),
    };
  });
  return unlessSame(previous, nodes);
}

/** What a screen reader says of a node. */
export function describeNode(node: NodeView): string {
  const from = node.inputs.map((port) => port.state).join(' and ') || 'nothing';
  const to = node.outputs.map((port) => port.state).join(' and ') || 'nothing';
  return `${node.title}, ${kindLooks[node.kind].label}, consumes ${from}, produces ${to}`;
}

function handlesOf(node: NodeView): NodeHandle[] {
  const size = card.handle;
  const handle = (side: 'input' | 'output', index: number): NodeHandle => ({
    id: `${side}:${index}`,
    type: side === 'input' ? 'target' : 'source',
    position: side === 'input' ? Position.Left : Position.Right,
    x: (side === 'input' ? 0 : cardWidth(node)) - size / 2,
    y: portOffset(index, node) - size / 2,
    width: size,
    height: size,
  });
  return [...node.inputs.map((_, index) => handle('input', index)), ...node.outputs.map((_, index) => handle('output', index))];
}

/** React Flow's edges for wires; the edges and their list are kept where nothing changed. */
export function canvasWires(
  wires: readonly WireView[],
  selected: ReadonlySet<string>,
  previous: readonly CanvasWire[],
  channels: ReadonlyMap<string, RowChannel> = new Map(),
): CanvasWire[] {
  const before = new Map(previous.map((wire) => [wire.id, wire]));
  const edges = wires.map((wire): CanvasWire => {
    const old = before.get(wire.key);
    const isSelected = selected.has(wire.key);
    const channel = channels.get(wire.key);
    if (old?.data?.wire === wire && old.selected === isSelected && isSameChannel(old.data.channel, channel)) return old;
    return {
      id: wire.key,
      type: 'state',
      source: wire.source,
      sourceHandle: `output:${wire.source_port}`,
      target: wire.target,
      targetHandle: `input:${wire.target_port}`,
      data: channel ? { wire, channel } : { wire },
      selected: isSelected,
      ariaLabel: `${wire.state}, from ${wire.source} to ${wire.target}`,
    };
  });
  return unlessSame(previous, edges);
}

const isSameChannel = (one: RowChannel | undefined, other: RowChannel | undefined): boolean =>
  one?.y === other?.y && one?.out === other?.out && one?.in === other?.in;

/** React Flow looks through all its nodes or edges whenever it is given another list. */
function unlessSame<Item>(previous: readonly Item[], next: Item[]): Item[] {
  return previous.length === next.length && next.every((item, index) => item === previous[index]) ? (previous as Item[]) : next;
}

/** The number in a handle's id (`output:1` gives 1). */
export function portIndex(handle: string | null | undefined): number {
  return Number(handle?.split(':')[1] ?? 0);
}
