import { useStoreApi } from '@xyflow/react';
import { useLayoutEffect, useRef } from 'react';
import styles from './dot-grid.module.css';

/** Distance of the dots in pixels at 100 %, and the least on the screen: from farther away there are fewer. */
const gap = { usual: 20, least: 14 } as const;

/** How far the element reaches outside the frame: more than the largest distance. */
const outside = 60;

/**
 * While the canvas is zoomed, the dots that are painted are scaled, by at most this much: painting them takes longer than everything else in a frame. They are
 * painted smaller than needed, as a layer that is scaled down does not fill the frame.
 */
const ahead = 1.2;
const mostScale = ahead ** 2;

/** How long the zoom rests before the dots are painted as they are at that zoom, in milliseconds. */
const rest = 120;

/** The dots behind the flow. Replaces React Flow's background, which renders and paints a pattern on every movement: this one is moved and scaled. */
export function DotGrid() {
  const store = useStoreApi();
  const grid = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    let painted = 0;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const place = (isZooming: boolean) => {
      const [x, y, zoom] = store.getState().transform;
      if (!grid.current) return;
      let distance = gap.usual * zoom;
      while (distance < gap.least) distance *= 2;
      const { style } = grid.current;
      const stays = isZooming && painted <= distance && distance <= painted * mostScale;
      if (!stays && painted !== distance) {
        painted = isZooming ? distance / ahead : distance;
        style.backgroundSize = `${painted}px ${painted}px`;
      }
      // The dots lie in the middle of their squares, one of them at the flow's origin.
      const shift = outside - distance / 2;
      style.transform = `translate(${(x + shift) % distance}px, ${(y + shift) % distance}px) scale(${distance / painted})`;
      if (distance === painted) return;
      clearTimeout(timer);
      timer = setTimeout(() => place(false), rest);
    };
    place(false);
    const unsubscribe = store.subscribe(({ transform }, before) => {
      if (transform !== before.transform) place(transform[2] !== before.transform[2]);
    });
    return () => {
      clearTimeout(timer);
      unsubscribe();
    };
  }, [store]);
  return <div ref={grid} className={styles.grid} style={{ inset: -outside }} data-dots />;
}
