import {
  type Icon,
  IconCircleCheck,
  IconCircleX,
  IconHandStop,
  IconHourglass,
  IconLoader2,
  IconPlayerPause,
  IconPlayerStop,
} from '@tabler/icons-react';
import type { RunStatus } from '#shared/contract/runs.ts';
import styles from './run-status.module.css';
import { texts } from './texts.ts';

const icons: Record<RunStatus, Icon> = {
  queued: IconHourglass,
  running: IconLoader2,
  paused: IconPlayerPause,
  suspended: IconHandStop,
  success: IconCircleCheck,
  error: IconCircleX,
  cancelled: IconPlayerStop,
};

/** The status of a run, as an icon and a word. `held`: it is held inside a step. */
export function RunStatusMark({ status, held = false }: { status: RunStatus; held?: boolean }) {
  const StatusIcon = held ? icons.paused : icons[status];
  return (
    <span className={styles.status} data-status={held ? 'paused' : status}>
      <StatusIcon size={14} aria-hidden="true" />
      {held ? texts.held : texts.status[status]}
    </span>
  );
}
