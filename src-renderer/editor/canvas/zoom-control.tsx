import { IconFocusCentered } from '@tabler/icons-react';
import { Panel, useStore } from '@xyflow/react';
import { toggleFollow, useFollow } from '#renderer/editor/actions/follow-store.ts';
import { askCanvas } from '#renderer/shell/canvas-requests.ts';
import { texts } from './texts.ts';
import styles from './zoom-control.module.css';

/** Zoom out, the current zoom (a click resets it to 100 %), zoom in, fit, follow run. */
export function ZoomControl() {
  // Rounded here: a movement of the canvas renders nothing.
  const percent = useStore(({ transform }) => Math.round(transform[2] * 100));
  const { follows, paused } = useFollow();
  return (
    <Panel position="top-left" className={styles.control ?? ''} role="toolbar" aria-label={texts.zoom.label}>
      <button type="button" onClick={() => askCanvas('zoom_out')} aria-label={texts.zoom.out} title={texts.zoom.outHint}>
        −
      </button>
      <button type="button" onClick={() => askCanvas('zoom_100')} title={texts.zoom.resetHint} className={styles.percent}>
        {percent} %
      </button>
      <button type="button" onClick={() => askCanvas('zoom_in')} aria-label={texts.zoom.in} title={texts.zoom.inHint}>
        +
      </button>
      <button type="button" onClick={() => askCanvas('fit')} title={texts.zoom.fitHint}>
        {texts.zoom.fit}
      </button>
      <button
        type="button"
        aria-pressed={follows}
        data-paused={follows && paused}
        onClick={toggleFollow}
        title={follows && paused ? texts.follow.pausedHint : texts.follow.hint}
        aria-label={texts.follow.label}
      >
        <IconFocusCentered size={15} aria-hidden="true" />
      </button>
    </Panel>
  );
}
