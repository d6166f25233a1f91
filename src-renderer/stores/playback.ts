import { createStore } from 'zustand/vanilla';
import type { Problem } from '#shared/flow/problem.ts';
import type { PlayedTrace } from '#shared/flow/soundness/played-trace.ts';

/** A counterexample of the proof that is played on the canvas. */
export interface Playback {
  /** The flow that it is about, and the text of it that the proof looked at. */
  readonly path: string;
  readonly text: string;
  readonly problem: Problem;
  readonly played: PlayedTrace;
  /** How many of its firings have happened. */
  readonly at: number;
  /** Whether it goes on by itself. */
  readonly running: boolean;
}

/** What is played now; null while nothing is. */
export const playbackStore = createStore<{ readonly playback: Playback | null }>()(() => ({ playback: null }));

function change(next: (playback: Playback) => Playback): void {
  const { playback } = playbackStore.getState();
  if (playback) playbackStore.setState({ playback: next(playback) });
}

/** Begins at the flow's input. */
export function startPlayback(playback: Omit<Playback, 'at'>): void {
  playbackStore.setState({ playback: { ...playback, at: 0 } });
}

export function endPlayback(): void {
  if (playbackStore.getState().playback) playbackStore.setState({ playback: null });
}

/** Shows the marking after so many firings, and stays there. Beyond either end is that end. */
export function showFiring(at: number): void {
  change((playback) => ({ ...playback, at: Math.min(playback.played.steps.length, Math.max(0, at)), running: false }));
}

/** Lets one more firing happen, and stops at the last. */
export function playOn(): void {
  change((playback) => {
    const at = Math.min(playback.played.steps.length, playback.at + 1);
    return { ...playback, at, running: playback.running && at < playback.played.steps.length };
  });
}

/** Plays or pauses. At the end, playing begins anew. */
export function togglePlaying(): void {
  change((playback) => {
    const over = playback.at >= playback.played.steps.length;
    return { ...playback, at: over && !playback.running ? 0 : playback.at, running: !playback.running };
  });
}
