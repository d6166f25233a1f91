import { useMemo, useState } from 'react';
import { VisibleText } from '#renderer/ui/controls/visible-text.tsx';
import styles from './file-difference.module.css';
import { lineDifference } from './line-difference.ts';
import { texts } from './texts.ts';

/** The text of a file before and after a write; `before` is null for a new file. */
export interface FileChange {
  readonly path: string;
  readonly before: string | null;
  readonly after: string;
}

/** Lines drawn at first; a button draws more. */
const linesShown = 1000;

const marks = { same: ' ', added: '+', removed: '-', skipped: '…' };
const spoken = { same: '', added: texts.difference.added, removed: texts.difference.removed, skipped: '' };

function summaryOf({ before, path }: FileChange): string {
  return before === null ? texts.difference.newFile(path) : texts.difference.changes(path);
}

interface FileDifferenceProps {
  readonly file: FileChange;
  /** The heading; by default the path of the file. */
  readonly summary?: string;
}

/** What a write would change in the file on disk, line by line. */
export function FileDifference({ file, summary = summaryOf(file) }: FileDifferenceProps) {
  const { lines, added, removed } = useMemo(() => lineDifference(file.before, file.after), [file]);
  const [shown, setShown] = useState(linesShown);
  return (
    <div className={styles.difference}>
      <div className={styles.head}>
        <span>{summary}</span>
        <span title={texts.difference.counts(added, removed)}>
          +{added} -{removed}
        </span>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reached by the keyboard */}
      {/* biome-ignore lint/a11y/useSemanticElements: a <section> per difference would clutter the list of landmarks */}
      <div className={styles.lines} role="group" aria-label={texts.difference.label(file.path)} tabIndex={0}>
        {added + removed === 0 && <div className={styles.none}>{texts.difference.none}</div>}
        {added + removed > 0 &&
          lines.slice(0, shown).map(({ kind, text }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a line is its position in the difference
            <div key={index} className={styles.line} data-kind={kind}>
              <span aria-hidden="true">{marks[kind]} </span>
              {spoken[kind] && <span className="only-heard">{spoken[kind]}</span>}
              <VisibleText text={text} />
            </div>
          ))}
        {lines.length > shown && (
          <button type="button" className={styles.more} onClick={() => setShown(shown * 10)}>
            {texts.difference.moreLines(lines.length - shown)}
          </button>
        )}
      </div>
    </div>
  );
}
