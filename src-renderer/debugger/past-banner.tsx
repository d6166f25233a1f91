import { IconFolderShare, IconGitBranch, IconHistory } from '@tabler/icons-react';
import type { RunView } from '#renderer/stores/run-fold.ts';
import { runSessionStore } from '#renderer/stores/run-stores.ts';
import { forkShownRun, restoreFilesOfShownRun } from '#renderer/time-travel/time-travel-actions.ts';
import styles from './past-banner.module.css';

const number = new Intl.NumberFormat('en');

/** Says that what is seen is not where the run is, leads back there, and goes on from here. */
export function PastBanner({ view, selected }: { view: RunView; selected: number }) {
  return (
    <div className={styles.banner}>
      <IconHistory size={15} aria-hidden="true" />
      <span>
        {selected === 0
          ? `You are viewing the start, before step 1 of ${number.format(view.seq)}`
          : `You are viewing step ${number.format(selected)} of ${number.format(view.seq)}`}
      </span>
      <button type="button" className={styles.button} onClick={() => runSessionStore.getState().select(null)}>
        Return to now
      </button>
      <button type="button" className={styles.button} onClick={() => forkShownRun()}>
        <IconGitBranch size={14} aria-hidden="true" />
        Run from here…
      </button>
      <button type="button" className={styles.button} onClick={() => restoreFilesOfShownRun()}>
        <IconFolderShare size={14} aria-hidden="true" />
        Restore files…
      </button>
    </div>
  );
}
