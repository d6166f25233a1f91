import type { Icon } from '@tabler/icons-react';
import styles from './strip-button.module.css';

interface StripButtonProps {
  readonly icon?: Icon;
  readonly children: string | readonly (string | number)[];
  onClick(): void;
}

/** An action in the line of a strip's message, styled as a link. */
export function StripButton({ icon: Icon, children, onClick }: StripButtonProps) {
  return (
    <button type="button" className={styles.button} onClick={onClick}>
      {Icon && <Icon size={14} aria-hidden="true" />}
      {children}
    </button>
  );
}
