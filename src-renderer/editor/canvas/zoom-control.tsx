import { IconFocusCentered } from '@tabler/icons-react';
import { Panel, useStoreApi } from '@xyflow/react';
import { memo, useEffect, useState } from 'react';
import { toggleFollow, useFollow } from '#renderer/editor/actions/follow-store.ts';
import { askCanvas } from '#renderer/shell/canvas-requests.ts';
import { texts } from './texts.ts';
import styles from './zoom-control.module.css';

/** How often the percentage changes at most while the canvas is zoomed, in milliseconds. */
const pace = 100;

/** The zoom in per cent. Not for each turn of the wheel: another text is a new layout of the page. */
function usePercent(): number {
  const store = useStoreApi();
  const read = () => Math.round(store.getState().transform[2] * 100);
  const [percent, setPercent] = useState(read);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `read` depends on the store alone
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isStale = false;
    const update = () => {
      isStale = false;
      setPercent(read());
      timer = setTimeout(() => {
        timer = undefined;
        if (isStale) update();
      }, pace);
    };
    update();
    const unsubscribe = store.subscribe(({ transform }, before) => {
      if (transform[2] === before.transform[2]) return;
      isStale = true;
      if (timer === undefined) update();
    });
    return () => {
      clearTimeout(timer);
      unsubscribe();
    };
  }, [store]);
  return percent;
}

/** Zoom out, the current zoom (a click resets it to 100 %), zoom in, fit, follow run. */
export const ZoomControl = memo(function ZoomControl() {
  const percent = usePercent();
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
});
