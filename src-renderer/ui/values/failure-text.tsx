import { IconAlertCircle } from '@tabler/icons-react';
import type { TransferableError } from '#shared/run/error.ts';
import styles from './failure-text.module.css';

/** The message of an error. */
export function FailureText({ failure }: { failure: TransferableError }) {
  return (
    <div className={styles.failure} role="alert">
      <IconAlertCircle size={16} aria-hidden="true" />
      <span>{failure.message}</span>
    </div>
  );
}
