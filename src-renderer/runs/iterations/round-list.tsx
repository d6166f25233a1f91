import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { studio } from '#renderer/api/studio.ts';
import type { RunView } from '#renderer/runs/model/run-fold.ts';
import { runSessionStore } from '#renderer/runs/model/run-stores.ts';
import { filterTimeline, type TimelineFilter } from '#renderer/runs/model/timeline-filter.ts';
import { useRunSession } from '#renderer/runs/model/use-run-session.ts';
import { durationText } from '#renderer/ui/values/durations.ts';
import { FailureText } from '#renderer/ui/values/failure-text.tsx';
import type { Iteration } from '#shared/contract/iterations.ts';
import { versionOf } from './node-run.tsx';
import styles from './round-list.module.css';
import { texts } from './texts.ts';
import { chooseRound, isSameNode, selectRound, useIteration } from './use-iteration.ts';
import { useReading } from './use-reading.ts';

/** Height of a row in pixels; `--row-dense`. */
const rowHeight = 26;
const pageRows = 50;

const number = new Intl.NumberFormat('en');

/** The timeline of one node: a line for each of its rounds. Selecting one shows the run as it was at the round's end; arrow keys move. */
export function RoundList({ view, filter: { node, nested }, title }: { view: RunView; filter: TimelineFilter; title: string }) {
  const id = useId();
  const scroller = useRef<HTMLDivElement>(null);
  const known = useRef<{ key: string; rounds: Map<number, Iteration> }>({ key: '', rounds: new Map() });
  const selected = useRunSession((state) => state.selected);
  const [from, setFrom] = useState(1);
  const subject = { run_id: view.run_id, node, nested };
  const version = versionOf(view);
  const answer = useReading({ ...subject, from, limit: 2 * pageRows }, version, (input) => studio.runs.iterations(input));
  const page = answer && isSameNode(answer.input, subject) ? answer : null;
  const current = useIteration({ ...subject, seq: selected }, version)?.output?.iteration?.index ?? 0;
  const key = `${view.run_id} ${nested} ${node}`;
  if (known.current.key !== key) known.current = { key, rounds: new Map() };
  const { rounds } = known.current;
  for (const round of page?.output?.iterations ?? []) rounds.set(round.index, round);
  const count = page?.output?.total ?? 0;
  const rows = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 8,
    initialRect: { width: 400, height: 400 },
  });
  const shown = rows.getVirtualItems();
  const first = shown[0]?.index ?? 0;

  useEffect(() => setFrom(Math.floor(first / pageRows) * pageRows + 1), [first]);
  useEffect(() => {
    if (current > 0) rows.scrollToIndex(current - 1, { align: 'auto' });
  }, [rows, current]);

  function look(index: number) {
    const wanted = Math.min(count, Math.max(1, index));
    const round = rounds.get(wanted);
    if (round) selectRound(view.run_id, { ...round, kind: 'round', node });
    else void chooseRound(subject, wanted).catch(() => undefined);
  }

  /** Shows all steps again, at the first one of a round. */
  function open(index: number) {
    const round = rounds.get(index);
    filterTimeline(null);
    if (round) runSessionStore.getState().select(round.from_seq);
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.key === 'Enter') return open(current);
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / rowHeight) - 1);
    const steps = { ArrowUp: -1, ArrowDown: 1, PageUp: -page, PageDown: page, Home: -count, End: count };
    const by = steps[event.key as keyof typeof steps];
    if (by === undefined || event.altKey || event.ctrlKey) return;
    event.preventDefault();
    look(current + by);
  }

  if (page?.failure) return <FailureText failure={page.failure} />;
  return (
    <div
      ref={scroller}
      className={styles.scroller}
      role="listbox"
      aria-label={texts.roundsOf(title)}
      aria-activedescendant={current > 0 ? `${id}-${current}` : undefined}
      tabIndex={0}
      onKeyDown={onKeyDown}
    >
      {page && count === 0 && <p className={styles.none}>{texts.notYet}</p>}
      <div role="presentation" className={styles.rows} style={{ height: rows.getTotalSize() }}>
        {shown.map(({ index: place, start }) => {
          const index = place + 1;
          const round = rounds.get(index);
          return (
            // biome-ignore lint/a11y/useFocusableInteractive: the list has the focus and names its active row
            // biome-ignore lint/a11y/useKeyWithClickEvents: the list takes the keys
            <div
              key={index}
              id={`${id}-${index}`}
              role="option"
              aria-posinset={index}
              aria-setsize={count}
              aria-selected={index === current}
              className={styles.row}
              style={{ transform: `translateY(${start}px)` }}
              title={texts.openRound}
              onClick={() => look(index)}
              onDoubleClick={() => open(index)}
            >
              <span className={styles.number}>{number.format(index)}</span>
              {round && (
                <>
                  <span className={styles.step}>{texts.step(round.from_seq, round.to_seq)}</span>
                  <span className={styles.produced} data-status={round.status} title={round.preview}>
                    {round.status === 'done' ? round.preview : texts.status[round.status]}
                  </span>
                  <span className={styles.tokens}>{round.tokens > 0 ? number.format(round.tokens) : ''}</span>
                  <span className={styles.duration}>{round.status === 'failed' ? '–' : durationText(round.duration_ms)}</span>
                </>
              )}
            </div>
          );
        })}
      </div>
    </div>
  );
}
