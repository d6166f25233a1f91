import { IconFolderShare, IconGitBranch, IconHistory } from '@tabler/icons-react';
import type { RunView } from '#renderer/runs/model/run-fold.ts';
import { runSessionStore } from '#renderer/runs/model/run-stores.ts';
import { forkShownRun, restoreFilesOfShownRun } from '#renderer/runs/time-travel/time-travel-actions.ts';
import { StripButton } from '#renderer/ui/controls/strip-button.tsx';
import styles from './past-banner.module.css';
import { texts } from './texts.ts';

/** Says that a past step is shown, and offers to go back to the latest one, to fork or to restore files. */
export function PastBanner({ view, selected }: { view: RunView; selected: number }) {
  return (
    <div className={styles.banner}>
      <IconHistory size={15} aria-hidden="true" />
      <span>{texts.past.viewing(selected, view.seq)}</span>
      <StripButton onClick={() => runSessionStore.getState().select(null)}>{texts.past.backToLatest}</StripButton>
      <StripButton icon={IconGitBranch} onClick={() => forkShownRun()}>
        {texts.past.runFromHere}
      </StripButton>
      <StripButton icon={IconFolderShare} onClick={() => restoreFilesOfShownRun()}>
        {texts.past.restoreFiles}
      </StripButton>
    </div>
  );
}
