import type { MouseEvent } from 'react';
import { partsByVisibility, withHiddenSignsShown } from '#shared/hidden-signs.ts';
import styles from './visible-text.module.css';

/** A text with all that stands in it: signs that a screen would not show, or that turn the direction of others, by their names. */
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
  /** What a double click does; the keyboard needs a way of its own. */
  readonly onDoubleClick?: (event: MouseEvent) => void;
}

/** A name on a line of its own, which may be cut off: it begins where its script begins, so that its end is cut off and not its beginning. */
export function VisibleName({ text, className = '', title = text, onDoubleClick }: VisibleNameProps) {
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: see onDoubleClick
    <span
      className={`${styles.name} ${className}`}
      dir="auto"
      title={title === null ? undefined : withHiddenSignsShown(title)}
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
      <span key={index} className={styles.sign} title="A sign that is not seen">
        {part.name}
      </span>
    ),
  );
}
