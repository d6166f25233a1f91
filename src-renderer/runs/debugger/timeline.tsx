import { IconAlertTriangle, IconCornerDownRight, IconHandStop, IconLoader2, IconLogin2 } from '@tabler/icons-react';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type CSSProperties, type KeyboardEvent, type MouseEvent, useEffect, useId, useRef } from 'react';
import { useStore } from 'zustand';
import type { NodeTitles } from '#renderer/document/graph/node-titles.ts';
import type { RunView } from '#renderer/runs/model/run-fold.ts';
import { runSessionStore, timelinePagesStore } from '#renderer/runs/model/run-stores.ts';
import { timelineEntry } from '#renderer/runs/model/timeline-pages.ts';
import { useRunSession } from '#renderer/runs/model/use-run-session.ts';
import { menuPoint, openMenu } from '#renderer/shell/menu-store.ts';
import { VisibleName } from '#renderer/ui/controls/visible-text.tsx';
import { KindChip } from '#renderer/ui/kinds/kind-chip.tsx';
import { kindLooks } from '#renderer/ui/kinds/node-kinds.ts';
import { FailureText } from '#renderer/ui/values/failure-text.tsx';
import type { NodeKind } from '#shared/flow/document.ts';
import { comparedStepStore, compareFrom, endComparedStep } from './compared-step.ts';
import { texts } from './texts.ts';
import styles from './timeline.module.css';
import { rowAt, rowCount, type TimelineRow } from './timeline-rows.ts';

/** The keyboard opens the menu at the selected row. */
const noPoint = { clientX: 0, clientY: 0 };

/** Height of a row in pixels; `--row-dense`. */
const rowHeight = 26;

function RowSign({ row }: { row: TimelineRow }) {
  if (row.type === 'start') return <IconLogin2 size={16} aria-hidden="true" />;
  if (row.type === 'failed') return <IconAlertTriangle size={16} className={styles.failed} aria-hidden="true" />;
  if (row.type === 'running') return <IconLoader2 size={16} className={styles.spinning} aria-hidden="true" />;
  if (row.type === 'resumed') return <IconCornerDownRight size={16} aria-hidden="true" />;
  if (row.waiting) return <IconHandStop size={16} className={styles.hand} aria-hidden="true" />;
  return Object.hasOwn(kindLooks, row.kind) ? <KindChip kind={row.kind as NodeKind} /> : <span />;
}

/** Room for the longest number of a record. */
function numbersWidth(seq: number): string {
  return `${Math.max(30, String(seq).length * 7 + 8)}px`;
}

interface TimelineProps {
  readonly view: RunView;
  readonly titles: NodeTitles;
}

/** Every transition of the run. Selecting a row shows the run as it was after that step; arrow keys move. */
export function Timeline({ view, titles }: TimelineProps) {
  const id = useId();
  const scroller = useRef<HTMLDivElement>(null);
  const selected = useRunSession((state) => state.selected);
  const compared = useStore(comparedStepStore, (state) => state.seq);
  const count = rowCount(view);
  const pages = useStore(timelinePagesStore);
  const current = selected === null ? count - 1 : Math.min(selected, count - 1);
  const rows = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 12,
    initialRect: { width: 400, height: 400 },
  });

  const shown = rows.getVirtualItems();
  const first = shown[0]?.index ?? 0;
  const last = shown.at(-1)?.index ?? 0;
  useEffect(() => timelinePagesStore.getState().need(view, first, last), [view, first, last]);

  useEffect(() => {
    if (selected !== null) rows.scrollToIndex(current, { align: 'auto' });
    // Scrolls past the end on purpose: reading the real end would force a layout for every step.
    else if (scroller.current) scroller.current.scrollTop = count * rowHeight;
  }, [rows, selected, current, count]);

  /** `extend`: the step that was selected stays as the one with which this one is compared. */
  function look(index: number, extend: boolean) {
    if (extend) compareFrom(Math.min(current, view.seq));
    else endComparedStep();
    runSessionStore.getState().select(Math.min(count - 1, Math.max(0, index)));
  }

  function onKeyDown(event: KeyboardEvent) {
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / rowHeight) - 1);
    const target = {
      ArrowUp: current - 1,
      ArrowDown: current + 1,
      PageUp: current - page,
      PageDown: current + page,
      Home: 0,
      End: count - 1,
    }[event.key];
    if (target === undefined || event.altKey || event.ctrlKey) return;
    event.preventDefault();
    look(target, event.shiftKey);
  }

  function onContextMenu(event: MouseEvent) {
    event.preventDefault();
    const row = event.target instanceof Element ? event.target.closest<HTMLElement>('[role="option"]') : null;
    // The menu key opens it at the selected row.
    const index = row ? Number(row.dataset.index) : current;
    const seq = Math.min(index, view.seq);
    const element = row ?? document.getElementById(`${id}-${current}`) ?? event.currentTarget;
    openMenu({ place: 'step', label: texts.timeline.step(seq), ...menuPoint(row ? event : noPoint, element), subject: { seq } });
  }

  return (
    <>
      {pages.failure && <FailureText failure={pages.failure} />}
      <div
        ref={scroller}
        className={styles.scroller}
        role="listbox"
        aria-label={texts.timeline.label}
        aria-multiselectable={compared !== null}
        aria-activedescendant={`${id}-${current}`}
        tabIndex={0}
        onKeyDown={onKeyDown}
        onContextMenu={onContextMenu}
      >
        <div
          className={styles.rows}
          role="presentation"
          style={{ height: rows.getTotalSize(), '--numbers': numbersWidth(view.seq) } as CSSProperties}
        >
          {shown.map(({ index, start }) => {
            const row = rowAt(view, index, (seq) => timelineEntry(view, pages, seq), titles);
            return (
              // biome-ignore lint/a11y/useFocusableInteractive: the list has the focus and names its active row
              // biome-ignore lint/a11y/useKeyWithClickEvents: the list takes the keys
              <div
                key={index}
                id={`${id}-${index}`}
                role="option"
                data-index={index}
                aria-posinset={index + 1}
                aria-setsize={count}
                aria-selected={index === current || index === compared}
                className={styles.row}
                data-type={row.type}
                data-waiting={row.waiting}
                style={{ transform: `translateY(${start}px)` }}
                onClick={(event) => look(index, event.shiftKey)}
              >
                <span className={styles.number}>{row.seq}</span>
                <span className={styles.sign}>
                  <RowSign row={row} />
                </span>
                <span className={styles.node} title={row.title}>
                  <VisibleName className={styles.title} text={row.title} title={null} />
                  {row.part && <span className={styles.part}> · {row.part}</span>}
                </span>
                <span className={styles.produced} title={row.produced}>
                  {row.produced}
                </span>
                <span className={styles.tokens} title={row.tokens && texts.timeline.tokens(row.tokens)}>
                  {row.tokens}
                </span>
                <span className={styles.duration}>{row.duration}</span>
              </div>
            );
          })}
        </div>
      </div>
    </>
  );
}
