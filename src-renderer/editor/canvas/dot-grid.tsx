import { useStoreApi } from '@xyflow/react';
import { useLayoutEffect, useRef } from 'react';
import styles from './dot-grid.module.css';

/** Distance of the dots in pixels at 100 %, and the least on the screen: from farther away there are fewer. */
const gap = { usual: 20, least: 14 } as const;

/** How far the element reaches outside the frame: more than the largest distance. */
const outside = 60;

/**
 * The dots behind the flow. Replaces React Flow's background, which renders and paints a pattern on every movement: this one is painted
 * when the zoom changes, and else moved.
 */
export function DotGrid() {
  const store = useStoreApi();
  const grid = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    let drawn = 0;
    const place = () => {
      const [x, y, zoom] = store.getState().transform;
      if (!grid.current) return;
      let distance = gap.usual * zoom;
      while (distance < gap.least) distance *= 2;
      const { style } = grid.current;
      if (distance !== drawn) {
        drawn = distance;
        style.backgroundSize = `${distance}px ${distance}px`;
      }
      // The dots lie in the middle of their squares, one of them at the flow's origin.
      const shift = outside - distance / 2;
      style.transform = `translate(${(x + shift) % distance}px, ${(y + shift) % distance}px)`;
    };
    place();
    return store.subscribe((state, before) => {
      if (state.transform !== before.transform) place();
    });
  }, [store]);
  return <div ref={grid} className={styles.grid} style={{ inset: -outside }} />;
}
