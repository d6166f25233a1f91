import { ActionIcon } from '@mantine/core';
import { IconHistory, IconTrash } from '@tabler/icons-react';
import { EmptyState } from '#renderer/controls/empty-state.tsx';
import { agoText } from '#renderer/debugger/durations.ts';
import { FailureText } from '#renderer/debugger/failure-text.tsx';
import { shortRunName } from '#renderer/runs/run-name.ts';
import { hasEnded } from '#renderer/stores/run-fold.ts';
import { runListStore } from '#renderer/stores/run-stores.ts';
import { useNow } from '#renderer/stores/use-now.ts';
import { useRunList } from '#renderer/stores/use-run-list.ts';
import { useRunSession } from '#renderer/stores/use-run-session.ts';
import { openRun } from './open-run.ts';
import styles from './run-list-panel.module.css';
import { RunStatusMark } from './run-status.tsx';

/** The runs of the folder, the last changed first; also those of before a restart. */
export function RunList({ onOpened }: { onOpened(): void }) {
  const runs = useRunList((state) => state.runs);
  const failure = useRunList((state) => state.failure);
  const shown = useRunSession((state) => state.view?.run_id);
  const now = useNow(10_000);
  if (failure) return <FailureText failure={failure} />;
  if (runs.length === 0)
    return (
      <EmptyState icon={IconHistory} title="No runs yet">
        Every run of this folder is kept here, and can be opened again after a restart.
      </EmptyState>
    );
  return (
    <ul className={styles.list} aria-label="Runs">
      {runs.map((run) => (
        <li key={run.run_id} className={styles.item}>
          <button
            type="button"
            className={styles.open}
            aria-current={run.run_id === shown}
            onClick={() => {
              void openRun(run);
              onOpened();
            }}
          >
            <span className={styles.name}>{run.flow_name}</span>
            <code className={styles.id}>
              {shortRunName(run.run_id)}
              {run.forked_from && <span title="Where it was forked from"> ← {shortRunName(run.forked_from.run_id)}</span>}
            </code>
            <RunStatusMark status={run.status} />
            <span className={styles.steps}>{run.seq} steps</span>
            <span className={styles.when}>{agoText(run.updated_at, now)}</span>
          </button>
          <ActionIcon
            size={24}
            aria-label={`Delete run ${shortRunName(run.run_id)} of ${run.flow_name}`}
            disabled={!hasEnded(run.status)}
            title={hasEnded(run.status) ? 'Delete this run' : 'Stop this run before deleting it'}
            onClick={() => void runListStore.getState().remove(run.run_id)}
          >
            <IconTrash size={14} />
          </ActionIcon>
        </li>
      ))}
    </ul>
  );
}
