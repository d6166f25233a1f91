import { Popover } from '@mantine/core';
import { IconInbox } from '@tabler/icons-react';
import { useState } from 'react';
import { waitingOf } from '#renderer/runs/model/run-list.ts';
import { useRunList } from '#renderer/runs/model/use-run-list.ts';
import { EmptyState } from '#renderer/ui/controls/empty-state.tsx';
import styles from './inbox-button.module.css';
import { texts } from './texts.ts';
import { WaitingList } from './waiting-list.tsx';

/** Counts and lists the questions of all runs in the folder. */
export function InboxButton() {
  const [open, setOpen] = useState(false);
  const waiting = waitingOf(useRunList((state) => state.runs));
  const label = texts.inbox.button(waiting.length);
  return (
    <Popover opened={open} onChange={setOpen} position="bottom-end" width={340} shadow="md" trapFocus returnFocus>
      <Popover.Target>
        <button
          type="button"
          className={styles.button}
          aria-label={label}
          title={label}
          aria-expanded={open}
          aria-haspopup="dialog"
          onClick={() => setOpen(!open)}
        >
          <IconInbox size={18} stroke={1.6} aria-hidden="true" />
          {waiting.length > 0 && <span className={styles.count}>{waiting.length}</span>}
        </button>
      </Popover.Target>
      <Popover.Dropdown p={4} aria-label={texts.inbox.label}>
        {waiting.length > 0 ? (
          <WaitingList waiting={waiting} onOpened={() => setOpen(false)} />
        ) : (
          <EmptyState icon={IconInbox} title={texts.inbox.emptyTitle}>
            {texts.inbox.emptyAllRuns}
          </EmptyState>
        )}
      </Popover.Dropdown>
    </Popover>
  );
}
