import { ViewportPortal } from '@xyflow/react';
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import type { Snapped } from './snap.ts';
import styles from './snap-lines.module.css';

/** The lines along which the dragged card is in line with others; null while none is dragged. */
export const snapStore = createStore<{ readonly lines: Snapped | null }>()(() => ({ lines: null }));

/** Draws the lines. */
export function SnapLines() {
  const lines = useStore(snapStore, (state) => state.lines);
  if (!lines || (lines.vertical === null && lines.horizontal === null)) return null;
  return (
    <ViewportPortal>
      {lines.vertical !== null && (
        <div className={styles.vertical} style={{ transform: `translate(${lines.vertical}px, ${lines.y - 400}px)` }} />
      )}
      {lines.horizontal !== null && (
        <div className={styles.horizontal} style={{ transform: `translate(${lines.x - 400}px, ${lines.horizontal}px)` }} />
      )}
    </ViewportPortal>
  );
}
