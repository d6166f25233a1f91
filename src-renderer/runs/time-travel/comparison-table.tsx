import { IconArrowsSplit2, IconEqual, IconEqualNot } from '@tabler/icons-react';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, useEffect, useId, useRef } from 'react';
import type { NodeTitles } from '#renderer/document/graph/node-titles.ts';
import { runSessionStore } from '#renderer/runs/model/run-stores.ts';
import { durationText } from '#renderer/ui/values/durations.ts';
import type { ComparedStep } from '#shared/contract/time-travel.ts';
import { lineOf, needLines, type ShownComparison, showLine } from './comparison.ts';
import styles from './comparison-panel.module.css';
import { differenceSummary } from './difference-summary.ts';
import { texts } from './texts.ts';

const rowHeight = 26;

interface ComparisonTableProps {
  readonly comparison: ShownComparison;
  readonly whole: NonNullable<ShownComparison['whole']>;
  readonly titles: NodeTitles;
  readonly names: readonly [string, string];
}

/** The steps of two runs, one line each. Selecting a line shows its differences, and the shown run at that step. */
export function ComparisonTable({ comparison, whole, titles, names }: ComparisonTableProps) {
  const id = useId();
  const scroller = useRef<HTMLDivElement>(null);
  const { total, first_divergence } = whole;
  const current = comparison.line;
  const rows = useVirtualizer({
    count: total,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 12,
    initialRect: { width: 400, height: 400 },
  });
  const shown = rows.getVirtualItems();
  const first = shown[0]?.index ?? 0;
  const last = shown.at(-1)?.index ?? 0;
  useEffect(() => needLines(first, last), [first, last]);
  useEffect(() => {
    if (current !== null) rows.scrollToIndex(current, { align: 'auto' });
  }, [rows, current]);

  function look(line: number) {
    const target = Math.min(total - 1, Math.max(0, line));
    void showLine(target);
    const seq = lineOf(comparison, target)?.seq;
    if (seq != null && runSessionStore.getState().view?.run_id === comparison.run_id) runSessionStore.getState().select(seq);
  }

  function onKeyDown(event: KeyboardEvent) {
    const at = current ?? -1;
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / rowHeight) - 1);
    const target = { ArrowUp: at - 1, ArrowDown: at + 1, PageUp: at - page, PageDown: at + page, Home: 0, End: total - 1 }[event.key];
    if (target === undefined || event.altKey || event.ctrlKey) return;
    event.preventDefault();
    look(target);
  }

  return (
    <div className={styles.table}>
      <div className={`${styles.row} ${styles.header}`} aria-hidden="true">
        <span className={styles.number}>{names[0]}</span>
        <span className={styles.number}>{names[1]}</span>
        <span />
        <span>{texts.compare.node}</span>
        <span>{texts.compare.differsIn}</span>
        <span className={styles.duration}>{texts.compare.time}</span>
      </div>
      <div
        ref={scroller}
        className={styles.scroller}
        role="listbox"
        aria-label={texts.compare.table}
        aria-activedescendant={current === null ? undefined : `${id}-${current}`}
        tabIndex={0}
        onKeyDown={onKeyDown}
      >
        <div className={styles.rows} role="presentation" style={{ height: rows.getTotalSize() }}>
          {shown.map(({ index, start }) => {
            const step = lineOf(comparison, index);
            return (
              // biome-ignore lint/a11y/useFocusableInteractive: the list has the focus and names its active row
              // biome-ignore lint/a11y/useKeyWithClickEvents: the list takes the keys
              <div
                key={index}
                id={`${id}-${index}`}
                role="option"
                aria-posinset={index + 1}
                aria-setsize={total}
                aria-selected={index === current}
                className={`${styles.row} ${styles.line}`}
                data-first={index === first_divergence}
                data-missing={step?.differs.includes('missing')}
                style={{ transform: `translateY(${start}px)` }}
                onClick={() => look(index)}
              >
                {step && (
                  <Line step={step} title={step.node === '' ? texts.compare.start : titles(step.node)} first={index === first_divergence} />
                )}
              </div>
            );
          })}
        </div>
      </div>
    </div>
  );
}

function Line({ step, title, first }: { step: ComparedStep; title: string; first: boolean }) {
  const Sign = first ? IconArrowsSplit2 : step.differs.length > 0 ? IconEqualNot : IconEqual;
  const summary = differenceSummary(step);
  return (
    <>
      <span className={styles.number}>{step.seq ?? '–'}</span>
      <span className={styles.number}>{step.other_seq ?? '–'}</span>
      <span className={styles.sign} data-differs={step.differs.length > 0}>
        <Sign size={14} aria-hidden="true" />
      </span>
      <span className={styles.node} title={title}>
        {title}
      </span>
      <span className={styles.words}>{first ? texts.compare.first(summary) : summary}</span>
      <span className={styles.duration}>
        {[step.duration_ms, step.other_duration_ms].map((time) => (time === null ? '–' : durationText(time))).join(' · ')}
      </span>
    </>
  );
}
