import { useMemo, useState } from 'react';
import { VisibleText } from '#renderer/controls/visible-text.tsx';
import styles from './file-difference.module.css';
import { lineDifference } from './line-difference.ts';
import type { FilePreview } from './use-preview.ts';

/** Lines drawn at first; more are drawn when asked for. */
const linesShown = 1000;

const signs = { same: ' ', added: '+', removed: '-', skipped: '…' };
const words = { same: '', added: 'added: ', removed: 'removed: ', skipped: '' };

function summaryOf({ before }: FilePreview): string {
  return before === null ? 'content of the new file' : 'content, against the file on disk';
}

interface FileDifferenceProps {
  readonly file: FilePreview;
  /** What is compared; without it a write with the file on disk. */
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
        <span title={`${added} lines added, ${removed} removed`}>
          +{added} -{removed}
        </span>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reached by the keyboard */}
      {/* biome-ignore lint/a11y/useSemanticElements: a <section> per difference would clutter the list of landmarks */}
      <div className={styles.lines} role="group" aria-label={`Difference in ${file.path}`} tabIndex={0}>
        {added + removed === 0 && <div className={styles.none}>No difference: the file holds this already.</div>}
        {added + removed > 0 &&
          lines.slice(0, shown).map(({ kind, text }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a line is its position in the difference
            <div key={index} className={styles.line} data-kind={kind}>
              <span aria-hidden="true">{signs[kind]} </span>
              {words[kind] && <span className="only-heard">{words[kind]}</span>}
              <VisibleText text={text} />
            </div>
          ))}
        {lines.length > shown && (
          <button type="button" className={styles.more} onClick={() => setShown(shown * 10)}>
            {lines.length - shown} more lines
          </button>
        )}
      </div>
    </div>
  );
}
