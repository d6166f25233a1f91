import { IconHistory } from '@tabler/icons-react';
import { RunStatusMark } from '#renderer/runs/list/run-status.tsx';
import { shortRunName } from '#renderer/runs/model/run-name.ts';
import { useRunList } from '#renderer/runs/model/use-run-list.ts';
import { EmptyState } from '#renderer/ui/controls/empty-state.tsx';
import { useNow } from '#renderer/ui/controls/use-now.ts';
import { agoText } from '#renderer/ui/values/durations.ts';
import { compareCandidates } from './compare-candidates.ts';
import styles from './compare-choice.module.css';
import { compareRuns } from './comparison.ts';
import { texts } from './texts.ts';
import { closeTimeTravelDialog, type TravelledRun } from './time-travel-dialogs.ts';

/** The list of runs to compare the shown one with. */
export function CompareChoice({ run }: { run: TravelledRun }) {
  const runs = useRunList((state) => state.runs);
  const now = useNow(10_000);
  const candidates = compareCandidates(run, runs);
  if (candidates.length === 0)
    return (
      <EmptyState icon={IconHistory} title={texts.compare.emptyTitle}>
        {texts.compare.empty}
      </EmptyState>
    );
  return (
    <ul className={styles.list} aria-label={texts.compare.label}>
      {candidates.map(({ run: other, relation }, index) => (
        <li key={other.run_id}>
          <button
            type="button"
            className={styles.run}
            data-autofocus={index === 0 || undefined}
            onClick={() => {
              closeTimeTravelDialog();
              void compareRuns(run.run_id, other.run_id);
            }}
          >
            <span className={styles.name}>{other.flow_name}</span>
            <code>{shortRunName(other.run_id)}</code>
            <RunStatusMark status={other.status} />
            <span className={styles.relation}>{texts.compare.relation[relation]}</span>
            <span className={styles.muted}>{texts.compare.steps(other.seq)}</span>
            <span className={styles.muted}>{agoText(other.updated_at, now)}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}
