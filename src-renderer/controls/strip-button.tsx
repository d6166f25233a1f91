import type { Icon } from '@tabler/icons-react';
import styles from './strip-button.module.css';

interface StripButtonProps {
  readonly icon?: Icon;
  readonly children: string | readonly (string | number)[];
  onClick(): void;
}

/** What can be done about the message of a strip: as quiet as a link, in the line of its words. */
export function StripButton({ icon: Icon, children, onClick }: StripButtonProps) {
  return (
    <button type="button" className={styles.button} onClick={onClick}>
      {Icon && <Icon size={14} aria-hidden="true" />}
      {children}
    </button>
  );
}
