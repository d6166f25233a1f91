import { useReactFlow, type Viewport } from '@xyflow/react';
import { type RefObject, useEffect, useRef } from 'react';
import type { DrawnFlow } from '#renderer/document/editing/open-flow.ts';
import { openingViewport, viewportFor } from '#renderer/document/layout/viewport-for.ts';
import { onCanvasFitted } from './use-bring-into-sight.ts';

/** Whether two viewports are the same but for rounding. */
function isSame(one: Viewport, other: Viewport): boolean {
  return Math.abs(one.x - other.x) < 1 && Math.abs(one.y - other.y) < 1 && Math.abs(one.zoom - other.zoom) < 0.001;
}

/**
 * Fits the flow again when its frame changes size, as a panel or the window does, until the canvas has been moved or zoomed: then it stays where it was put.
 * `first` is the viewport with which the flow was opened.
 */
export function useRefit(flow: DrawnFlow, frame: RefObject<HTMLDivElement | null>, first: Viewport | null): void {
  const { getViewport, setViewport } = useReactFlow();
  const latest = useRef(flow);
  latest.current = flow;
  useEffect(() => {
    const element = frame.current;
    if (!first || !element) return;
    let fitted = first;
    let viewportOf: typeof openingViewport = openingViewport;
    let size = `${element.clientWidth} ${element.clientHeight}`;
    const observer = new ResizeObserver(() => {
      const { clientWidth, clientHeight } = element;
      const now = `${clientWidth} ${clientHeight}`;
      if (now === size || clientWidth === 0 || clientHeight === 0 || !isSame(getViewport(), fitted)) return;
      size = now;
      const { view, positions } = latest.current;
      fitted = viewportOf(view.nodes, positions, clientWidth, clientHeight);
      void setViewport(fitted);
    });
    observer.observe(element);
    const unsubscribe = onCanvasFitted((viewport) => {
      fitted = viewport;
      viewportOf = viewportFor;
    });
    return () => {
      observer.disconnect();
      unsubscribe();
    };
  }, [first, frame, getViewport, setViewport]);
}
