import { Popover } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { useState } from 'react';
import { useStore } from 'zustand';
import { RunList } from '#renderer/runs/run-list-panel.tsx';
import { shortRunName } from '#renderer/runs/run-name.ts';
import { RunStatusMark } from '#renderer/runs/run-status.tsx';
import type { RunView } from '#renderer/stores/run-fold.ts';
import { runSubjectStore } from '#renderer/stores/run-subject.ts';
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
  const words = view
    ? [
        `run ${shortRunName(view.run_id)}`,
        durationText(spentMilliseconds(view)),
        ...(view.tokens > 0 ? [`${number.format(view.tokens)} tokens`] : []),
      ].join(' · ')
    : 'Runs';
  return (
    <>
      {view && text !== null && text !== view.flow_text && (
        <span className={styles.changed} title="The run goes on with the flow as it was when it began.">
          flow edited since
        </span>
      )}
      <Popover opened={open} onChange={setOpen} position="top-end" width={420} shadow="md" trapFocus returnFocus>
        <Popover.Target>
          <button type="button" className={styles.button} aria-expanded={open} aria-haspopup="dialog" onClick={() => setOpen(!open)}>
            {view && <RunStatusMark status={view.status} />}
            {words}
            <IconChevronDown size={13} aria-hidden="true" />
          </button>
        </Popover.Target>
        <Popover.Dropdown p={0} aria-label="Runs of this folder">
          <RunList onOpened={() => setOpen(false)} />
        </Popover.Dropdown>
      </Popover>
    </>
  );
}
