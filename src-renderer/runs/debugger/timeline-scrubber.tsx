import { type FormEvent, type ReactNode, useState } from 'react';
import type { RunView } from '#renderer/runs/model/run-fold.ts';
import { runSessionStore } from '#renderer/runs/model/run-stores.ts';
import { useRunSession } from '#renderer/runs/model/use-run-session.ts';
import { texts } from './texts.ts';
import styles from './timeline-scrubber.module.css';

/** A slider over the whole run, and a field for the number of a step. */
export function TimelineScrubber({ view, trailing }: { view: RunView; trailing?: ReactNode }) {
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
        aria-label={texts.timeline.slider}
        aria-valuetext={texts.timeline.sliderValue(at, view.seq)}
        onChange={(event) => look(Number(event.currentTarget.value))}
      />
      <StepField at={at} last={view.seq} onLook={look} />
      <span className={styles.count}>{texts.timeline.of(view.seq)}</span>
      {trailing}
    </div>
  );
}

/** The number of the shown step; Enter goes to the number typed. */
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
        aria-label={texts.timeline.goTo}
        aria-invalid={!fits}
        title={fits ? texts.timeline.goToHint : texts.timeline.noSuchStep(last)}
        value={text}
        onChange={(event) => setTyped(event.currentTarget.value)}
        onBlur={() => setTyped(null)}
        onFocus={(event) => event.currentTarget.select()}
      />
    </form>
  );
}
