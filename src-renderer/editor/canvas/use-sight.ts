import { useStoreApi, type Viewport } from '@xyflow/react';
import { type RefObject, useEffect, useState } from 'react';
import { type Sight, sightOf } from './sight.ts';

/** What the canvas draws, from the viewport with which the flow opens on. A movement within it renders nothing. Null before. */
export function useSight(first: Viewport | null, frame: RefObject<HTMLElement | null>): Sight | null {
  const store = useStoreApi();
  const [sight, setSight] = useState<Sight | null>(null);
  const element = frame.current;
  const current = sight ?? (first && element ? sightOf(first, { width: element.clientWidth, height: element.clientHeight }) : null);
  const ready = first !== null;
  useEffect(() => {
    if (!ready) return;
    const update = () => {
      const { transform, width, height, panZoom } = store.getState();
      if (!panZoom || width === 0) return;
      const [x, y, zoom] = transform;
      setSight((before) => sightOf({ x, y, zoom }, { width, height }, before));
    };
    update();
    return store.subscribe((state, before) => {
      if (state.transform !== before.transform || state.width !== before.width || state.height !== before.height) update();
    });
  }, [store, ready]);
  return current;
}
