import { IconCircleOff, IconPinFilled } from '@tabler/icons-react';
import { memo } from 'react';
import styles from './supplied.module.css';
import { texts } from './texts.ts';
import { useNodePin } from './use-supplied.ts';

/** On the card of a node whose output is pinned, or that is disabled. */
export const PinSign = memo(function PinSign({ node }: { node: string }) {
  const pin = useNodePin(node);
  if (!pin) return null;
  const text = pin.disabled ? texts.signDisabled : texts.signPin;
  const label = pin.state === 'on' ? text : texts.signOff(text);
  const Icon = pin.disabled ? IconCircleOff : IconPinFilled;
  return (
    <span className={styles.sign} data-state={pin.state} role="img" aria-label={label} title={label}>
      <Icon size={11} stroke={2} aria-hidden="true" />
    </span>
  );
});
