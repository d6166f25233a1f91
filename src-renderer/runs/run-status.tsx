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

const looks: Record<RunStatus, { readonly word: string; readonly icon: Icon }> = {
  queued: { word: 'queued', icon: IconHourglass },
  running: { word: 'running', icon: IconLoader2 },
  paused: { word: 'paused', icon: IconPlayerPause },
  suspended: { word: 'waiting', icon: IconHandStop },
  success: { word: 'done', icon: IconCircleCheck },
  error: { word: 'failed', icon: IconCircleX },
  cancelled: { word: 'stopped', icon: IconPlayerStop },
};

/** How a run stands, by sign and word. */
export function RunStatusMark({ status }: { status: RunStatus }) {
  const { word, icon: Sign } = looks[status];
  return (
    <span className={styles.status} data-status={status}>
      <Sign size={14} aria-hidden="true" />
      {word}
    </span>
  );
}
