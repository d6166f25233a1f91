import { ActionIcon } from '@mantine/core';
import { IconHistory, IconTrash } from '@tabler/icons-react';
import { openRun } from '#renderer/runs/model/open-run.ts';
import { hasEnded } from '#renderer/runs/model/run-fold.ts';
import { shortRunName } from '#renderer/runs/model/run-name.ts';
import { runListStore } from '#renderer/runs/model/run-stores.ts';
import { useRunList } from '#renderer/runs/model/use-run-list.ts';
import { useRunSession } from '#renderer/runs/model/use-run-session.ts';
import { texts as suppliedTexts } from '#renderer/runs/supplied/texts.ts';
import { EmptyState } from '#renderer/ui/controls/empty-state.tsx';
import { useNow } from '#renderer/ui/controls/use-now.ts';
import { agoText } from '#renderer/ui/values/durations.ts';
import { FailureText } from '#renderer/ui/values/failure-text.tsx';
import styles from './run-list-panel.module.css';
import { RunStatusMark } from './run-status.tsx';
import { texts } from './texts.ts';

/** The runs of the folder, the last changed first. */
export function RunList({ onOpened }: { onOpened(): void }) {
  const runs = useRunList((state) => state.runs);
  const failure = useRunList((state) => state.failure);
  const shown = useRunSession((state) => state.view?.run_id);
  const now = useNow(10_000);
  if (failure) return <FailureText failure={failure} />;
  if (runs.length === 0)
    return (
      <EmptyState icon={IconHistory} title={texts.list.emptyTitle}>
        {texts.list.empty}
      </EmptyState>
    );
  return (
    <ul className={styles.list} aria-label={texts.list.label}>
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
              {run.forked_from && <span title={texts.list.forkedFrom}> ← {shortRunName(run.forked_from.run_id)}</span>}
            </code>
            <RunStatusMark status={run.status} held={run.stop?.point === 'hold'} />
            <span className={styles.steps}>
              {texts.list.steps(run.seq)}
              {run.supplied !== undefined && ` · ${suppliedTexts.runCount(run.supplied)}`}
            </span>
            <span className={styles.when}>{agoText(run.updated_at, now)}</span>
          </button>
          <ActionIcon
            size={24}
            aria-label={texts.list.delete(shortRunName(run.run_id), run.flow_name)}
            disabled={!hasEnded(run.status)}
            title={hasEnded(run.status) ? texts.list.deleteHint : texts.list.stopFirst}
            onClick={() => void runListStore.getState().remove(run.run_id)}
          >
            <IconTrash size={14} />
          </ActionIcon>
        </li>
      ))}
    </ul>
  );
}
