import styles from '#renderer/ui/kinds/kind-name.module.css';
import type { LibraryEntry } from './library-entries.ts';

/** The label of a library entry, with the word of flow files beside the name of a kind if it differs. */
export function EntryLabel({ entry: { label, formatName = null } }: { readonly entry: LibraryEntry }) {
  return (
    <>
      {label}
      {formatName !== null && <span className={styles.format}> {formatName}</span>}
    </>
  );
}
