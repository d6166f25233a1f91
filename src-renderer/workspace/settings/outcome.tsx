import { FailureText } from '#renderer/ui/values/failure-text.tsx';
import styles from './settings.module.css';
import type { Action } from './use-action.ts';

/** The result of an action as a message. */
export function Outcome({ action: { failure, done } }: { action: Action }) {
  if (failure) return <FailureText failure={failure} />;
  return done === null ? null : <p className={styles.good}>{done}</p>;
}
