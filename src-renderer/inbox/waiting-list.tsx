import { IconHandStop } from '@tabler/icons-react';
import { VisibleText } from '#renderer/controls/visible-text.tsx';
import { agoText } from '#renderer/debugger/durations.ts';
import { openRun } from '#renderer/runs/open-run.ts';
import { panelsStore } from '#renderer/stores/panels.ts';
import type { Waiting } from '#renderer/stores/run-list.ts';
import { useNow } from '#renderer/stores/use-now.ts';
import { waitingTitle } from './questions.ts';
import styles from './waiting-list.module.css';

interface WaitingListProps {
  readonly waiting: readonly Waiting[];
  onOpened?(): void;
}

/** Questions of several runs; a click shows the run with its card. */
export function WaitingList({ waiting, onOpened }: WaitingListProps) {
  const now = useNow(10_000);
  return (
    <ul>
      {waiting.map(({ run, suspension }) => (
        <li key={run.run_id}>
          <button
            type="button"
            className={styles.item}
            onClick={() => {
              void openRun(run).then(() => panelsStore.getState().showRight('waiting'));
              onOpened?.();
            }}
          >
            <IconHandStop size={16} aria-hidden="true" />
            <span className={styles.words}>
              <span>
                <VisibleText text={waitingTitle(suspension, suspension.title ?? suspension.node)} />
              </span>
              <span className={styles.about}>
                <VisibleText text={run.flow_name} /> · {agoText(suspension.since, now)}
              </span>
            </span>
          </button>
        </li>
      ))}
    </ul>
  );
}
