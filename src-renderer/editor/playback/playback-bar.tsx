import {
  IconPlayerPauseFilled,
  IconPlayerPlayFilled,
  IconPlayerSkipBack,
  IconPlayerTrackNext,
  IconPlayerTrackPrev,
  IconX,
} from '@tabler/icons-react';
import { type KeyboardEvent, useEffect, useId, useMemo, useRef } from 'react';
import { useStore } from 'zustand';
import { bringIntoSight } from '#renderer/document/flows/selection.ts';
import { useCurrentFlow } from '#renderer/document/flows/use-current-flow.ts';
import { announce } from '#renderer/shell/announcer.ts';
import { drawnNode } from '#shared/run/node-id.ts';
import { describePlayback, playbackTitle } from './describe-playback.ts';
import { endPlayback, type Playback, playbackStore, playOn, showFiring, togglePlaying } from './playback.ts';
import styles from './playback-bar.module.css';
import { texts } from './texts.ts';

/** Duration of one step during playback, in milliseconds: long enough to read its sentence. */
const stepDuration = 1600;

/** The bar above the canvas during playback of a counterexample. */
export function PlaybackBar() {
  const playback = useStore(playbackStore, (state) => state.playback);
  return playback && <Bar key={playback.problem.message} playback={playback} />;
}

function Bar({ playback }: { playback: Playback }) {
  const { played, at, running } = playback;
  const id = useId();
  const play = useRef<HTMLButtonElement>(null);
  const nodes = useCurrentFlow((flow) => flow?.view.nodes ?? null);
  const titles = useMemo(() => {
    const byId = new Map(nodes?.map((node) => [node.id, node.title]));
    return (node: string) => byId.get(node) ?? node;
  }, [nodes]);
  const sentence = describePlayback(playback, titles);
  const last = played.steps.length;

  useEffect(() => play.current?.focus(), []);
  useEffect(() => announce(sentence), [sentence]);
  useEffect(() => {
    if (!running) return;
    const timer = setInterval(playOn, stepDuration);
    return () => clearInterval(timer);
  }, [running]);
  useEffect(() => {
    const step = played.steps[at] ?? played.steps.at(-1);
    const node = step && nodes?.find((one) => one.id === drawnNode(step.node));
    if (node) bringIntoSight(node.key);
  }, [played, at, nodes]);

  function onKeyDown(event: KeyboardEvent) {
    const target = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: last }[event.key];
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (target !== undefined) showFiring(target);
    else if (event.key === 'Escape') close();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  function close() {
    endPlayback();
    document.querySelector<HTMLElement>('[data-canvas]')?.focus({ preventScroll: true });
  }

  return (
    <section className={styles.bar} aria-label={texts.bar.counterexample} onKeyDown={onKeyDown}>
      <div className={styles.controls} role="toolbar" aria-label={texts.bar.controls}>
        <strong className={styles.title}>{playbackTitle(playback)}</strong>
        <button
          type="button"
          className={styles.button}
          aria-label={texts.bar.toStart}
          title={texts.bar.toStartHint}
          onClick={() => showFiring(0)}
        >
          <IconPlayerSkipBack size={15} aria-hidden="true" />
        </button>
        <button
          type="button"
          className={styles.button}
          aria-label={texts.bar.back}
          title={texts.bar.backHint}
          aria-disabled={at === 0}
          onClick={() => showFiring(at - 1)}
        >
          <IconPlayerTrackPrev size={15} aria-hidden="true" />
        </button>
        <button
          ref={play}
          type="button"
          className={styles.play}
          title={running ? texts.bar.pauseHint : texts.bar.playHint}
          onClick={togglePlaying}
        >
          {running ? <IconPlayerPauseFilled size={14} aria-hidden="true" /> : <IconPlayerPlayFilled size={14} aria-hidden="true" />}
          {running ? texts.bar.pause : texts.bar.play}
        </button>
        <button
          type="button"
          className={styles.button}
          aria-label={texts.bar.forward}
          title={texts.bar.forwardHint}
          aria-disabled={at === last}
          onClick={() => showFiring(at + 1)}
        >
          <IconPlayerTrackNext size={15} aria-hidden="true" />
        </button>
        <input
          className={styles.scrubber}
          type="range"
          min={0}
          max={last}
          value={at}
          aria-label={texts.bar.step}
          aria-valuetext={texts.bar.stepOf(at, last)}
          aria-describedby={id}
          onChange={(event) => showFiring(Number(event.currentTarget.value))}
        />
        <span className={styles.count}>
          {at} / {last}
        </span>
        <button type="button" className={styles.button} aria-label={texts.bar.close} title={texts.bar.closeHint} onClick={close}>
          <IconX size={15} aria-hidden="true" />
        </button>
      </div>
      <p id={id} className={styles.words} data-end={at === last}>
        {sentence}
      </p>
    </section>
  );
}
