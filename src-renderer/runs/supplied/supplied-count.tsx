import { IconPinFilled } from '@tabler/icons-react';
import { panelsStore } from '#renderer/shell/panels.ts';
import styles from './supplied.module.css';
import { texts } from './texts.ts';
import { useSuppliedCount } from './use-supplied.ts';

/** "3 outputs are supplied", with the way to them; nothing while none is. */
export function SuppliedCount({ className = '' }: { className?: string | undefined }) {
  const count = useSuppliedCount();
  if (count === 0) return null;
  return (
    <button
      type="button"
      className={`${styles.status} ${className}`}
      title={texts.countHint}
      onClick={() => panelsStore.getState().showRight('debug')}
    >
      <IconPinFilled size={13} aria-hidden="true" />
      {texts.count(count)}
    </button>
  );
}
