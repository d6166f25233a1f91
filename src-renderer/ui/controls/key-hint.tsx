import styles from './key-hint.module.css';

/** A key or chord on buttons and in menus (`F10`, `Ctrl+K`). */
export function KeyHint({ keys }: { keys: string }) {
  return <kbd className={styles.key}>{keys}</kbd>;
}
