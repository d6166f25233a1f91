import type { Icon } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import styles from './empty-state.module.css';

interface EmptyStateProps {
  readonly icon: Icon;
  readonly title: string;
  /** What will appear here, and how to get it. */
  readonly children: ReactNode;
}

/** The message of an empty panel. */
export function EmptyState({ icon: Icon, title, children }: EmptyStateProps) {
  return (
    <div className={styles.empty}>
      <Icon size={22} stroke={1.5} aria-hidden="true" />
      <strong>{title}</strong>
      <div>{children}</div>
    </div>
  );
}
