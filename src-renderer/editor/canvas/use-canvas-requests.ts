import { useReactFlow } from '@xyflow/react';
import { type RefObject, useEffect } from 'react';
import { tidy } from '#renderer/editor/actions/arrange-selection.ts';
import { pauseFollow } from '#renderer/editor/actions/follow-store.ts';
import { addNote, placeOfNote } from '#renderer/editor/actions/note-actions.ts';
import { openQuickAdd } from '#renderer/editor/actions/quick-add-store.ts';
import { type CanvasRequest, onCanvasRequest } from '#renderer/shell/canvas-requests.ts';
import { menuSubject } from '#renderer/shell/menu-store.ts';
import { useBringIntoSight } from './use-bring-into-sight.ts';

/** Requests by which the user chooses what is in view. */
const moves: ReadonlySet<CanvasRequest> = new Set(['fit', 'fit_selection', 'zoom_100', 'zoom_in', 'zoom_out']);

/** Handles the requests of commands to the canvas. */
export function useCanvasRequests(frame: RefObject<HTMLDivElement | null>): void {
  const flow = useReactFlow();
  const bringIntoSight = useBringIntoSight();
  useEffect(
    () =>
      onCanvasRequest((request) => {
        if (moves.has(request)) pauseFollow();
        switch (request) {
          case 'fit':
            return bringIntoSight('flow');
          case 'fit_selection':
            return bringIntoSight('selection');
          case 'zoom_100':
            return void flow.zoomTo(1);
          case 'zoom_in':
            return void flow.zoomIn();
          case 'zoom_out':
            return void flow.zoomOut();
          case 'tidy':
            return void tidy().then((whole) => whole && bringIntoSight('flow'));
          case 'focus':
            return frame.current?.focus();
          case 'note': {
            const { point } = menuSubject();
            return addNote(point ? flow.screenToFlowPosition(point) : placeOfNote());
          }
          case 'add': {
            const box = frame.current?.getBoundingClientRect();
            if (!box) return;
            const screen = menuSubject().point ?? { x: box.left + box.width / 2 - 140, y: box.top + box.height / 4 };
            openQuickAdd({ screen, at: flow.screenToFlowPosition(screen) });
          }
        }
      }),
    [flow, bringIntoSight, frame],
  );
}
