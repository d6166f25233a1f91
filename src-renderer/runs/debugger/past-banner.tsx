import { IconFolderShare, IconGitBranch, IconHistory } from '@tabler/icons-react';
import type { NodeTitles } from '#renderer/document/graph/node-titles.ts';
import type { RunView } from '#renderer/runs/model/run-fold.ts';
import { runSessionStore } from '#renderer/runs/model/run-stores.ts';
import { useRunSession } from '#renderer/runs/model/use-run-session.ts';
import { forkShownRun, restoreFilesOfShownRun } from '#renderer/runs/time-travel/time-travel-actions.ts';
import { StripButton } from '#renderer/ui/controls/strip-button.tsx';
import { VisibleName } from '#renderer/ui/controls/visible-text.tsx';
import styles from './past-banner.module.css';
import { texts } from './texts.ts';

interface PastBannerProps {
  readonly view: RunView;
  readonly titles: NodeTitles;
}

/** Says that a past step is shown, or a round is chosen, and offers to go back to the latest step, to fork or to restore files. Nothing for the latest step. */
export function PastBanner({ view, titles }: PastBannerProps) {
  const selected = useRunSession((state) => state.selected);
  const round = useRunSession((state) => state.round);
  if (selected === null && !round) return null;
  return (
    <div className={styles.banner}>
      <IconHistory className={styles.icon} size={15} aria-hidden="true" />
      {round ? (
        <>
          <span className={styles.step}>{texts.past.step(selected ?? view.seq, view.seq)}</span>
          <VisibleName className={styles.round} text={texts.past.counting(round.kind, round.index, titles(round.node))} />
          <StripButton onClick={() => runSessionStore.getState().leaveRound()}>{texts.past.countAll}</StripButton>
        </>
      ) : (
        <span>{texts.past.viewing(selected ?? view.seq, view.seq)}</span>
      )}
      {selected !== null && <PastActions />}
    </div>
  );
}

function PastActions() {
  return (
    <>
      <StripButton onClick={() => runSessionStore.getState().select(null)}>{texts.past.backToLatest}</StripButton>
      <StripButton icon={IconGitBranch} onClick={() => forkShownRun()}>
        {texts.past.runFromHere}
      </StripButton>
      <StripButton icon={IconFolderShare} onClick={() => restoreFilesOfShownRun()}>
        {texts.past.restoreFiles}
      </StripButton>
    </>
  );
}
