import { useReactFlow } from '@xyflow/react';
import { type DragEvent, type MouseEvent as ReactMouseEvent, useCallback } from 'react';
import { connectionOfWire } from '#renderer/document/editing/connect.ts';
import { isLoose, moveOntoWire } from '#renderer/document/editing/move-onto-wire.ts';
import { carryOut, currentFlow, moveNodes } from '#renderer/document/flows/editor.ts';
import { selectionStore } from '#renderer/document/flows/selection.ts';
import type { WireView } from '#renderer/document/graph/graph-view.ts';
import { addFromLibrary } from '#renderer/editor/actions/add-from-library.ts';
import { dropped, isOurDrag } from '#renderer/editor/entries/drag-payload.ts';
import { noticeProblem } from '#renderer/shell/notices.ts';
import type { CanvasNode } from './canvas-nodes.ts';
import { dropWireStore } from './drop-wire.tsx';
import type { FoundAt } from './found-at.ts';
import { moveWith } from './move-with.ts';
import { texts } from './texts.ts';
import { endSnap } from './use-snap.ts';

/** From the pointer to the upper left corner of a card that is dropped there, in canvas pixels at 100 %. */
const grip = { x: 102, y: 20 } as const;

/** Where a pointer is, in pixels of the window. */
export const pointOf = (event: MouseEvent | TouchEvent | ReactMouseEvent) => {
  const { clientX: x, clientY: y } = 'changedTouches' in event ? (event.changedTouches[0] ?? { clientX: 0, clientY: 0 }) : event;
  return { x, y };
};

/** What happens when something is dragged over the canvas and dropped there: an entry of the library, or cards. Either may go into a wire. */
export function useDrops({ wireAt }: FoundAt) {
  const instance = useReactFlow();

  const onDragOver = useCallback(
    (event: DragEvent) => {
      if (!isOurDrag(event.dataTransfer)) return;
      event.preventDefault();
      event.dataTransfer.dropEffect = 'copy';
      mark(wireAt(pointOf(event)));
    },
    [wireAt],
  );

  const onDragLeave = useCallback(() => mark(null), []);

  const onDrop = useCallback(
    (event: DragEvent) => {
      mark(null);
      const payload = dropped(event.dataTransfer);
      if (!payload) return;
      event.preventDefault();
      const screen = pointOf(event);
      const at = instance.screenToFlowPosition(screen);
      const wire = wireAt(screen)?.wire;
      addFromLibrary(payload, {
        at: { x: at.x - grip.x, y: at.y - grip.y },
        screen,
        ...(wire && { wire: wire.key, consumes: wire.state }),
      });
    },
    [instance, wireAt],
  );

  const onNodeDrag = useCallback(
    (event: ReactMouseEvent | MouseEvent | TouchEvent, node: CanvasNode, dragged: CanvasNode[]) =>
      mark(insertsInto(node, dragged) ? wireAt(pointOf(event)) : null),
    [wireAt],
  );

  const onNodeDragStop = useCallback(
    (event: ReactMouseEvent | MouseEvent | TouchEvent, node: CanvasNode, dragged: CanvasNode[]) => {
      mark(null);
      const ended = endSnap(dragged);
      const moved = moveWith(
        ended.find(({ id }) => id === node.id) ?? node,
        ended,
        selectionStore.getState().nodes,
        currentFlow()?.positions ?? {},
      );
      const wire = insertsInto(node, dragged) ? wireAt(pointOf(event))?.wire : undefined;
      if (!wire || !insertInto(wire, node, moved)) moveNodes(moved, texts.moveNodes(Object.keys(moved).length));
    },
    [wireAt],
  );

  return { onDragOver, onDragLeave, onDrop, onNodeDrag, onNodeDragStop };
}

function mark(found: ReturnType<FoundAt['wireAt']>): void {
  const path = found?.path ?? null;
  if (dropWireStore.getState().path !== path) dropWireStore.setState({ path });
}

/** Whether a wire takes what is dragged: one card that has no wires. A card with wires is only moved, also when the pointer is over another wire. */
function insertsInto(node: CanvasNode, dragged: readonly CanvasNode[]): boolean {
  return dragged.length <= 1 && !currentFlow()?.code && isLoose(node.data.view);
}

/** Puts a card into a wire, as one undo step. If it does not fit, says why and returns false. */
function insertInto(
  wire: WireView,
  node: CanvasNode,
  places: Readonly<Record<string, { readonly x: number; readonly y: number }>>,
): boolean {
  const flow = currentFlow();
  const ends = flow && connectionOfWire(flow.view, wire.key);
  if (!flow?.readable || !ends) return false;
  const plan = moveOntoWire(flow.readable, ends, node.data.view.index);
  if (plan.ok) return carryOut({ ...plan, places, select: [node.id] });
  noticeProblem(texts.cannotInsert, plan.reason);
  return false;
}
