import { useStoreApi, type Viewport } from '@xyflow/react';
import { type RefObject, useEffect, useState } from 'react';
import { type Sight, sightOf } from './sight.ts';

/** How long the zoom rests before cards are drawn as they are at that zoom, in milliseconds. */
const rest = 120;

/** A change of the zoom by more than this factor at once is a jump, not a part of a movement. */
const jump = 1.3;

/**
 * What the canvas draws, from the viewport with which the flow opens on. A movement within it renders nothing, and neither does zooming until the zoom
 * rests or cards that are not mounted come into sight. Null before.
 */
export function useSight(first: Viewport | null, frame: RefObject<HTMLElement | null>): Sight | null {
  const store = useStoreApi();
  const [sight, setSight] = useState<Sight | null>(null);
  const element = frame.current;
  const current = sight ?? (first && element ? sightOf(first, { width: element.clientWidth, height: element.clientHeight }) : null);
  const ready = first !== null;
  useEffect(() => {
    if (!ready) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const update = () => {
      const { transform, width, height, panZoom } = store.getState();
      if (!panZoom || width === 0) return;
      const [x, y, zoom] = transform;
      setSight((before) => sightOf({ x, y, zoom }, { width, height }, before, timer !== undefined));
    };
    const settle = () => {
      clearTimeout(timer);
      timer = undefined;
      update();
    };
    update();
    const unsubscribe = store.subscribe(({ transform, width, height }, before) => {
      const change = transform[2] / before.transform[2];
      if (change > jump || change < 1 / jump) settle();
      else if (change !== 1) {
        clearTimeout(timer);
        timer = setTimeout(settle, rest);
        update();
      } else if (transform !== before.transform || width !== before.width || height !== before.height) update();
    });
    return () => {
      clearTimeout(timer);
      unsubscribe();
    };
  }, [store, ready]);
  return current;
}
