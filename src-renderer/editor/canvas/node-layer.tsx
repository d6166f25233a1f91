import type { LayerKind, LayerMark } from '#renderer/runs/model/canvas-layer.ts';
import styles from './node-layer.module.css';

/** What the shown layer says of a node, over its card: a tint and a number, or a veil where it says nothing. */
export function NodeLayer({ kind, mark }: { kind: LayerKind | null; mark: LayerMark | undefined }) {
  if (kind === null) return null;
  return (
    <>
      <span className={styles.tint} data-kind={kind} data-level={mark?.level ?? 0} aria-hidden="true" />
      {mark && mark.text !== '' && (
        <span className={styles.chip} data-kind={kind} role="img" aria-label={mark.title} title={mark.title}>
          {mark.text}
        </span>
      )}
    </>
  );
}
