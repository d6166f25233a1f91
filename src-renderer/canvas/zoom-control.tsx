import { Panel, useReactFlow, useViewport } from '@xyflow/react';
import { useBringIntoSight } from './use-bring-into-sight.ts';
import styles from './zoom-control.module.css';

/** Zoom out, the current zoom (a click gives 100 %), zoom in, fit. */
export function ZoomControl() {
  const { zoom } = useViewport();
  const flow = useReactFlow();
  const bringIntoSight = useBringIntoSight();
  return (
    <Panel position="top-left" className={styles.control ?? ''} role="toolbar" aria-label="Zoom">
      <button type="button" onClick={() => flow.zoomOut()} aria-label="Zoom out" title="Zoom out (Ctrl+-)">
        −
      </button>
      <button type="button" onClick={() => flow.zoomTo(1)} title="Zoom to 100 % (Ctrl+0)" className={styles.percent}>
        {Math.round(zoom * 100)} %
      </button>
      <button type="button" onClick={() => flow.zoomIn()} aria-label="Zoom in" title="Zoom in (Ctrl++)">
        +
      </button>
      <button type="button" onClick={() => bringIntoSight('flow')} title="Show the whole flow (Shift+1)">
        Fit
      </button>
    </Panel>
  );
}
