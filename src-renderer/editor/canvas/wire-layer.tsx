import type { CSSProperties } from 'react';
import type { LayerKind, LayerMark } from '#renderer/runs/model/canvas-layer.ts';
import { WireLabels } from './wire-labels.tsx';
import styles from './wire-layer.module.css';

interface WireLayer {
  readonly kind: LayerKind | null;
  readonly mark: LayerMark | undefined;
}

/** How a layer draws a wire: wider where more ran, dashed where nothing did, and faint beside a lineage. */
export function layerStyle({ kind, mark }: WireLayer): CSSProperties {
  if (kind === null) return {};
  const level = mark?.level ?? 0;
  if (kind === 'lineage') return mark ? { stroke: 'var(--accent)', strokeWidth: 3 } : { opacity: 0.3 };
  return level === 0 ? { stroke: 'var(--error)', strokeDasharray: '6 5' } : { stroke: 'var(--accent)', strokeWidth: 1 + level };
}

/** The number that a layer puts on a wire. */
export function WireLayerLabel({ kind, mark, x, y }: { kind: LayerKind | null; mark: LayerMark; x: number; y: number }) {
  if (kind === null || mark.text === '') return null;
  return (
    <WireLabels>
      <div
        className={styles.label}
        data-kind={kind}
        role="img"
        aria-label={mark.title}
        title={mark.title}
        style={{ transform: `translate(-50%, -50%) translate(${x}px, ${y - 17}px)` }}
      >
        {mark.text}
      </div>
    </WireLabels>
  );
}
