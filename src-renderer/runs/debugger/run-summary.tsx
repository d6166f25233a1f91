import { Popover } from '@mantine/core';
import { IconChevronDown, IconGitBranch, IconLock, IconPencilExclamation } from '@tabler/icons-react';
import { useState } from 'react';
import { useStore } from 'zustand';
import { RunList } from '#renderer/runs/list/run-list-panel.tsx';
import { RunStatusMark } from '#renderer/runs/list/run-status.tsx';
import { continuationOf } from '#renderer/runs/model/continuation.ts';
import { showRunNow } from '#renderer/runs/model/open-run.ts';
import type { RunView } from '#renderer/runs/model/run-fold.ts';
import { shortRunName } from '#renderer/runs/model/run-name.ts';
import { runSubjectStore } from '#renderer/runs/model/run-subject.ts';
import { useRunList } from '#renderer/runs/model/use-run-list.ts';
import { RunMenu } from '#renderer/runs/time-travel/run-menu.tsx';
import { texts as travelTexts } from '#renderer/runs/time-travel/texts.ts';
import { durationText } from '#renderer/ui/values/durations.ts';
import styles from './run-summary.module.css';
import { texts } from './texts.ts';

function spentMilliseconds({ tallies }: RunView): number {
  return Object.values(tallies).reduce((sum, tally) => sum + tally.duration_ms, 0);
}

/** The shown run with its status and cost, and the list of the others. */
export function RunSummaryLine({ view }: { view: RunView | null }) {
  const [open, setOpen] = useState(false);
  const text = useStore(runSubjectStore, ({ flow }) => (flow && flow.path === view?.flow_path ? flow.text : null));
  const spent = view && [durationText(spentMilliseconds(view)), ...(view.tokens > 0 ? [texts.summary.tokens(view.tokens)] : [])];
  return (
    <>
      {view && <Origin view={view} />}
      {view && text !== null && text !== view.flow_text && (
        <span className={styles.changed} title={texts.summary.flowEditedHint}>
          <IconPencilExclamation size={14} aria-hidden="true" />
          <span className={styles.word}>{texts.summary.flowEdited}</span>
        </span>
      )}
      <Popover opened={open} onChange={setOpen} position="top-end" width={420} shadow="md" trapFocus returnFocus>
        <Popover.Target>
          <button type="button" className={styles.button} aria-expanded={open} aria-haspopup="dialog" onClick={() => setOpen(!open)}>
            {view && <RunStatusMark status={view.status} held={view.stop?.point === 'hold'} />}
            {view ? (
              <span>
                <span className={styles.word}>{texts.summary.run} </span>
                {shortRunName(view.run_id)}
              </span>
            ) : (
              texts.summary.runs
            )}
            {spent && <span className={styles.spent}>· {spent.join(' · ')}</span>}
            <IconChevronDown size={13} aria-hidden="true" />
          </button>
        </Popover.Target>
        <Popover.Dropdown p={0} aria-label={texts.summary.list}>
          <RunList onOpened={() => setOpen(false)} />
        </Popover.Dropdown>
      </Popover>
      <RunMenu view={view} />
    </>
  );
}

/** Where a fork comes from, and the run that continues this one; a click goes there. */
function Origin({ view: { run_id, forked_from, flow_path, read_only } }: { view: RunView }) {
  const next = useRunList((state) => continuationOf(state.runs, run_id));
  return (
    <>
      {read_only && (
        <span className={styles.changed} title={texts.summary.readOnlyHint}>
          <IconLock size={14} aria-hidden="true" />
          <span className={styles.word}>{texts.summary.readOnly}</span>
        </span>
      )}
      {forked_from && (
        <button
          type="button"
          className={styles.origin}
          aria-label={texts.summary.forkedFrom(shortRunName(forked_from.run_id), forked_from.seq)}
          title={texts.summary.forkedFrom(shortRunName(forked_from.run_id), forked_from.seq)}
          onClick={() => void showRunNow({ run_id: forked_from.run_id, flow_path }, forked_from.seq)}
        >
          <IconGitBranch size={13} aria-hidden="true" />
          {shortRunName(forked_from.run_id)}
          <span className={styles.spent}>· {texts.summary.step(forked_from.seq)}</span>
        </button>
      )}
      {next && (
        <button
          type="button"
          className={styles.origin}
          title={travelTexts.continueEdited.asHint(shortRunName(next.run_id))}
          onClick={() => void showRunNow(next)}
        >
          <IconGitBranch size={13} aria-hidden="true" />
          {travelTexts.continueEdited.as(shortRunName(next.run_id))}
        </button>
      )}
    </>
  );
}
