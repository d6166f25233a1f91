import { createStore } from 'zustand/vanilla';
import type { Problem } from '#shared/flow/problem.ts';
import type { PlayedTrace } from '#shared/flow/soundness/played-trace.ts';

/** A counterexample of the proof, played on the canvas. */
export interface Playback {
  /** The flow, and the text that the proof checked. */
  readonly path: string;
  readonly text: string;
  readonly problem: Problem;
  readonly played: PlayedTrace;
  /** The number of steps played so far. */
  readonly at: number;
  /** Whether it plays automatically. */
  readonly running: boolean;
}

/** The current playback, or null. */
export const playbackStore = createStore<{ readonly playback: Playback | null }>()(() => ({ playback: null }));

function change(next: (playback: Playback) => Playback): void {
  const { playback } = playbackStore.getState();
  if (playback) playbackStore.setState({ playback: next(playback) });
}

/** Starts at the flow's input. */
export function startPlayback(playback: Omit<Playback, 'at'>): void {
  playbackStore.setState({ playback: { ...playback, at: 0 } });
}

export function endPlayback(): void {
  if (playbackStore.getState().playback) playbackStore.setState({ playback: null });
}

/** Shows the marking after `fired` steps, clamped to the playback, and pauses there. */
export function showFiring(at: number): void {
  change((playback) => ({ ...playback, at: Math.min(playback.played.steps.length, Math.max(0, at)), running: false }));
}

/** Plays one more step, and stops at the last. */
export function playOn(): void {
  change((playback) => {
    const at = Math.min(playback.played.steps.length, playback.at + 1);
    return { ...playback, at, running: playback.running && at < playback.played.steps.length };
  });
}

/** Plays or pauses. At the end, starts over. */
export function togglePlaying(): void {
  change((playback) => {
    const over = playback.at >= playback.played.steps.length;
    return { ...playback, at: over && !playback.running ? 0 : playback.at, running: !playback.running };
  });
}
