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
import { announce } from '#renderer/stores/announcer.ts';
import { endPlayback, type Playback, playbackStore, playOn, showFiring, togglePlaying } from '#renderer/stores/playback.ts';
import { bringIntoSight } from '#renderer/stores/selection.ts';
import { useCurrentFlow } from '#renderer/stores/use-current-flow.ts';
import { drawnNode } from '#shared/runtime/node-id.ts';
import styles from './playback-bar.module.css';
import { playbackTitle, playbackWords } from './playback-words.ts';

/** Time for one firing while it plays, in milliseconds: long enough to read its sentence. */
const firingTime = 1600;

/** The strip above the canvas while a counterexample is played on it. */
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
  const words = playbackWords(playback, titles);
  const last = played.steps.length;

  useEffect(() => play.current?.focus(), []);
  useEffect(() => announce(words), [words]);
  useEffect(() => {
    if (!running) return;
    const timer = setInterval(playOn, firingTime);
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
    <section className={styles.bar} aria-label="Counterexample" onKeyDown={onKeyDown}>
      <div className={styles.controls} role="toolbar" aria-label="Play the counterexample">
        <strong className={styles.title}>{playbackTitle(playback)}</strong>
        <button type="button" className={styles.button} aria-label="To the start" title="To the start (Home)" onClick={() => showFiring(0)}>
          <IconPlayerSkipBack size={15} aria-hidden="true" />
        </button>
        <button
          type="button"
          className={styles.button}
          aria-label="One step back"
          title="One step back (←)"
          aria-disabled={at === 0}
          onClick={() => showFiring(at - 1)}
        >
          <IconPlayerTrackPrev size={15} aria-hidden="true" />
        </button>
        <button ref={play} type="button" className={styles.play} title={running ? 'Pause (Space)' : 'Play (Space)'} onClick={togglePlaying}>
          {running ? <IconPlayerPauseFilled size={14} aria-hidden="true" /> : <IconPlayerPlayFilled size={14} aria-hidden="true" />}
          {running ? 'Pause' : 'Play'}
        </button>
        <button
          type="button"
          className={styles.button}
          aria-label="One step on"
          title="One step on (→)"
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
          aria-label="Step of the counterexample"
          aria-valuetext={`Step ${at} of ${last}`}
          aria-describedby={id}
          onChange={(event) => showFiring(Number(event.currentTarget.value))}
        />
        <span className={styles.count}>
          {at} / {last}
        </span>
        <button type="button" className={styles.button} aria-label="End the playback" title="End the playback (Escape)" onClick={close}>
          <IconX size={15} aria-hidden="true" />
        </button>
      </div>
      <p id={id} className={styles.words} data-end={at === last}>
        {words}
      </p>
    </section>
  );
}
