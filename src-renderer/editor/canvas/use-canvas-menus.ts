import { type MouseEvent as ReactMouseEvent, useCallback } from 'react';
import { menuPoint } from '#renderer/shell/menu-store.ts';
import { isTextField } from '#renderer/shell/shortcut.ts';
import { openCanvasMenu } from './canvas-menu.ts';
import type { FoundAt } from './found-at.ts';

/** The context menus of the canvas: on cards and wires, and on the pane, below which the surface may have drawn one. */
export function useCanvasMenus({ drawnAt }: FoundAt, onSurface: boolean) {
  const onContextMenu = useCallback((event: ReactMouseEvent) => {
    if (!(event.target instanceof Element) || isTextField(event.target)) return;
    event.preventDefault();
    // Dragging with the right button pans: React Flow says when it was only a click on the empty canvas.
    if (event.nativeEvent.isTrusted && isPane(event.target)) return;
    openCanvasMenu(event.target, menuPoint(event, event.target));
  }, []);
  const onPaneContextMenu = useCallback(
    (event: ReactMouseEvent | MouseEvent) => {
      event.preventDefault();
      const point = { x: event.clientX, y: event.clientY };
      if (event.target instanceof Element) openCanvasMenu(event.target, point, onSurface ? drawnAt(point) : null);
    },
    [drawnAt, onSurface],
  );
  return { onContextMenu, onPaneContextMenu };
}

/** Whether an element is React Flow's pane, behind all cards and wires. */
export const isPane = (element: Element): boolean => element.classList.contains('react-flow__pane');
