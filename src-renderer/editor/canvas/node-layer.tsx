import { useNodeLayer } from '#renderer/editor/marks/use-run-mark.ts';
import styles from './node-layer.module.css';

/** What the shown layer says of a node, over its card: a tint and a number, or a veil where it says nothing. */
export function NodeLayer({ node }: { node: string }) {
  const { kind, mark } = useNodeLayer(node);
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
