import { Fragment, type MouseEvent } from 'react';
import { partsByVisibility, showInvisible } from '#shared/invisible-characters.ts';
import styles from './visible-text.module.css';
import { wordParts } from './word-parts.ts';

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
  /** Whether lines may break between the words of an identifier. */
  readonly breaks?: boolean;
  /** Called on a double click; the keyboard needs another way. */
  readonly onDoubleClick?: (event: MouseEvent) => void;
}

/** A name on one line, truncated at its end, also in right-to-left scripts. */
export function VisibleName({ text, className = '', title = text, breaks = false, onDoubleClick }: VisibleNameProps) {
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: see onDoubleClick
    <span
      className={`${styles.name} ${className}`}
      dir="auto"
      title={title === null ? undefined : showInvisible(title)}
      onDoubleClick={onDoubleClick}
    >
      <Parts text={text} breaks={breaks} />
    </span>
  );
}

function Parts({ text, breaks = false }: { text: string; breaks?: boolean }) {
  return partsByVisibility(text).map((part, index) =>
    part.name === null ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: a part is its position in the text
      <Breakable key={index} text={part.text} breaks={breaks} />
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: a part is its position in the text
      <span key={index} className={styles.sign} title="Invisible character">
        {part.name}
      </span>
    ),
  );
}

function Breakable({ text, breaks }: { text: string; breaks: boolean }) {
  if (!breaks) return text;
  return wordParts(text).map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a part is its position in the text
    <Fragment key={index}>
      {index > 0 && <wbr />}
      {part}
    </Fragment>
  ));
}
