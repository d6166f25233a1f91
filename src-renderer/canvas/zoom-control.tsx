import { IconFocusCentered } from '@tabler/icons-react';
import { Panel, useReactFlow, useViewport } from '@xyflow/react';
import { toggleFollow, useFollows } from './follow-store.ts';
import { useBringIntoSight } from './use-bring-into-sight.ts';
import styles from './zoom-control.module.css';

/** Zoom out, the current zoom (a click gives 100 %), zoom in, fit, follow a run. */
export function ZoomControl() {
  const { zoom } = useViewport();
  const follows = useFollows();
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
      <button
        type="button"
        aria-pressed={follows}
        onClick={toggleFollow}
        title="Follow run: keep the node that a run is at in sight (Shift+F)"
        aria-label="Follow run"
      >
        <IconFocusCentered size={15} aria-hidden="true" />
      </button>
    </Panel>
  );
}
