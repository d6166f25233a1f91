import { Popover } from '@mantine/core';
import { IconChevronDown, IconGitBranch, IconLock, IconPencilExclamation } from '@tabler/icons-react';
import { useState } from 'react';
import { useStore } from 'zustand';
import { showRunNow } from '#renderer/runs/open-run.ts';
import { RunList } from '#renderer/runs/run-list-panel.tsx';
import { shortRunName } from '#renderer/runs/run-name.ts';
import { RunStatusMark } from '#renderer/runs/run-status.tsx';
import type { RunView } from '#renderer/stores/run-fold.ts';
import { runSubjectStore } from '#renderer/stores/run-subject.ts';
import { RunMenu } from '#renderer/time-travel/run-menu.tsx';
import { durationText } from './durations.ts';
import styles from './run-summary.module.css';

const number = new Intl.NumberFormat('en');

function spentMilliseconds({ tallies }: RunView): number {
  return Object.values(tallies).reduce((sum, tally) => sum + tally.duration_ms, 0);
}

/** Which run is shown, how it stands, what it has cost, and the way to the others. */
export function RunSummaryLine({ view }: { view: RunView | null }) {
  const [open, setOpen] = useState(false);
  const text = useStore(runSubjectStore, ({ flow }) => (flow && flow.path === view?.flow_path ? flow.text : null));
  const spent = view && [durationText(spentMilliseconds(view)), ...(view.tokens > 0 ? [`${number.format(view.tokens)} tokens`] : [])];
  return (
    <>
      {view && <Origin view={view} />}
      {view && text !== null && text !== view.flow_text && (
        <span className={styles.changed} title="The flow was edited since: the run goes on with the flow as it was when it began.">
          <IconPencilExclamation size={14} aria-hidden="true" />
          <span className={styles.word}>flow edited since</span>
        </span>
      )}
      <Popover opened={open} onChange={setOpen} position="top-end" width={420} shadow="md" trapFocus returnFocus>
        <Popover.Target>
          <button type="button" className={styles.button} aria-expanded={open} aria-haspopup="dialog" onClick={() => setOpen(!open)}>
            {view && <RunStatusMark status={view.status} />}
            {view ? (
              <span>
                <span className={styles.word}>run </span>
                {shortRunName(view.run_id)}
              </span>
            ) : (
              'Runs'
            )}
            {spent && <span className={styles.spent}>· {spent.join(' · ')}</span>}
            <IconChevronDown size={13} aria-hidden="true" />
          </button>
        </Popover.Target>
        <Popover.Dropdown p={0} aria-label="Runs of this folder">
          <RunList onOpened={() => setOpen(false)} />
        </Popover.Dropdown>
      </Popover>
      <RunMenu view={view} />
    </>
  );
}

/** Where a fork comes from; a click goes there. */
function Origin({ view: { forked_from, flow_path, read_only } }: { view: RunView }) {
  return (
    <>
      {read_only && (
        <span
          className={styles.changed}
          title="Read-only: it came with this folder or in a capsule. It can be looked at and forked, not driven."
        >
          <IconLock size={14} aria-hidden="true" />
          <span className={styles.word}>read-only</span>
        </span>
      )}
      {forked_from && (
        <button
          type="button"
          className={styles.origin}
          aria-label={`Forked from step ${forked_from.seq} of run ${shortRunName(forked_from.run_id)}: show it there`}
          title={`Forked from step ${forked_from.seq} of run ${shortRunName(forked_from.run_id)}: show it there`}
          onClick={() => void showRunNow({ run_id: forked_from.run_id, flow_path }, forked_from.seq)}
        >
          <IconGitBranch size={13} aria-hidden="true" />
          {shortRunName(forked_from.run_id)}
          <span className={styles.spent}>· step {forked_from.seq}</span>
        </button>
      )}
    </>
  );
}
