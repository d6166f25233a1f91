import { IconHandStop } from '@tabler/icons-react';
import { openRun } from '#renderer/runs/model/open-run.ts';
import type { Waiting } from '#renderer/runs/model/run-list.ts';
import { menuPoint, openMenu } from '#renderer/shell/menu-store.ts';
import { panelsStore } from '#renderer/shell/panels.ts';
import { useNow } from '#renderer/ui/controls/use-now.ts';
import { VisibleText } from '#renderer/ui/controls/visible-text.tsx';
import { agoText } from '#renderer/ui/values/durations.ts';
import { serverOf } from '#shared/contract/servers.ts';
import { waitingTitle } from './questions.ts';
import { texts } from './texts.ts';
import styles from './waiting-list.module.css';

interface WaitingListProps {
  readonly waiting: readonly Waiting[];
  onOpened?(): void;
}

/** Where a run is that is not in the folder. */
function onServer(runId: string): string {
  const server = serverOf(runId);
  return server === null ? '' : ` · ${texts.inbox.on(server)}`;
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
            onContextMenu={(event) => {
              event.preventDefault();
              const { run_id, flow_path } = run;
              openMenu({
                place: 'question',
                label: texts.inbox.menu(waitingTitle(suspension, suspension.title ?? suspension.node)),
                ...menuPoint(event, event.currentTarget),
                subject: { run: { run_id, flow_path, node: suspension.node } },
              });
            }}
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
                <VisibleText text={run.flow_name} />
                {onServer(run.run_id)} · {agoText(suspension.since, now)}
              </span>
            </span>
          </button>
        </li>
      ))}
    </ul>
  );
}
