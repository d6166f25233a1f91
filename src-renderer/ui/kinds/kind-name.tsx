import type { NodeKind } from '#shared/flow/document.ts';
import styles from './kind-name.module.css';
import { kindLooks } from './node-kinds.ts';

/** The name of a kind on screen, with the word that flow files use beside it if that differs. */
export function KindName({ kind }: { readonly kind: NodeKind }) {
  const { label, formatName } = kindLooks[kind];
  return (
    <>
      {label}
      {formatName !== null && <span className={styles.format}> {formatName}</span>}
    </>
  );
}
