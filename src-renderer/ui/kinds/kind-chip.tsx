import type { NodeKind } from '#shared/flow/document.ts';
import styles from './kind-chip.module.css';

interface KindChipProps {
  readonly kind: NodeKind;
  readonly size?: number;
  /** Whether it steps back, without the kind's colour. */
  readonly isMuted?: boolean;
}

/** The small coloured square with a kind's icon. Decorative: the name of the kind is beside it or in the label of its container. */
export function KindChip({ kind, size, isMuted = false }: KindChipProps) {
  const style = size === undefined ? {} : { width: size, height: size };
  return (
    <span className={styles.chip} style={style} data-chip={kind} data-icon={`kind-${kind}${isMuted ? '-muted' : ''}`} aria-hidden="true" />
  );
}
