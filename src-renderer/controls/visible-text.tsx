import { partsByVisibility } from '#shared/hidden-signs.ts';
import styles from './visible-text.module.css';

/** A text with all that stands in it: signs that a screen would not show, or that turn the direction of others, by their names. */
export function VisibleText({ text }: { text: string }) {
  return (
    <bdi>
      {partsByVisibility(text).map((part, index) =>
        part.name === null ? (
          part.text
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: a part is its position in the text
          <span key={index} className={styles.sign} title="A sign that is not seen">
            {part.name}
          </span>
        ),
      )}
    </bdi>
  );
}
