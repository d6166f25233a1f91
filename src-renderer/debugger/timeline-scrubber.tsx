import { type FormEvent, useState } from 'react';
import type { RunView } from '#renderer/stores/run-fold.ts';
import { runSessionStore } from '#renderer/stores/run-stores.ts';
import { useRunSession } from '#renderer/stores/use-run-session.ts';
import styles from './timeline-scrubber.module.css';

const number = new Intl.NumberFormat('en');

/** The whole run on one line: drag, or name a step, to look at it. */
export function TimelineScrubber({ view }: { view: RunView }) {
  const selected = useRunSession((state) => state.selected);
  const at = selected ?? view.seq;
  const look = (seq: number) => runSessionStore.getState().select(seq);
  return (
    <div className={styles.scrubber}>
      <input
        className={styles.slider}
        type="range"
        min={0}
        max={view.seq}
        value={at}
        aria-label="Step looked at"
        aria-valuetext={at === 0 ? 'The start' : `Step ${at} of ${view.seq}`}
        onChange={(event) => look(Number(event.currentTarget.value))}
      />
      <StepField at={at} last={view.seq} onLook={look} />
      <span className={styles.count}>of {number.format(view.seq)}</span>
    </div>
  );
}

/** The number of the step looked at; typing another one and Enter goes there. */
function StepField({ at, last, onLook }: { at: number; last: number; onLook(seq: number): void }) {
  const [typed, setTyped] = useState<string | null>(null);
  const text = typed ?? String(at);
  const wanted = Number(text.replaceAll(/[,.\s]/g, ''));
  const fits = text.trim() !== '' && Number.isInteger(wanted) && wanted >= 0 && wanted <= last;

  function onSubmit(event: FormEvent) {
    event.preventDefault();
    if (!fits) return;
    onLook(wanted);
    setTyped(null);
  }

  return (
    <form className={styles.form} onSubmit={onSubmit}>
      <input
        className={styles.field}
        style={{ width: `${Math.max(2, String(last).length) + 2}ch` }}
        inputMode="numeric"
        aria-label="Go to step"
        aria-invalid={!fits}
        title={fits ? 'Go to a step: type its number and press Enter' : `There are steps 0 to ${last}`}
        value={text}
        onChange={(event) => setTyped(event.currentTarget.value)}
        onBlur={() => setTyped(null)}
        onFocus={(event) => event.currentTarget.select()}
      />
    </form>
  );
}
