import { IconFolderShare, IconGitBranch, IconHistory } from '@tabler/icons-react';
import { StripButton } from '#renderer/controls/strip-button.tsx';
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
      <StripButton onClick={() => runSessionStore.getState().select(null)}>Return to now</StripButton>
      <StripButton icon={IconGitBranch} onClick={() => forkShownRun()}>
        Run from here…
      </StripButton>
      <StripButton icon={IconFolderShare} onClick={() => restoreFilesOfShownRun()}>
        Restore files…
      </StripButton>
    </div>
  );
}
