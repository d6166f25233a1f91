import type { NodeKind } from '#shared/flow/document.ts';
import styles from './kind-chip.module.css';
import { kindLooks } from './node-kinds.ts';

/** The small coloured square with a kind's icon. Decorative: the name of the kind is beside it or in the label of its container. */
export function KindChip({ kind, size = 20 }: { kind: NodeKind; size?: number }) {
  const Icon = kindLooks[kind].icon;
  const hue = { '--hue': `var(--kind-${kind})`, '--hue-soft': `var(--kind-${kind}-soft)`, width: size, height: size };
  return (
    <span className={styles.chip} style={hue} aria-hidden="true">
      <Icon size={Math.round(size * 0.65)} stroke={2} />
    </span>
  );
}
