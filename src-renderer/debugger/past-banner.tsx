import { IconHistory } from '@tabler/icons-react';
import type { RunView } from '#renderer/stores/run-fold.ts';
import { runSessionStore } from '#renderer/stores/run-stores.ts';
import styles from './past-banner.module.css';

/** Says that what is seen is not where the run is, and leads back there. */
export function PastBanner({ view, selected }: { view: RunView; selected: number }) {
  return (
    <div className={styles.banner}>
      <IconHistory size={15} aria-hidden="true" />
      <span>
        {selected === 0 ? `You are viewing the start, before step 1 of ${view.seq}` : `You are viewing step ${selected} of ${view.seq}`}
      </span>
      <button type="button" className={styles.button} onClick={() => runSessionStore.getState().select(null)}>
        Return to now
      </button>
    </div>
  );
}
