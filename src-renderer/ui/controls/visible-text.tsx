import type { MouseEvent } from 'react';
import { partsByVisibility, showInvisible } from '#shared/invisible-characters.ts';
import styles from './visible-text.module.css';

/** A text in which invisible characters, and those that change the text direction, are shown by their names. */
export function VisibleText({ text }: { text: string }) {
  return (
    <bdi>
      <Parts text={text} />
    </bdi>
  );
}

interface VisibleNameProps {
  readonly text: string;
  readonly className?: string | undefined;
  /** Tooltip; the name itself unless given. Null for none. */
  readonly title?: string | null;
  /** Called on a double click; the keyboard needs another way. */
  readonly onDoubleClick?: (event: MouseEvent) => void;
}

/** A name on one line, truncated at its end, also in right-to-left scripts. */
export function VisibleName({ text, className = '', title = text, onDoubleClick }: VisibleNameProps) {
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: see onDoubleClick
    <span
      className={`${styles.name} ${className}`}
      dir="auto"
      title={title === null ? undefined : showInvisible(title)}
      onDoubleClick={onDoubleClick}
    >
      <Parts text={text} />
    </span>
  );
}

function Parts({ text }: { text: string }) {
  return partsByVisibility(text).map((part, index) =>
    part.name === null ? (
      part.text
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: a part is its position in the text
      <span key={index} className={styles.sign} title="Invisible character">
        {part.name}
      </span>
    ),
  );
}
