import { IconAlertTriangle, IconCornerDownRight, IconHandStop, IconLoader2, IconLogin2 } from '@tabler/icons-react';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type CSSProperties, type KeyboardEvent, type MouseEvent, useEffect, useId, useMemo, useRef } from 'react';
import { useStore } from 'zustand';
import type { NodeTitles } from '#renderer/document/graph/node-titles.ts';
import { roundOfFold } from '#renderer/runs/iterations/use-folds.ts';
import { selectRound } from '#renderer/runs/iterations/use-iteration.ts';
import type { RunView } from '#renderer/runs/model/run-fold.ts';
import type { ChosenRound } from '#renderer/runs/model/run-session.ts';
import { runSessionStore, timelinePagesStore } from '#renderer/runs/model/run-stores.ts';
import { timelineEntry } from '#renderer/runs/model/timeline-pages.ts';
import { useRunSession } from '#renderer/runs/model/use-run-session.ts';
import { menuPoint, openMenu } from '#renderer/shell/menu-store.ts';
import { noticeFailure } from '#renderer/shell/notices.ts';
import { VisibleName } from '#renderer/ui/controls/visible-text.tsx';
import { KindChip } from '#renderer/ui/kinds/kind-chip.tsx';
import { kindLooks } from '#renderer/ui/kinds/node-kinds.ts';
import { FailureText } from '#renderer/ui/values/failure-text.tsx';
import type { Round } from '#shared/contract/iterations.ts';
import type { NodeKind } from '#shared/flow/document.ts';
import { comparedStepStore, compareFrom, endComparedStep } from './compared-step.ts';
import { RoundRow } from './round-row.tsx';
import { texts } from './texts.ts';
import styles from './timeline.module.css';
import { type TimelineFold, TimelineLayout, type TimelineLine } from './timeline-layout.ts';
import { rowAt, rowCount, type TimelineRow } from './timeline-rows.ts';
import { useTimelineRounds } from './use-timeline-rounds.ts';

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

function StepRow({ row }: { row: TimelineRow }) {
  return (
    <>
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
    </>
  );
}

type FoldedLine = TimelineLine & { readonly type: 'round' };

function chosenOf({ fold }: FoldedLine, { index, from_seq, to_seq }: Round): ChosenRound {
  return { kind: fold.kind === 'each' ? 'item' : 'round', node: fold.node, index, from_seq, to_seq };
}

interface TimelineProps {
  readonly view: RunView;
  readonly titles: NodeTitles;
  /** The stretches of which each round is one line. */
  readonly folds: readonly TimelineFold[];
}

/**
 * Every transition of the run. Selecting a row shows the run as it was after that step; arrow keys move. A folded round is one line: a click on it, the right
 * arrow or Enter shows its steps, the left arrow hides them.
 */
export function Timeline({ view, titles, folds }: TimelineProps) {
  const id = useId();
  const scroller = useRef<HTMLDivElement>(null);
  const selected = useRunSession((state) => state.selected);
  const compared = useStore(comparedStepStore, (state) => state.seq);
  const steps = rowCount(view);
  const pages = useStore(timelinePagesStore);
  const seq = Math.min(selected ?? view.seq, view.seq);
  const rounds = useTimelineRounds(view, folds, seq);
  const layout = useMemo(() => new TimelineLayout(steps, folds, rounds.open), [steps, folds, rounds.open]);
  const { count } = layout;
  const current = selected === null ? count - 1 : layout.positionOf(Math.min(selected, steps - 1), () => rounds.selected);
  const rows = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 12,
    initialRect: { width: 400, height: 400 },
  });

  const shown = rows.getVirtualItems();
  const lines = shown.map(({ index }) => layout.lineAt(Math.min(index, count - 1)));
  const inSight = lines.flatMap((line) => (line.type === 'step' ? [line.seq] : []));
  const [first = 0, last = 0] = [inSight[0], inSight.at(-1)];
  useEffect(() => timelinePagesStore.getState().need(view, first, last), [view, first, last]);
  const folded = lines.find((line) => line.type === 'round');
  useEffect(() => {
    if (folded?.type === 'round') rounds.need(folded.fold, folded.index);
  }, [rounds, folded]);

  useEffect(() => {
    if (selected !== null) {
      rows.scrollToIndex(current, { align: 'auto' });
      return;
    }
    // Scrolls past the end on purpose, and with the next frame, when the page is laid out: either would else force a layout for every step.
    const frame = requestAnimationFrame(() => scroller.current?.scrollTo({ top: count * rowHeight }));
    return () => cancelAnimationFrame(frame);
  }, [rows, selected, current, count]);

  /** `extend`: the step that was selected stays as the one with which this one is compared. */
  function look(position: number, extend: boolean) {
    if (extend) compareFrom(seq);
    else endComparedStep();
    const line = layout.lineAt(Math.min(count - 1, Math.max(0, position)));
    if (line.type === 'step') runSessionStore.getState().select(line.seq);
    else void withRound(line, (round) => selectRound(view.run_id, chosenOf(line, round)));
  }

  async function withRound({ fold, index }: FoldedLine, act: (round: Round) => void | Promise<void>) {
    try {
      const round = rounds.known(fold, index) ?? (await roundOfFold(view.run_id, fold, index));
      if (round && runSessionStore.getState().view?.run_id === view.run_id) await act(round);
    } catch (thrown) {
      noticeFailure(texts.timeline.roundFailed, thrown);
    }
  }

  /** Shows the steps of a round, or hides them again. */
  function toggle(line: FoldedLine) {
    void withRound(line, async (round) => {
      if (line.open) rounds.hide(line.fold, line.index);
      else await rounds.show(line.fold, round);
      runSessionStore.getState().select(line.open ? round.to_seq : round.from_seq, chosenOf(line, round));
    });
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.altKey || event.ctrlKey) return;
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / rowHeight) - 1);
    const by = { ArrowUp: -1, ArrowDown: 1, PageUp: -page, PageDown: page, Home: -count, End: count }[event.key];
    const line = layout.lineAt(current);
    if (by !== undefined) {
      const target = layout.lineAt(Math.min(count - 1, Math.max(0, current + by)));
      // The line of an open round is no step of its own.
      look(current + by + (target.type === 'round' && target.open ? Math.sign(by) : 0), event.shiftKey);
    } else if (line.type === 'round' && (event.key === 'ArrowRight' || event.key === 'Enter')) toggle(line);
    else if (line.depth > 0 && event.key === 'ArrowLeft') {
      const around = openRoundOf(line);
      if (around) toggle(around);
    } else return;
    event.preventDefault();
  }

  /** The open round whose steps a line is among. */
  function openRoundOf(line: TimelineLine): FoldedLine | null {
    for (let position = current - 1; position >= 0; position -= 1) {
      const above = layout.lineAt(position);
      if (above.type === 'round' && above.open && above.depth < line.depth) return above;
    }
    return null;
  }

  function onContextMenu(event: MouseEvent) {
    event.preventDefault();
    const row = event.target instanceof Element ? event.target.closest<HTMLElement>('[role="option"]') : null;
    // The menu key opens it at the selected row.
    const line = layout.lineAt(row ? Number(row.dataset.index) : current);
    const at = line.type === 'step' ? Math.min(line.seq, view.seq) : (rounds.known(line.fold, line.index)?.to_seq ?? seq);
    const element = row ?? document.getElementById(`${id}-${current}`) ?? event.currentTarget;
    openMenu({ place: 'step', label: texts.timeline.step(at), ...menuPoint(row ? event : noPoint, element), subject: { seq: at } });
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
          {shown.map(({ index, start }, at) => {
            const line = lines[at] as TimelineLine;
            const row = line.type === 'step' ? rowAt(view, line.seq, (of) => timelineEntry(view, pages, of), titles) : null;
            const round = line.type === 'round' ? rounds.known(line.fold, line.index) : undefined;
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
                aria-selected={index === current || (row !== null && row.seq === compared)}
                className={styles.row}
                data-type={row ? row.type : round?.status === 'failed' ? 'failed' : 'round'}
                data-waiting={row?.waiting ?? round?.status === 'waiting'}
                style={{ transform: `translateY(${start}px)`, '--depth': line.depth } as CSSProperties}
                onClick={(event) => (line.type === 'round' && !event.shiftKey ? toggle(line) : look(index, event.shiftKey))}
              >
                {row && <StepRow row={row} />}
                {line.type === 'round' && <RoundRow {...line} round={round} title={titles(line.fold.node)} />}
              </div>
            );
          })}
        </div>
      </div>
    </>
  );
}
