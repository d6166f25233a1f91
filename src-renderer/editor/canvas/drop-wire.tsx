import { ViewportPortal } from '@xyflow/react';
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import styles from './drop-wire.module.css';

/** The line of the wire that what is being dragged would be inserted into, in canvas pixels at 100 %. */
export const dropWireStore = createStore<{ readonly path: string | null }>()(() => ({ path: null }));

/** Marks the wire under what is being dragged. */
export function DropWire() {
  const path = useStore(dropWireStore, (state) => state.path);
  if (path === null) return null;
  return (
    <ViewportPortal>
      <svg className={styles.line} data-drop-wire aria-hidden="true">
        <path d={path} />
      </svg>
    </ViewportPortal>
  );
}
