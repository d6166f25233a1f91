import { useReactFlow } from '@xyflow/react';
import { type PointerEvent, useRef, useState } from 'react';

interface Shift {
  readonly x: number;
  readonly y: number;
}

/** How far the pointer must move before it drags, in pixels. */
const least = 3;

/**
 * Drags an element that React Flow does not know. `shift` is how far it has been dragged, in canvas pixels; `onEnd`
 * receives it when the pointer is released after a movement.
 */
export function useDrag(onEnd: (shift: Shift) => void) {
  const { getZoom } = useReactFlow();
  const start = useRef<Shift | null>(null);
  const [shift, setShift] = useState<Shift | null>(null);
  const shiftOf = ({ clientX, clientY }: PointerEvent): Shift | null => {
    if (!start.current) return null;
    const zoom = getZoom();
    const [x, y] = [clientX - start.current.x, clientY - start.current.y];
    if (!shift && Math.hypot(x, y) < least) return null;
    return { x: Math.round(x / zoom / 4) * 4, y: Math.round(y / zoom / 4) * 4 };
  };
  return {
    shift: shift ?? { x: 0, y: 0 },
    handlers: {
      onPointerDown: (event: PointerEvent<HTMLElement>) => {
        if (event.button !== 0) return;
        event.stopPropagation();
        event.currentTarget.setPointerCapture(event.pointerId);
        start.current = { x: event.clientX, y: event.clientY };
      },
      onPointerMove: (event: PointerEvent<HTMLElement>) => {
        const now = shiftOf(event);
        if (now) setShift(now);
      },
      onPointerUp: () => {
        start.current = null;
        if (shift && (shift.x !== 0 || shift.y !== 0)) onEnd(shift);
        setShift(null);
      },
      onPointerCancel: () => {
        start.current = null;
        setShift(null);
      },
    },
  };
}
